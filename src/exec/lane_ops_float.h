// f32 and f64 operations. Rounding and the flushing of denormals come from MXCSR, which the engine sets from MODE, so
// the host's own arithmetic is the guest's. What differs is NaN: a result that is NaN is the first NaN operand made
// quiet, or the positive default NaN when no operand is one. Selects instead of branches keep the loops vectorisable.
#pragma once
#include "exec/lane_ops.h"

namespace gfxisa::exec::GFXISA_LEVEL {

/// Where the parts of a float type lie.
template <class T>
struct FloatFormat;
template <>
struct FloatFormat<f32> {
  using Bits = u32;
  using SignedBits = i32;
  static constexpr unsigned mantissa = 23, width = 32;
  static constexpr i32 bias = 127;
  static constexpr u32 sign = 0x80000000u, infinity = 0x7f800000u, quiet = 0x00400000u, ones = 0x007fffffu;
};
template <>
struct FloatFormat<f64> {
  using Bits = u64;
  using SignedBits = i64;
  static constexpr unsigned mantissa = 52, width = 64;
  static constexpr i32 bias = 1023;
  static constexpr u64 sign = u64{1} << 63, infinity = u64{0x7ff} << 52, quiet = u64{1} << 51,
                       ones = (u64{1} << 52) - 1;
};
template <>
struct FloatFormat<Half> {
  using Bits = u32;
  static constexpr unsigned mantissa = 10, width = 16;
  static constexpr i32 bias = 15;
  static constexpr u32 sign = 0x8000, infinity = 0x7c00, quiet = 0x200, ones = 0x3ff;
};
template <>
struct FloatFormat<Brain> {
  using Bits = u32;
  static constexpr unsigned mantissa = 7, width = 16;
  static constexpr i32 bias = 127;
  static constexpr u32 sign = 0x8000, infinity = 0x7f80, quiet = 0x40, ones = 0x7f;
};

template <class T>
inline T default_nan() {
  return value_of_bits<T>(FloatFormat<T>::infinity | FloatFormat<T>::quiet);
}
template <class T>
inline T infinity() {
  return value_of_bits<T>(FloatFormat<T>::infinity);
}

// Questions about a value look at its bits: no flag is raised, no denormal flushed.

template <class T>
inline bool nan(T a) {
  using F = FloatFormat<T>;
  return (bits_of_value(a) & ~F::sign) > F::infinity;
}
// One instruction for a vector, where the bits take three.
inline bool nan(f32 a) { return a != a; }
inline bool nan(f64 a) { return a != a; }
template <class T>
inline bool signalling(T a) {
  return nan(a) & ((bits_of_value(a) & FloatFormat<T>::quiet) == 0);
}
template <class T>
inline u32 is_nan(T a) {
  return nan(a);
}
template <class T>
inline u32 is_infinite(T a) {
  using F = FloatFormat<T>;
  return (bits_of_value(a) & ~F::sign) == F::infinity;
}
template <class T>
inline bool is_finite(T a) {
  using F = FloatFormat<T>;
  return (bits_of_value(a) & F::infinity) != F::infinity;
}
template <class T>
inline T float_negate(T a) {
  return value_of_bits<T>(bits_of_value(a) ^ FloatFormat<T>::sign);
}
template <class T>
inline T float_absolute(T a) {
  return value_of_bits<T>(bits_of_value(a) & ~FloatFormat<T>::sign);
}
template <class T>
inline T copy_sign(T magnitude, T sign) {
  using F = FloatFormat<T>;
  return value_of_bits<T>((bits_of_value(magnitude) & ~F::sign) | (bits_of_value(sign) & F::sign));
}
/// A signalling NaN made quiet; every other value unchanged.
template <class T>
inline T quieted(T a) {
  return value_of_bits<T>(nan(a) ? bits_of_value(a) | FloatFormat<T>::quiet : bits_of_value(a));
}

/// The class bits of the class test: signalling NaN, quiet NaN, -infinity, -normal, -denormal, -0, +0, +denormal,
/// +normal, +infinity. Gives 1 when the value's class is among those set in `mask`.
template <class T, class Mask>
inline u32 float_class(T a, Mask mask) {
  using F = FloatFormat<T>;
  const auto bits = bits_of_value(a);
  const auto magnitude = bits & ~F::sign;
  const bool negative = (bits & F::sign) != 0;
  const u32 kind = static_cast<u32>(magnitude == 0) + 2u * static_cast<u32>((magnitude != 0) & (magnitude <= F::ones)) +
                   4u * static_cast<u32>((magnitude > F::ones) & (magnitude < F::infinity)) +
                   8u * static_cast<u32>(magnitude == F::infinity);
  const bool quiet = (bits & F::quiet) != 0;
  const u32 mirrored = (kind & 1u) << 3 | (kind & 2u) << 1 | (kind & 4u) >> 1 | (kind & 8u) >> 3;
  const u32 of_nan = blend(quiet, 2u, 1u) & (0u - static_cast<u32>(nan(a)));
  const u32 of_number = blend(negative, mirrored << 2, kind << 6);
  return ((of_nan | of_number) & static_cast<u32>(mask) & 0x3ffu) != 0;
}

// ------------------------------------------------------------------------------------------- arithmetic

/// `result`, unless it is NaN: then the NaN that the rule above names.
template <class T>
inline T settle(T result, T a) {
  using F = FloatFormat<T>;
  const auto chosen = (nan(a) ? bits_of_value(a) : F::infinity) | F::quiet;
  return value_of_bits<T>(nan(result) ? chosen : bits_of_value(result));
}
template <class T>
inline T settle(T result, T a, T b) {
  using F = FloatFormat<T>;
  const auto chosen = (nan(a) ? bits_of_value(a) : nan(b) ? bits_of_value(b) : F::infinity) | F::quiet;
  return value_of_bits<T>(nan(result) ? chosen : bits_of_value(result));
}
template <class T>
inline T settle(T result, T a, T b, T c) {
  using F = FloatFormat<T>;
  const auto last = blend(nan(c), bits_of_value(c), F::infinity);
  const auto chosen = blend(nan(a), bits_of_value(a), blend(nan(b), bits_of_value(b), last)) | F::quiet;
  return value_of_bits<T>(blend(nan(result), chosen, bits_of_value(result)));
}

template <class T>
inline T float_add(T a, T b) {
  return settle(a + b, a, b);
}
template <class T>
inline T float_subtract(T a, T b) {
  return settle(a - b, a, b);
}
template <class T>
inline T float_multiply(T a, T b) {
  return settle(a * b, a, b);
}
template <class T>
inline T float_divide(T a, T b) {
  return settle(a / b, a, b);
}
inline f32 fused(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
inline f64 fused(f64 a, f64 b, f64 c) { return __builtin_fma(a, b, c); }
template <class T>
inline T float_multiply_add(T a, T b, T c) {
  return settle(fused(a, b, c), a, b, c);
}
inline f32 root(f32 a) { return __builtin_sqrtf(a); }
inline f64 root(f64 a) { return __builtin_sqrt(a); }
template <class T>
inline T float_square_root(T a) {
  return settle(root(a), a);
}

/// A denormal becomes a zero of its sign when MODE flushes inputs; a NaN stays as it is. (A product with 1 would do for
/// numbers; a comparison with 0 under MXCSR's rule does too and leaves all else alone.)
template <class T>
inline T float_flush(T a) {
  return value_of_bits<T>(a == T{0} ? bits_of_value(a) & FloatFormat<T>::sign : bits_of_value(a));
}

// -------------------------------------------------------------------------------------------- comparisons

/// Whether one of a set of relations holds: 1 less, 2 equal, 4 greater, 8 unordered.
template <unsigned relations, class T>
inline u32 compare(T a, T b) {
  if constexpr ((relations & 8) != 0) {
    return compare<15 - relations>(a, b) ^ 1u;
  } else if constexpr (relations == 0) {
    return 0;
  } else if constexpr (relations == 1) {
    return a < b;
  } else if constexpr (relations == 2) {
    return a == b;
  } else if constexpr (relations == 3) {
    return a <= b;
  } else if constexpr (relations == 4) {
    return a > b;
  } else if constexpr (relations == 5) {
    return static_cast<u32>(a < b) | static_cast<u32>(a > b);
  } else if constexpr (relations == 6) {
    return a >= b;
  } else {
    return !(nan(a) | nan(b));
  }
}

// ------------------------------------------------------------------------------------- minimum and maximum

/// True where a is to be taken before b in the order of numbers with -0 below +0. Not for NaN.
template <class T>
inline bool precedes(T a, T b) {
  const bool both_zero = (a == T{0}) & (b == T{0});
  const bool negative = (bits_of_value(a) & FloatFormat<T>::sign) != 0;
  return (both_zero & negative) | (a < b);
}
/// A lone NaN loses against a number; of two the first stays, quiet.
template <class T>
inline T number_of(T chosen, T a, T b) {
  const auto x = bits_of_value(a), y = bits_of_value(b);
  const auto first = blend(nan(b), x | FloatFormat<T>::quiet, y);
  return value_of_bits<T>(blend(nan(a), first, blend(nan(b), x, bits_of_value(chosen))));
}
/// A NaN wins against a number; of two the first.
template <class T>
inline T nan_of(T chosen, T a, T b) {
  constexpr auto quiet = FloatFormat<T>::quiet;
  const auto without_a = blend(nan(b), bits_of_value(b) | quiet, bits_of_value(chosen));
  return value_of_bits<T>(blend(nan(a), bits_of_value(a) | quiet, without_a));
}
template <class T>
inline T lesser(T a, T b) {
  return value_of_bits<T>(blend(precedes(b, a), bits_of_value(b), bits_of_value(a)));
}
template <class T>
inline T greater(T a, T b) {
  return value_of_bits<T>(blend(precedes(a, b), bits_of_value(b), bits_of_value(a)));
}
/// The smaller; a number wins over a NaN.
template <class T>
inline T float_minimum_number(T a, T b) {
  const T x = float_flush(a), y = float_flush(b);
  return number_of(lesser(x, y), x, y);
}
template <class T>
inline T float_maximum_number(T a, T b) {
  const T x = float_flush(a), y = float_flush(b);
  return number_of(greater(x, y), x, y);
}
/// The smaller; NaN when an argument is NaN.
template <class T>
inline T float_minimum(T a, T b) {
  const T x = float_flush(a), y = float_flush(b);
  return nan_of(lesser(x, y), x, y);
}
template <class T>
inline T float_maximum(T a, T b) {
  const T x = float_flush(a), y = float_flush(b);
  return nan_of(greater(x, y), x, y);
}
/// The middle one of three; with a NaN among them the smallest of the numbers.
template <class T>
inline T float_median(T a, T b, T c) {
  const T smaller = float_minimum_number(a, b);
  const T larger = float_maximum_number(a, b);
  const T middle = float_maximum_number(smaller, float_minimum_number(larger, c));
  const T smallest = float_minimum_number(smaller, c);
  const auto x = bits_of_value(smallest);
  return value_of_bits<T>(blend(nan(a), x, blend(nan(b), x, blend(nan(c), x, bits_of_value(middle)))));
}
/// Between 0 and 1; -0 gives +0, and so does NaN when MODE says so (DX10_CLAMP).
template <class T>
inline T float_clamp(T a, bool nan_to_zero) {
  const T low = a > T{0} ? a : T{0};
  const T clamped = low < T{1} ? low : T{1};
  return (nan(a) & !nan_to_zero) ? quieted(a) : clamped;
}

// ------------------------------------------------------------------------- rounding to whole numbers, exponents

/// Toward zero, by clearing the mantissa's bits behind the point; NaN becomes quiet.
template <class T>
inline T whole_part(T a) {
  using F = FloatFormat<T>;
  using Bits = typename F::Bits;
  const auto bits = bits_of_value(a);
  const i32 exponent = static_cast<i32>((bits & F::infinity) >> F::mantissa) - F::bias;
  const u32 kept = exponent < 0                               ? 0u
                   : exponent > static_cast<i32>(F::mantissa) ? F::mantissa
                                                              : static_cast<u32>(exponent);
  const Bits cut = bits & ~(static_cast<Bits>(F::ones) >> kept);
  return value_of_bits<T>(exponent < 0 ? bits & F::sign : cut);
}
template <class T>
inline T float_truncate(T a) {
  return nan(a) ? quieted(a) : whole_part(a);
}
template <class T>
inline T float_floor(T a) {
  const T whole = whole_part(a);
  const T below = whole - T{1};
  return nan(a) ? quieted(a) : a < whole ? below : whole;
}
template <class T>
inline T float_ceil(T a) {
  const T whole = whole_part(a);
  const T above = whole + T{1};
  return nan(a) ? quieted(a) : a > whole ? copy_sign(above, a) : whole;
}
/// To the nearest, a half to the even one, whatever MODE says.
template <class T>
inline T float_round_even(T a) {
  const T whole = whole_part(a);
  const T rest = float_absolute(a - whole);
  const bool odd = whole_part(whole * T{0.5}) * T{2} != whole;
  const bool up = (rest > T{0.5}) | ((rest == T{0.5}) & odd);
  const T away = whole + copy_sign(T{1}, a);
  return nan(a) ? quieted(a) : is_infinite(a) ? a : copy_sign(up ? away : whole, a);
}
/// What is left above the floor; below 1 even where rounding would give 1.
template <class T>
inline T float_fraction(T a) {
  using F = FloatFormat<T>;
  const T below_one = value_of_bits<T>((static_cast<typename F::Bits>(F::bias) << F::mantissa) - 1);
  const T rest = float_subtract(a, float_floor(a));
  return rest > below_one ? below_one : rest == T{0} ? T{0} : rest;
}

/// a as a normal f64: the exponent of an f32 denormal becomes an ordinary one (and flushes under DAZ, as MODE wants).
inline f64 normalised(f32 a) { return static_cast<f64>(a); }

/// Exponent e of a = m * 2^e with 0.5 <= |m| < 1; 0 for zero, infinity and NaN.
inline i32 float_exponent(f32 a) {
  const u64 bits = bits_of_value(normalised(a)) << 1 >> 53;
  return (bits == 0 || bits == 0x7ff) ? 0 : static_cast<i32>(bits) - 1022;
}
inline i32 float_exponent(f64 a) {
  const bool tiny = (bits_of_value(a) & FloatFormat<f64>::infinity) == 0;
  const f64 raised = tiny ? a * 0x1p54 : a;
  const u64 exponent = bits_of_value(raised) << 1 >> 53;
  const bool none = (exponent == 0) | (exponent == 0x7ff);
  return none ? 0 : static_cast<i32>(exponent) - 1022 - (tiny ? 54 : 0);
}
/// The m of the same; zero, infinity and NaN (made quiet) as they are.
inline f64 float_mantissa(f64 a) {
  using F = FloatFormat<f64>;
  const bool tiny = (bits_of_value(a) & F::infinity) == 0;
  const u64 bits = bits_of_value(tiny ? a * 0x1p54 : a);
  const u64 exponent = bits & F::infinity;
  const u64 half = (bits & ~F::infinity) | u64{1022} << 52;
  return nan(a) ? quieted(a) : value_of_bits<f64>((exponent == 0 || exponent == F::infinity) ? bits : half);
}
inline f32 float_mantissa(f32 a) {
  using F = FloatFormat<f64>;
  // Flushed in f32: compilers take a way to f64 and back for nothing at all.
  const u64 bits = bits_of_value(normalised(float_flush(a)));
  const u64 exponent = bits & F::infinity;
  const u64 half = (bits & ~F::infinity) | u64{1022} << 52;
  const f32 number = static_cast<f32>(value_of_bits<f64>((exponent == 0 || exponent == F::infinity) ? bits : half));
  return nan(a) ? quieted(a) : number;
}

/// 2^n for -1022 <= n <= 1023.
inline f64 power_of_two(i32 n) { return value_of_bits<f64>(static_cast<u64>(static_cast<u32>(n + 1023)) << 52); }

/// a * 2^n, rounded once.
inline f32 float_scale(f32 a, i32 n) {
  const i32 limited = n < -400 ? -400 : n > 400 ? 400 : n;
  const f32 result = static_cast<f32>(static_cast<f64>(a) * power_of_two(limited));
  return settle(result, a);
}
/// The mantissa is moved by an exact product to where the last one rounds, so that neither meets a denormal argument.
inline f64 float_scale(f64 a, i32 n) {
  const i32 limited = n < -4000 ? -4000 : n > 4000 ? 4000 : n;
  const i32 sum = float_exponent(a) + limited;
  const i32 exponent = sum < -1300 ? -1300 : sum > 1300 ? 1300 : sum;
  const i32 last = exponent < 0 ? -900 : 900;
  return settle(float_mantissa(a) * power_of_two(exponent - last) * power_of_two(last), a);
}

}  // namespace gfxisa::exec::GFXISA_LEVEL
