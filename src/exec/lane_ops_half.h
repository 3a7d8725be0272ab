// f16 and bf16. A value is computed in a wider format whose one rounding cannot disturb the last one, then rounded by
// adding and subtracting a number so large that the host's adder drops exactly the bits that have no place: so MXCSR's
// rounding direction is obeyed without knowing it. Denormals are ours to flush, since in the wider format they are
// none.
#pragma once
#include "exec/lane_ops_float.h"

namespace gfxisa::exec::GFXISA_LEVEL {

template <class T>
inline constexpr bool is_narrow = std::is_same_v<T, Half> || std::is_same_v<T, Brain>;

/// What MODE says on 16-bit denormals, read once a kernel: its two bits for the format.
struct FloatMode {
  bool flush_inputs, flush_outputs;
};
inline FloatMode float_mode(u32 denormal_bits) { return {(denormal_bits & 1) == 0, (denormal_bits & 2) == 0}; }

// --------------------------------------------------------------------------------------- to wider formats

inline f32 widen_exactly(Half a) {
  const u32 sign = (a.bits & 0x8000u) << 16;
  const u32 magnitude = a.bits & 0x7fffu;
  const u32 rebased = (magnitude << 13) + (magnitude >= 0x7c00u ? 224u << 23 : 112u << 23);
  const u32 denormal = bits_of_value(static_cast<f32>(static_cast<i32>(magnitude)) * 0x1p-24f);
  return value_of_bits<f32>((magnitude < 0x400u ? denormal : rebased) | sign);
}
/// To f64 without passing through an f32 denormal, which MXCSR might flush.
inline f64 widen_exactly(Brain a) {
  const u64 sign = static_cast<u64>(a.bits & 0x8000u) << 48;
  const u64 magnitude = a.bits & 0x7fffu;
  const u64 rebased = (magnitude << 45) + (magnitude >= 0x7f80u ? u64{2 * 896} << 52 : u64{896} << 52);
  const u64 denormal = bits_of_value(static_cast<f64>(static_cast<i32>(magnitude)) * 0x1p-133);
  return value_of_bits<f64>((magnitude < 0x80u ? denormal : rebased) | sign);
}
template <class T>
inline T flushed_input(T a, FloatMode mode) {
  using F = FloatFormat<T>;
  const bool denormal = (a.bits & F::infinity) == 0;
  return {(denormal & mode.flush_inputs) ? a.bits & F::sign : a.bits & 0xffffu};
}
inline f32 widen(Half a, FloatMode mode) { return widen_exactly(flushed_input(a, mode)); }
inline f64 widen(Brain a, FloatMode mode) { return widen_exactly(flushed_input(a, mode)); }

// ------------------------------------------------------------------------------------- to the narrow formats

/// Rounds `a` to the precision of Narrow, and to its least exponent unless that is to be taken as unbounded; the value
/// may still be too large for it.
template <class Narrow, bool unbounded, class Wide>
inline Wide rounded_to(Wide a) {
  using N = FloatFormat<Narrow>;
  using W = FloatFormat<Wide>;
  using Bits = typename W::Bits;
  constexpr Bits least = static_cast<Bits>(W::bias + 1 - N::bias) << W::mantissa;
  constexpr Bits most = static_cast<Bits>(W::bias + N::bias + 1) << W::mantissa;
  Bits exponent = bits_of_value(a) & W::infinity;
  exponent = exponent < least && !unbounded ? least : exponent > most ? most : exponent;
  const Bits spacing = exponent + (static_cast<Bits>(W::mantissa - N::mantissa) << W::mantissa);
  const Bits middle = Bits{1} << (W::mantissa - 1);
  const Wide large = value_of_bits<Wide>(spacing | middle | (bits_of_value(a) & W::sign));
  return copy_sign((a + large) - large, a);
}

/// Bits of the narrow format for a value that is already rounded to it; beyond its range as the rounding direction
/// asks.
template <class Narrow, class Wide>
inline u32 narrow_bits(Wide rounded, Wide original) {
  using N = FloatFormat<Narrow>;
  using W = FloatFormat<Wide>;
  constexpr auto shift = W::mantissa - N::mantissa;
  const auto bits = bits_of_value(float_absolute(rounded));
  const u32 normal =
      static_cast<u32>((bits >> shift) - (static_cast<typename W::Bits>(W::bias - N::bias) << N::mantissa));
  const Wide denormal_unit =
      value_of_bits<Wide>(static_cast<typename W::Bits>(W::bias + N::bias + N::mantissa - 1) << W::mantissa);
  const bool tiny = (bits >> W::mantissa) < static_cast<u32>(W::bias + 1 - N::bias);
  const Wide small = tiny ? float_absolute(rounded) : Wide{0};  // others need not fit an integer
  const u32 denormal = static_cast<u32>(static_cast<i32>(small * denormal_unit));
  // The largest number doubled: infinity, or the largest number itself when the direction points back to zero.
  const Wide largest = copy_sign(value_of_bits<Wide>(W::infinity - 1), original);
  const bool to_infinity = is_infinite(largest + largest) | is_infinite(original);
  const u32 overflow = to_infinity ? static_cast<u32>(N::infinity) : static_cast<u32>(N::infinity - 1);
  const bool beyond = (bits >> W::mantissa) > static_cast<u32>(W::bias + N::bias);
  return beyond ? overflow : tiny ? denormal : normal;
}

template <class Narrow, class Wide>
inline Narrow narrow(Wide a, FloatMode mode) {
  using N = FloatFormat<Narrow>;
  using W = FloatFormat<Wide>;
  const auto bits = bits_of_value(a);
  const u32 sign = static_cast<u32>((bits & W::sign) >> (W::width - 16));
  const u32 number = narrow_bits<Narrow>(rounded_to<Narrow, false>(a), a);
  const Wide least_normal = value_of_bits<Wide>(static_cast<typename W::Bits>(W::bias + 1 - N::bias) << W::mantissa);
  const bool tiny = float_absolute(rounded_to<Narrow, true>(a)) < least_normal;
  const u32 kept = (tiny & mode.flush_outputs) ? 0u : number;
  const u32 payload = static_cast<u32>((bits & W::ones) >> (W::mantissa - N::mantissa)) | N::infinity | N::quiet;
  return {(nan(a) ? payload : kept) | sign};
}

// --------------------------------------------------------------------------------------------- arithmetic

#define GFXISA_NARROW_BINARY(name, expression)        \
  template <class T>                                  \
  requires is_narrow<T>                               \
  inline T name(T a, T b, FloatMode mode) {           \
    const auto x = widen(a, mode);                    \
    const auto y = widen(b, mode);                    \
    return settle(narrow<T>(expression, mode), a, b); \
  }
GFXISA_NARROW_BINARY(float_add, x + y)
GFXISA_NARROW_BINARY(float_subtract, x - y)
GFXISA_NARROW_BINARY(float_multiply, x* y)
GFXISA_NARROW_BINARY(float_divide, x / y)
#undef GFXISA_NARROW_BINARY

/// x + y in f64 rounded to odd: when inexact, the neighbour whose last bit is set. A later rounding to 50 bits or fewer
/// is then that of the exact sum, in every direction.
inline f64 sum_to_odd(f64 x, f64 y) {
  const bool ordered = float_absolute(x) >= float_absolute(y);
  const f64 large = ordered ? x : y;
  const f64 small = ordered ? y : x;
  const f64 sum = large + small;
  const f64 rest = small - (sum - large);
  const u64 bits = bits_of_value(sum);
  const u64 toward_zero = (bits_of_value(rest) ^ bits) >> 63;
  const u64 odd_step = (u64{1} - 2 * toward_zero) & (u64{0} - (~bits & 1));
  const u64 inexact_step = blend(rest != 0, odd_step, u64{0});
  return value_of_bits<f64>(bits + blend(is_finite(sum), inexact_step, u64{0}));
}

template <class T>
requires is_narrow<T>
inline T float_multiply_add(T a, T b, T c, FloatMode mode) {
  const f64 product = static_cast<f64>(widen(a, mode)) * static_cast<f64>(widen(b, mode));
  const f64 sum = sum_to_odd(product, static_cast<f64>(widen(c, mode)));
  return settle(narrow<T>(sum, mode), a, b, c);
}
template <class T>
requires is_narrow<T>
inline T float_square_root(T a, FloatMode mode) { return settle(narrow<T>(root(widen(a, mode)), mode), a); }
template <class T>
requires is_narrow<T>
inline T float_flush(T a, FloatMode mode) { return flushed_input(a, mode); }

// Operations whose result is one of the narrow values, or is exact: widened, done, and narrowed back without loss.

#define GFXISA_NARROW_UNARY_EXACT(name) \
  template <class T>                    \
  requires is_narrow<T>                 \
  inline T name(T a, FloatMode mode) { return settle(narrow<T>(name(widen(a, mode)), mode), a); }
GFXISA_NARROW_UNARY_EXACT(float_truncate)
GFXISA_NARROW_UNARY_EXACT(float_floor)
GFXISA_NARROW_UNARY_EXACT(float_ceil)
GFXISA_NARROW_UNARY_EXACT(float_round_even)
GFXISA_NARROW_UNARY_EXACT(float_mantissa)
#undef GFXISA_NARROW_UNARY_EXACT

/// a - floor(a), below 1 always. The difference is exact in the wider format but may need rounding in the narrow one.
template <class T>
requires is_narrow<T>
inline T float_fraction(T a, FloatMode mode) {
  using F = FloatFormat<T>;
  constexpr u32 below_one = (static_cast<u32>(F::bias) << F::mantissa) - 1;
  const auto x = widen(a, mode);
  const T rest = settle(narrow<T>(x - float_floor(x), mode), a);
  const bool one = rest.bits == static_cast<u32>(F::bias) << F::mantissa;
  return {one ? below_one : (rest.bits & 0x7fffu) == 0 ? 0u : rest.bits};
}
template <class T>
requires is_narrow<T>
inline i32 float_exponent(T a, FloatMode mode) { return float_exponent(static_cast<f64>(widen(a, mode))); }
template <class T>
requires is_narrow<T>
inline T float_scale(T a, i32 n, FloatMode mode) {
  const i32 limited = n < -400 ? -400 : n > 400 ? 400 : n;
  return settle(narrow<T>(static_cast<f64>(widen(a, mode)) * power_of_two(limited), mode), a);
}

template <unsigned relations, class T>
requires is_narrow<T>
inline u32 compare(T a, T b, FloatMode mode) { return compare<relations>(widen(a, mode), widen(b, mode)); }
template <class T>
requires is_narrow<T>
inline T float_clamp(T a, bool nan_to_zero, FloatMode mode) {
  return narrow<T>(float_clamp(widen(a, mode), nan_to_zero), FloatMode{mode.flush_inputs, false});
}

/// Bits as a number that orders like the value, -0 below +0.
template <class T>
inline i32 order_of(T a) {
  return (a.bits & 0x8000u) != 0 ? ~static_cast<i32>(a.bits & 0x7fffu) : static_cast<i32>(a.bits);
}
template <class T>
inline T narrow_lesser(T a, T b) {
  return {order_of(b) < order_of(a) ? b.bits : a.bits};
}
template <class T>
inline T narrow_greater(T a, T b) {
  return {order_of(b) > order_of(a) ? b.bits : a.bits};
}
template <class T>
inline T pick(bool condition, T if_set, T if_clear) {
  return {blend(condition, if_set.bits, if_clear.bits)};
}
template <class T>
requires is_narrow<T>
inline T narrow_number_of(T chosen, T a, T b) {
  return pick(nan(a), pick(nan(b), quieted(a), b), pick(nan(b), a, chosen));
}

#define GFXISA_NARROW_EXTREME(name, chooser, rule) \
  template <class T>                               \
  requires is_narrow<T>                            \
  inline T name(T a, T b, FloatMode mode) {        \
    const T x = flushed_input(a, mode);            \
    const T y = flushed_input(b, mode);            \
    return rule(chooser(x, y), x, y);              \
  }
GFXISA_NARROW_EXTREME(float_minimum_number, narrow_lesser, narrow_number_of)
GFXISA_NARROW_EXTREME(float_maximum_number, narrow_greater, narrow_number_of)
GFXISA_NARROW_EXTREME(float_minimum, narrow_lesser, nan_of)
GFXISA_NARROW_EXTREME(float_maximum, narrow_greater, nan_of)
#undef GFXISA_NARROW_EXTREME

template <class T>
requires is_narrow<T>
inline T float_median(T a, T b, T c, FloatMode mode) {
  const T smaller = float_minimum_number(a, b, mode);
  const T larger = float_maximum_number(a, b, mode);
  const T middle = float_maximum_number(smaller, float_minimum_number(larger, c, mode), mode);
  const T smallest = float_minimum_number(smaller, c, mode);
  const bool any[] = {nan(a), nan(b), nan(c)};
  return pick(any[0] | any[1] | any[2], smallest, middle);
}

}  // namespace gfxisa::exec::GFXISA_LEVEL
