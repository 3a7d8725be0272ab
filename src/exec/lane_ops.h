// What every core operation means, as C++ on one lane: included by generated kernels only.
//
// Storage. An integer, bits or mask of n bits is a u32, u64 or u128 (i32, i64, i128 when signed), zero- or
// sign-extended from its n bits. A b1 is 0 or 1 in a u32. f32 and f64 are themselves; f16 and bf16 are Half and Brain,
// their bits in a u32, so that a loop over lanes stays at one element width and vectorises.
//
// Everything stands in a namespace named by the SIMD level: the same text is compiled once a level with other flags,
// and the linker must not exchange one level's function for another's.
#pragma once
#ifndef GFXISA_LEVEL
#define GFXISA_LEVEL baseline
#endif
#include <bit>
#include <type_traits>

#include "base/types.h"

namespace gfxisa::exec::GFXISA_LEVEL {

struct Half {
  u32 bits;
};
struct Brain {
  u32 bits;
};

template <class T>
using Unsigned = std::conditional_t<sizeof(T) == 4, u32, std::conditional_t<sizeof(T) == 8, u64, u128>>;
template <class T>
using Signed = std::conditional_t<sizeof(T) == 4, i32, std::conditional_t<sizeof(T) == 8, i64, i128>>;
template <class T>
inline constexpr bool is_signed_storage = std::is_same_v<T, Signed<T>>;
template <class T>
inline constexpr unsigned storage_bits = sizeof(T) * 8;

/// Brings `value` into the stored form of an N-bit number of storage T. A conversion by value is exactly this.
template <class T, unsigned N, class From>
inline T fit(From value) {
  if constexpr (N == storage_bits<T>) return static_cast<T>(value);
  const auto raised = static_cast<Unsigned<T>>(static_cast<Unsigned<T>>(value) << (storage_bits<T> - N));
  return static_cast<T>(static_cast<T>(raised) >> (storage_bits<T> - N));
}

// ---------------------------------------------------------------------------------------------- integers
// Results wrap in the storage; the generator narrows them with fit().

template <class T>
inline T add(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b));
}
template <class T>
inline T subtract(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b));
}
template <class T>
inline T multiply(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(a) * static_cast<Unsigned<T>>(b));
}
template <class T>
inline T negate(T a) {
  return static_cast<T>(Unsigned<T>{0} - static_cast<Unsigned<T>>(a));
}

/// Quotient; 0 when b is 0, and the most negative number over -1 wraps.
template <class T>
inline T divide(T a, T b) {
  if (b == 0) return 0;
  if constexpr (is_signed_storage<T>) {
    if (b == -1) return negate(a);
  }
  return static_cast<T>(a / b);
}
/// Remainder with the dividend's sign; 0 when b is 0.
template <class T>
inline T remainder(T a, T b) {
  if (b == 0) return 0;
  if constexpr (is_signed_storage<T>) {
    if (b == -1) return 0;
  }
  return static_cast<T>(a % b);
}

/// Shifts of an N-bit number by any count; the count is read as unsigned.
template <unsigned N, class T, class Count>
inline T shift_left(T a, Count count) {
  using U = Unsigned<T>;
  const auto unsigned_count = static_cast<Unsigned<Count>>(count);
  const U moved = static_cast<U>(static_cast<U>(a) << (static_cast<U>(unsigned_count) & (storage_bits<T> - 1)));
  return unsigned_count >= N ? T{0} : static_cast<T>(moved);
}
template <unsigned N, class T, class Count>
inline T shift_right(T a, Count count) {
  const auto unsigned_count = static_cast<Unsigned<Count>>(count);
  const T moved = static_cast<T>(a >> (static_cast<Unsigned<T>>(unsigned_count) & (storage_bits<T> - 1)));
  const T emptied = static_cast<T>(is_signed_storage<T> ? a >> (storage_bits<T> - 1) : T{0});
  return unsigned_count >= N ? emptied : moved;
}

/// The low word of high:low shifted right by any count.
inline u32 funnel_shift_right(u32 high, u32 low, u32 count) {
  const u32 n = count & 31;
  const u32 within = low >> n | high << 1 << (31 - n);
  return count < 32 ? within : count < 64 ? high >> n : 0;
}

template <class T>
inline T minimum(T a, T b) {
  return a < b ? a : b;
}
template <class T>
inline T maximum(T a, T b) {
  return a > b ? a : b;
}
/// Magnitude; the most negative number stays as it is.
template <class T>
inline T absolute(T a) {
  return a < 0 ? negate(a) : a;
}

/// Carry out of bit N - 1 of a + b + c (a, b of N bits, c 0 or 1).
template <unsigned N, class T, class C>
inline u32 carry_out(T a, T b, C carry_in) {
  using U = Unsigned<T>;
  const U x = fit<U, N>(a), y = fit<U, N>(b);
  const U sum = fit<U, N>(static_cast<U>(x + y));
  const u32 c = static_cast<u32>(carry_in) & 1;
  const U total = fit<U, N>(static_cast<U>(sum + c));
  return static_cast<u32>(sum < x) | static_cast<u32>(total < sum);
}

/// Number of ones. Written out rather than __builtin_popcount, which no level but the newest vectorises; the last steps
/// are sums and no product, since compilers know that form as a population count.
inline u32 count_ones(u32 a) {
  a = a - (a >> 1 & 0x55555555u);
  a = (a & 0x33333333u) + (a >> 2 & 0x33333333u);
  a = (a + (a >> 4)) & 0x0f0f0f0fu;
  a = a + (a >> 8);
  return (a + (a >> 16)) & 0x3fu;
}
inline u32 count_ones(u64 a) { return count_ones(static_cast<u32>(a)) + count_ones(static_cast<u32>(a >> 32)); }
inline u32 count_ones(u128 a) { return count_ones(static_cast<u64>(a)) + count_ones(static_cast<u64>(a >> 64)); }

inline u32 reverse_bits(u32 a) {
  a = (a >> 1 & 0x55555555u) | (a & 0x55555555u) << 1;
  a = (a >> 2 & 0x33333333u) | (a & 0x33333333u) << 2;
  a = (a >> 4 & 0x0f0f0f0fu) | (a & 0x0f0f0f0fu) << 4;
  a = (a >> 8 & 0x00ff00ffu) | (a & 0x00ff00ffu) << 8;
  return a >> 16 | a << 16;
}
inline u64 reverse_bits(u64 a) {
  return static_cast<u64>(reverse_bits(static_cast<u32>(a))) << 32 | reverse_bits(static_cast<u32>(a >> 32));
}
inline u128 reverse_bits(u128 a) {
  return static_cast<u128>(reverse_bits(static_cast<u64>(a))) << 64 | reverse_bits(static_cast<u64>(a >> 64));
}

/// Copies the highest one into every place below it.
template <class U>
inline U smear_right(U a) {
  for (unsigned step = 1; step < storage_bits<U>; step *= 2) a = static_cast<U>(a | a >> step);
  return a;
}

template <unsigned N, class T>
inline u32 population_count(T a) {
  return count_ones(fit<Unsigned<T>, N>(a));
}
/// Zeros above the highest one of N bits; N for 0.
template <unsigned N, class T>
inline u32 count_leading_zeros(T a) {
  return N - count_ones(smear_right(fit<Unsigned<T>, N>(a)));
}
/// Zeros below the lowest one of N bits; N for 0.
template <unsigned N, class T>
inline u32 count_trailing_zeros(T a) {
  using U = Unsigned<T>;
  const U bits = fit<U, N>(a);
  const u32 below = count_ones(static_cast<U>(~bits & (bits - 1)));
  return bits == 0 ? N : below;
}
template <unsigned N, class T>
inline T reverse(T a) {
  using U = Unsigned<T>;
  return fit<T, N>(static_cast<U>(reverse_bits(fit<U, N>(a)) >> (storage_bits<T> - N)));
}

/// High half of the product of two numbers of N bits (N up to 64).
template <unsigned N, class T>
inline T multiply_high(T a, T b) {
  using Wide = std::conditional_t<is_signed_storage<T>, std::conditional_t<N <= 32, i64, i128>,
                                  std::conditional_t<N <= 32, u64, u128>>;
  return static_cast<T>(static_cast<Wide>(a) * static_cast<Wide>(b) >> N);
}

/// One of two words without a branch, for places where compilers would make one out of `? :` and then not vectorise.
template <class U>
inline U blend(bool condition, U if_set, U if_clear) {
  return if_clear ^ ((if_set ^ if_clear) & (U{0} - static_cast<U>(condition)));
}

template <class C, class T>
inline T choose(C condition, T if_set, T if_clear) {
  return condition != 0 ? if_set : if_clear;
}
template <class C>
inline Half choose(C condition, Half if_set, Half if_clear) {
  return {condition != 0 ? if_set.bits : if_clear.bits};
}
template <class C>
inline Brain choose(C condition, Brain if_set, Brain if_clear) {
  return {condition != 0 ? if_set.bits : if_clear.bits};
}

/// `width` bits from `low` up, as an unsigned number in storage To.
template <class To, unsigned Width, class T>
inline To slice(T a, unsigned low) {
  return fit<To, Width>(static_cast<Unsigned<T>>(a) >> low);
}

// --------------------------------------------------------------------------- the same bits, as another type

inline u32 bits_of_value(f32 a) { return std::bit_cast<u32>(a); }
inline u64 bits_of_value(f64 a) { return std::bit_cast<u64>(a); }
inline u32 bits_of_value(Half a) { return a.bits; }
inline u32 bits_of_value(Brain a) { return a.bits; }
template <class T>
requires std::is_integral_v<T> ||(sizeof(T) == 16) inline Unsigned<T> bits_of_value(T a) {
  return static_cast<Unsigned<T>>(a);
}

template <class T>
inline T value_of_bits(Unsigned<T> bits) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Brain>) {
    return T{bits};
  } else {
    return std::bit_cast<T>(bits);
  }
}

}  // namespace gfxisa::exec::GFXISA_LEVEL
