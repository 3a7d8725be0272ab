// Conversions of value between numbers: one rounding, by MXCSR's direction, at every SIMD level the same. Conversions
// that x86 lacks at some level (unsigned, 64-bit) are sums of exact parts rather than what the compiler would choose.
#pragma once
#include "exec/lane_ops_half.h"

namespace gfxisa::exec::GFXISA_LEVEL {

// -------------------------------------------------------------------------------------- from float to integer
// Toward zero; what does not fit becomes the nearest number that does; NaN gives 0.

template <class Float>
inline i32 to_i32(Float a) {
  const Float limit = static_cast<Float>(0x1p31);
  const bool fits = (a < limit) & (a >= -limit);
  const i32 inside = static_cast<i32>(fits ? a : Float{0});
  const i32 outside = a >= limit ? 0x7fffffff : a < -limit ? -0x7fffffff - 1 : 0;
  return fits ? inside : outside;
}
template <class Float>
inline u32 to_u32(Float a) {
  const Float half = static_cast<Float>(0x1p31);
  const bool upper = a >= half;
  const u32 lifted = static_cast<u32>(to_i32(upper ? a - half : a));
  return a >= half * 2 ? 0xffffffffu : upper ? lifted + 0x80000000u : a > 0 ? lifted : 0u;
}
template <class Float>
inline i64 to_i64(Float a) {
  const Float limit = static_cast<Float>(0x1p63);
  if (a >= limit) return ~(i64{1} << 63);
  if (a < -limit) return i64{1} << 63;
  return nan(a) ? 0 : static_cast<i64>(a);
}
template <class Float>
inline u64 to_u64(Float a) {
  const Float half = static_cast<Float>(0x1p63);
  if (a >= half * 2) return ~u64{0};
  if (a >= half) return static_cast<u64>(static_cast<i64>(a - half)) + (u64{1} << 63);
  return a > 0 ? static_cast<u64>(static_cast<i64>(a)) : 0;
}

/// To an N-bit integer in storage To.
template <class To, unsigned N, class Float>
inline To to_integer(Float a) {
  if constexpr (N > 32 && is_signed_storage<To>) {
    return static_cast<To>(to_i64(a));
  } else if constexpr (N > 32) {
    return static_cast<To>(to_u64(a));
  } else if constexpr (is_signed_storage<To>) {
    constexpr i32 most = static_cast<i32>((u32{1} << (N - 1)) - 1);
    return static_cast<To>(maximum(minimum(to_i32(a), most), -most - 1));
  } else {
    return static_cast<To>(minimum(to_u32(a), static_cast<u32>(low_ones(N))));
  }
}
template <class To, unsigned N, class Float>
requires is_narrow<Float>
inline To to_integer(Float a, FloatMode mode) { return to_integer<To, N>(widen(a, mode)); }

// -------------------------------------------------------------------------------------- from integer to float

/// A 64-bit integer as two f64 that hold it exactly.
struct ExactParts {
  f64 high, low;
};
inline f64 exactly(u32 a) { return static_cast<f64>(static_cast<i32>(a ^ 0x80000000u)) + 0x1p31; }
inline f64 exactly(i32 a) { return static_cast<f64>(a); }
inline ExactParts parts_of(u64 a) {
  return {exactly(static_cast<u32>(a >> 32)) * 0x1p32, exactly(static_cast<u32>(a))};
}
inline ExactParts parts_of(i64 a) {
  return {exactly(static_cast<i32>(a >> 32)) * 0x1p32, exactly(static_cast<u32>(a))};
}

/// An integer as f64 with one rounding; only 64-bit ones need any.
template <class T>
inline f64 integer_to_f64(T a) {
  if constexpr (sizeof(T) == 4) {
    return a == 0 ? 0.0 : exactly(a);
  } else {
    const ExactParts parts = parts_of(a);
    return a == 0 ? 0.0 : parts.high + parts.low;
  }
}
/// An integer as f64, rounded to odd, for a second rounding to fewer bits.
template <class T>
inline f64 integer_to_odd(T a) {
  if constexpr (sizeof(T) == 4) {
    return integer_to_f64(a);
  } else {
    const ExactParts parts = parts_of(a);
    return a == 0 ? 0.0 : sum_to_odd(parts.high, parts.low);
  }
}
template <class T>
inline f32 integer_to_f32(T a) {
  if constexpr (std::is_same_v<T, i32>) {
    return static_cast<f32>(a);
  } else {
    return static_cast<f32>(integer_to_odd(a));
  }
}
template <class Narrow, class T>
inline Narrow integer_to_narrow(T a, FloatMode mode) {
  return narrow<Narrow>(integer_to_odd(a), mode);
}

// ------------------------------------------------------------------------------------------ from float to float

inline f64 float_to_f64(f32 a) { return quieted(static_cast<f64>(a)); }
inline f64 float_to_f64(f64 a) { return a; }
inline f64 float_to_f64(Half a, FloatMode mode) { return quieted(static_cast<f64>(widen(a, mode))); }
inline f64 float_to_f64(Brain a, FloatMode mode) { return quieted(widen(a, mode)); }
inline f32 float_to_f32(f32 a) { return a; }
inline f32 float_to_f32(f64 a) { return static_cast<f32>(a); }
inline f32 float_to_f32(Half a, FloatMode mode) { return quieted(widen(a, mode)); }
inline f32 float_to_f32(Brain a, FloatMode mode) { return static_cast<f32>(quieted(widen(a, mode))); }
template <class Narrow>
inline Narrow float_to_narrow(f64 a, FloatMode mode) {
  return narrow<Narrow>(a, mode);
}
template <class Narrow>
inline Narrow float_to_narrow(f32 a, FloatMode mode) {
  if constexpr (std::is_same_v<Narrow, Half>) {
    return narrow<Half>(a, mode);
  } else {
    return narrow<Brain>(static_cast<f64>(a), mode);
  }
}
template <class Narrow, class From>
requires is_narrow<From>
inline Narrow float_to_narrow(From a, FloatMode mode) { return narrow<Narrow>(static_cast<f64>(widen(a, mode)), mode); }

}  // namespace gfxisa::exec::GFXISA_LEVEL
