// Arithmetic of soft_float: exact intermediate results, then one rounding.
#include <algorithm>
#include <cmath>

#include "core/soft_float_parts.h"

namespace gfxisa::core {

using namespace soft;

namespace {

u64 product_special(u64 a, u64 b, FloatFormat f) {
  const bool negative = is_negative(a, f) != is_negative(b, f);
  return signed_zero(negative, f) | infinity(f);
}

/// Places x so that its highest bit is at `top`.
void raise(Exact& x, int top) {
  const int shift = top - highest_bit(x.magnitude);
  x.magnitude <<= shift;
  x.exponent -= shift;
}

/// Exact but for a trace in bit 0. Each magnitude has at most 106 bits.
Exact sum(Exact a, Exact b) {
  if (a.magnitude == 0) return b;
  if (b.magnitude == 0) return a;
  raise(a, 125);
  raise(b, 125);
  if (a.exponent < b.exponent) std::swap(a, b);
  // Both have 19 zeros at the low end or more; what leaves there is far below the last place of any format, unless the
  // distance is so small that nothing leaves but zeros.
  b.magnitude = shift_jam(b.magnitude, a.exponent - b.exponent);
  if (a.negative == b.negative) return {a.negative, a.magnitude + b.magnitude, a.exponent};
  if (a.magnitude >= b.magnitude) return {a.negative, a.magnitude - b.magnitude, a.exponent};
  return {b.negative, b.magnitude - a.magnitude, a.exponent};
}

/// An exact zero is positive, but negative when rounding down, or when both terms are negative zeros.
u64 packed_sum(const Exact& a, const Exact& b, FloatFormat f, FloatControl control) {
  const Exact total = sum(a, b);
  if (total.magnitude != 0) return pack(total, f, control);
  const bool both_zero = a.magnitude == 0 && b.magnitude == 0;
  const bool negative = both_zero && a.negative == b.negative ? a.negative : control.rounding == Rounding::down;
  return signed_zero(negative, f);
}

u128 integer_root(u128 value) {
  u128 root = 0;
  for (int bit = 63; bit >= 0; --bit) {
    const u128 next = root | u128{1} << bit;
    if (next * next <= value) root = next;
  }
  return root;
}

}  // namespace

u64 float_add(u64 a, u64 b, FloatFormat f, FloatControl control) {
  a = flushed(a, f, control);
  b = flushed(b, f, control);
  if (is_nan(a, f) || is_nan(b, f)) return nan_of({a, b}, f);
  const bool opposite = is_negative(a, f) != is_negative(b, f);
  if (is_infinite(a, f)) return is_infinite(b, f) && opposite ? default_nan(f) : a;
  if (is_infinite(b, f)) return b;
  return packed_sum(unpack(a, f), unpack(b, f), f, control);
}

u64 float_subtract(u64 a, u64 b, FloatFormat f, FloatControl control) {
  return float_add(a, is_nan(b, f) ? b : b ^ sign_bit(f), f, control);
}

u64 float_multiply(u64 a, u64 b, FloatFormat f, FloatControl control) {
  a = flushed(a, f, control);
  b = flushed(b, f, control);
  if (is_nan(a, f) || is_nan(b, f)) return nan_of({a, b}, f);
  if (is_infinite(a, f) || is_infinite(b, f)) {
    return is_zero(a, f) || is_zero(b, f) ? default_nan(f) : product_special(a, b, f);
  }
  const Exact x = unpack(a, f), y = unpack(b, f);
  return pack({x.negative != y.negative, x.magnitude * y.magnitude, x.exponent + y.exponent}, f, control);
}

u64 float_divide(u64 a, u64 b, FloatFormat f, FloatControl control) {
  a = flushed(a, f, control);
  b = flushed(b, f, control);
  if (is_nan(a, f) || is_nan(b, f)) return nan_of({a, b}, f);
  const bool negative = is_negative(a, f) != is_negative(b, f);
  const bool undefined = (is_infinite(a, f) && is_infinite(b, f)) || (is_zero(a, f) && is_zero(b, f));
  if (undefined) return default_nan(f);
  if (is_infinite(a, f) || is_zero(b, f)) return signed_zero(negative, f) | infinity(f);
  if (is_infinite(b, f) || is_zero(a, f)) return signed_zero(negative, f);
  Exact x = unpack(a, f), y = unpack(b, f);
  raise(x, 126);
  const u128 quotient = x.magnitude / y.magnitude;
  const bool rest = x.magnitude % y.magnitude != 0;
  return pack({negative, quotient << 1 | rest, x.exponent - y.exponent - 1}, f, control);
}

u64 float_multiply_add(u64 a, u64 b, u64 c, FloatFormat f, FloatControl control) {
  a = flushed(a, f, control);
  b = flushed(b, f, control);
  c = flushed(c, f, control);
  if (is_nan(a, f) || is_nan(b, f) || is_nan(c, f)) return nan_of({a, b, c}, f);
  const bool infinite = is_infinite(a, f) || is_infinite(b, f);
  const bool negative = is_negative(a, f) != is_negative(b, f);
  if (infinite && (is_zero(a, f) || is_zero(b, f))) return default_nan(f);
  if (infinite) return is_infinite(c, f) && is_negative(c, f) != negative ? default_nan(f) : product_special(a, b, f);
  if (is_infinite(c, f)) return c;
  const Exact x = unpack(a, f), y = unpack(b, f);
  const Exact product{negative, x.magnitude * y.magnitude, x.exponent + y.exponent};
  return packed_sum(product, unpack(c, f), f, control);
}

u64 float_square_root(u64 a, FloatFormat f, FloatControl control) {
  a = flushed(a, f, control);
  if (is_nan(a, f)) return nan_of({a}, f);
  if (is_zero(a, f)) return a;
  if (is_negative(a, f)) return default_nan(f);
  if (is_infinite(a, f)) return a;
  Exact x = unpack(a, f);
  raise(x, 125);
  if (x.exponent % 2 != 0) {
    x.magnitude >>= 1;  // its low bits are zeros
    ++x.exponent;
  }
  const u128 root = integer_root(x.magnitude);
  const bool rest = root * root != x.magnitude;
  return pack({false, root << 1 | rest, x.exponent / 2 - 1}, f, control);
}

/// x as a multiple of 1, rounded; the sign of a zero is kept.
u64 float_integral(u64 a, Rounding how, FloatFormat f, FloatControl control) {
  a = flushed(a, f, control);
  if (is_nan(a, f)) return nan_of({a}, f);
  if (is_infinite(a, f) || is_zero(a, f)) return a;
  const Exact x = unpack(a, f);
  if (x.exponent >= 0) return a;
  const u128 whole = rounded_shift(x.magnitude, -x.exponent, x.negative, how);
  return pack({x.negative, whole, 0}, f, {});
}

u64 float_fraction(u64 a, FloatFormat f, FloatControl control) {
  a = flushed(a, f, control);
  if (is_nan(a, f)) return nan_of({a}, f);
  if (is_infinite(a, f)) return default_nan(f);
  const u64 whole = float_integral(a, Rounding::down, f, {});
  if (whole == a || is_zero(a, f)) return 0;
  const u64 rest = float_subtract(a, whole, f, {control.rounding, false, control.flush_results});
  const u64 below_one = (static_cast<u64>(bias(f)) << f.fraction_bits) - 1;
  return std::min(rest, below_one);
}

u64 float_scale(u64 a, i64 exponent, FloatFormat f, FloatControl control) {
  a = flushed(a, f, control);
  if (is_nan(a, f)) return nan_of({a}, f);
  if (is_infinite(a, f) || is_zero(a, f)) return a;
  Exact x = unpack(a, f);
  x.exponent += static_cast<int>(std::clamp<i64>(exponent, -10000, 10000));
  return pack(x, f, control);
}

i64 float_exponent(u64 a, FloatFormat f, FloatControl control) {
  a = flushed(a, f, control);
  if (is_nan(a, f) || is_infinite(a, f) || is_zero(a, f)) return 0;
  const Exact x = unpack(a, f);
  return highest_bit(x.magnitude) + x.exponent + 1;
}

u64 float_mantissa(u64 a, FloatFormat f, FloatControl control) {
  a = flushed(a, f, control);
  if (is_nan(a, f)) return nan_of({a}, f);
  if (is_infinite(a, f) || is_zero(a, f)) return a;
  Exact x = unpack(a, f);
  x.exponent = -highest_bit(x.magnitude) - 1;
  return pack(x, f, {});
}

// ------------------------------------------------------------------------------------------------ transcendental

namespace {

Exact exact_of(long double value) {
  int exponent = 0;
  const long double mantissa = std::frexp(std::fabs(value), &exponent);
  return {std::signbit(value), static_cast<u128>(std::ldexp(mantissa, 64)), exponent - 64};
}

long double to_long_double(u64 a, FloatFormat f) {
  const Exact x = unpack(a, f);
  const long double magnitude = std::ldexp(static_cast<long double>(x.magnitude), x.exponent);
  return x.negative ? -magnitude : magnitude;
}

long double sine_of_turns(long double turns) {
  constexpr long double pi = 3.14159265358979323846264338327950288L;
  const long double rest = turns - std::nearbyint(turns);  // exact, from -1/2 to 1/2
  if (rest == 0 || std::fabs(rest) == 0.5L) return 0;
  // Near a quarter turn the sine is flat: the distance to it is the better argument.
  if (std::fabs(rest) > 0.25L) return std::copysign(std::sin(2 * pi * (0.5L - std::fabs(rest))), rest);
  return std::sin(2 * pi * rest);
}

long double cosine_of_turns(long double turns) {
  const long double rest = std::fabs(turns - std::nearbyint(turns));
  return sine_of_turns(0.25L - rest);
}

long double computed(Transcendental what, long double x) {
  switch (what) {
    case Transcendental::reciprocal:
      return 1 / x;
    case Transcendental::reciprocal_square_root:
      return 1 / std::sqrt(x);
    case Transcendental::exp2:
      return std::exp2(x);
    case Transcendental::log2:
      return std::log2(x);
    case Transcendental::sine:
      return sine_of_turns(x);
    case Transcendental::cosine:
      return cosine_of_turns(x);
  }
  return x;
}

/// Arguments that have their answer by rule: zeros, infinities, negative numbers.
bool by_rule(Transcendental what, u64 a, FloatFormat f, u64& result) {
  const bool negative = is_negative(a, f), zero = is_zero(a, f), infinite = is_infinite(a, f);
  const u64 one = static_cast<u64>(bias(f)) << f.fraction_bits;
  const u64 sign = signed_zero(negative, f);
  using enum Transcendental;
  switch (what) {
    case reciprocal:
      result = zero ? sign | infinity(f) : sign;
      return zero || infinite;
    case reciprocal_square_root:
      result = zero ? sign | infinity(f) : negative ? default_nan(f) : 0;
      return zero || negative || infinite;
    case exp2:
      result = zero ? one : negative ? 0 : infinity(f);
      return zero || infinite;
    case log2:
      result = zero ? sign_bit(f) | infinity(f) : negative ? default_nan(f) : infinity(f);
      return zero || negative || infinite;
    case sine:
      result = zero ? a : default_nan(f);
      return zero || infinite;
    case cosine:
      result = zero ? one : default_nan(f);
      return zero || infinite;
  }
  return false;
}

}  // namespace

u64 float_transcendental(Transcendental what, u64 a, FloatFormat f, FloatControl control) {
  a = flushed(a, f, control);
  if (is_nan(a, f)) return nan_of({a}, f);
  u64 result = 0;
  if (by_rule(what, a, f, result)) return result;
  const long double value = computed(what, to_long_double(a, f));
  if (std::isinf(value)) return infinity(f);
  const bool nearest_is_enough = what != Transcendental::reciprocal;
  if (nearest_is_enough) control.rounding = Rounding::nearest_even;
  return value == 0 ? 0 : pack(exact_of(value), f, control);
}

}  // namespace gfxisa::core
