// Reciprocal, roots, powers, logarithms, sine and cosine. The hardware's are approximations within an ulp or so that no
// manual gives bit by bit; these are within an ulp of the exact value, and the same at every SIMD level because they
// use nothing but + - * / and square roots of f64.
#pragma once
#include "exec/lane_ops_convert.h"

namespace gfxisa::exec::GFXISA_LEVEL {

template <class T>
inline T float_reciprocal(T a) {
  return settle(T{1} / a, a);
}
inline f64 float_reciprocal_root(f64 a) { return settle(1.0 / root(a), a); }
inline f32 float_reciprocal_root(f32 a) { return settle(static_cast<f32>(1.0 / root(static_cast<f64>(a))), a); }

/// The whole number next to a, when |a| < 2^50; in directed rounding one of the two around it.
inline f64 near_whole(f64 a) { return a + 0x1.8p52 - 0x1.8p52; }

/// 2^f for |f| <= 1: the series of exp(f ln 2).
inline f64 power_series(f64 f) {
  f64 sum = 2.5678435993488206e-11;
  sum = sum * f + 4.4455382718708116e-10;
  sum = sum * f + 7.054911620801123e-09;
  sum = sum * f + 1.01780860092397e-07;
  sum = sum * f + 1.321548679014431e-06;
  sum = sum * f + 1.5252733804059841e-05;
  sum = sum * f + 0.0001540353039338161;
  sum = sum * f + 0.0013333558146428443;
  sum = sum * f + 0.009618129107628477;
  sum = sum * f + 0.05550410866482158;
  sum = sum * f + 0.24022650695910072;
  sum = sum * f + 0.6931471805599453;
  return sum * f + 1.0;
}
inline f32 float_power_of_two(f32 a) {
  const f64 x = static_cast<f64>(a);
  const f64 limited = x < -300.0 ? -300.0 : x > 300.0 ? 300.0 : x;
  const f64 number = nan(a) ? 0.0 : limited;
  const f64 whole = near_whole(number);
  const f64 power = power_series(number - whole) * power_of_two(static_cast<i32>(whole));
  const f32 result = static_cast<f32>(power);
  return nan(a) ? quieted(a) : is_infinite(a) ? (a > 0 ? a : 0.0f) : result;
}

/// log2 of m in [sqrt(1/2), sqrt(2)): the series of the inverse hyperbolic tangent of (m - 1) / (m + 1).
inline f64 logarithm_series(f64 m) {
  const f64 s = (m - 1.0) / (m + 1.0);
  const f64 z = s * s;
  f64 sum = 0.16972882833987804;
  sum = sum * z + 0.19235933878519512;
  sum = sum * z + 0.22195308321368667;
  sum = sum * z + 0.2623081892525388;
  sum = sum * z + 0.3205988979753252;
  sum = sum * z + 0.4121985831111324;
  sum = sum * z + 0.5770780163555853;
  sum = sum * z + 0.9617966939259756;
  sum = sum * z + 2.8853900817779268;
  return sum * s;
}
inline f32 float_logarithm(f32 a) {
  const u64 bits = bits_of_value(static_cast<f64>(a));
  const u64 mantissa = bits & FloatFormat<f64>::ones;
  const bool upper = mantissa >= 0x6a09e667f3bcdu;  // the square root of 2
  const i32 exponent = static_cast<i32>(bits >> 52 & 0x7ff) - 1023 + (upper ? 1 : 0);
  const f64 m = value_of_bits<f64>(mantissa | (upper ? u64{1022} : u64{1023}) << 52);
  const f32 result = static_cast<f32>(static_cast<f64>(exponent) + logarithm_series(m));
  const f32 number = a == 0.0f        ? -infinity<f32>()
                     : a < 0.0f       ? default_nan<f32>()
                     : is_infinite(a) ? a
                     : result == 0.0f ? 0.0f
                                      : result;
  return nan(a) ? quieted(a) : number;
}

/// sin(2 pi r) for |r| <= 1/4.
inline f64 sine_series(f64 r) {
  const f64 z = r * r;
  f64 sum = -8.823533599243006e-05;
  sum = sum * z + 0.0011309237482517963;
  sum = sum * z - 0.012031585942120627;
  sum = sum * z + 0.10422916220813984;
  sum = sum * z - 0.7181223017785006;
  sum = sum * z + 3.819952584848282;
  sum = sum * z - 15.09464257682299;
  sum = sum * z + 42.058693944897655;
  sum = sum * z - 76.70585975306139;
  sum = sum * z + 81.60524927607506;
  sum = sum * z - 41.34170224039976;
  sum = sum * z + 6.283185307179586;
  return sum * r;
}
/// The part of a turn in [-1/2, 1/2]; numbers from 2^31 up are whole turns.
inline f64 part_of_turn(f64 turns) {
  const f64 small = float_absolute(turns) < 0x1p31 ? turns : 0.0;
  const f64 rest = small - near_whole(small);
  return rest > 0.5 ? rest - 1.0 : rest < -0.5 ? rest + 1.0 : rest;
}
inline f64 sine_of_turns(f64 turns) {
  const f64 part = part_of_turn(turns);
  const f64 folded = part > 0.25 ? 0.5 - part : part < -0.25 ? -0.5 - part : part;
  return sine_series(folded);
}
/// The angle is in turns: 1 is 2 pi.
inline f32 float_sine(f32 a) {
  const f32 result = static_cast<f32>(sine_of_turns(static_cast<f64>(a)));
  return is_infinite(a) ? default_nan<f32>() : nan(a) ? quieted(a) : result;
}
inline f32 float_cosine(f32 a) {
  const f32 result = static_cast<f32>(sine_of_turns(part_of_turn(static_cast<f64>(a)) + 0.25));
  return is_infinite(a) ? default_nan<f32>() : nan(a) ? quieted(a) : result;
}

#define GFXISA_NARROW_MATH(name) \
  template <class T>             \
  requires is_narrow<T>          \
  inline T name(T a, FloatMode mode) { return settle(float_to_narrow<T>(name(float_to_f32(a, mode)), mode), a); }
GFXISA_NARROW_MATH(float_power_of_two)
GFXISA_NARROW_MATH(float_logarithm)
GFXISA_NARROW_MATH(float_sine)
GFXISA_NARROW_MATH(float_cosine)
#undef GFXISA_NARROW_MATH
template <class T>
requires is_narrow<T>
inline T float_reciprocal(T a, FloatMode mode) {
  return settle(narrow<T>(1.0 / static_cast<f64>(widen(a, mode)), mode), a);
}
template <class T>
requires is_narrow<T>
inline T float_reciprocal_root(T a, FloatMode mode) {
  return settle(narrow<T>(1.0 / root(static_cast<f64>(widen(a, mode))), mode), a);
}

}  // namespace gfxisa::exec::GFXISA_LEVEL
