#include "core/soft_float.h"

#include <algorithm>
#include <bit>

#include "core/soft_float_parts.h"

namespace gfxisa::core {

FloatFormat float_format(Type type) {
  if (type.kind == TypeKind::bfloat) return {8, 7};
  if (type.bits == 16) return {5, 10};
  if (type.bits == 64) return {11, 52};
  return {8, 23};
}

namespace soft {

u64 sign_bit(FloatFormat f) { return u64{1} << (f.width() - 1); }
u64 infinity(FloatFormat f) { return low_ones(f.exponent_bits) << f.fraction_bits; }
u64 default_nan(FloatFormat f) { return infinity(f) | u64{1} << (f.fraction_bits - 1); }
u64 largest(FloatFormat f) { return infinity(f) - 1; }
int bias(FloatFormat f) { return static_cast<int>(low_ones(f.exponent_bits - 1)); }
u64 signed_zero(bool negative, FloatFormat f) { return negative ? sign_bit(f) : 0; }

bool is_nan(u64 a, FloatFormat f) { return (a & ~sign_bit(f)) > infinity(f); }
bool is_infinite(u64 a, FloatFormat f) { return (a & ~sign_bit(f)) == infinity(f); }
bool is_zero(u64 a, FloatFormat f) { return (a & ~sign_bit(f)) == 0; }
bool is_negative(u64 a, FloatFormat f) { return a & sign_bit(f); }
bool is_denormal(u64 a, FloatFormat f) { return !is_zero(a, f) && (a & infinity(f)) == 0; }

u64 flushed(u64 a, FloatFormat f, const FloatControl& control) { return float_flush(a, f, control.flush_arguments); }

/// A finite number as sign, integer and power of two.
Exact unpack(u64 a, FloatFormat f) {
  const u64 fraction = a & low_ones(f.fraction_bits);
  const int field = static_cast<int>(a >> f.fraction_bits & low_ones(f.exponent_bits));
  const int lowest = 1 - bias(f) - static_cast<int>(f.fraction_bits);
  if (field == 0) return {is_negative(a, f), fraction, lowest};
  return {is_negative(a, f), fraction | u64{1} << f.fraction_bits, lowest + field - 1};
}

int highest_bit(u128 value) {
  const u64 high = static_cast<u64>(value >> 64), low = static_cast<u64>(value);
  return high != 0 ? 127 - std::countl_zero(high) : 63 - std::countl_zero(low);
}

/// Right by any count; what falls out leaves its trace in bit 0.
u128 shift_jam(u128 value, int count) {
  if (count <= 0) return value;
  if (count >= 128) return value != 0;
  const u128 out = value & ((u128{1} << count) - 1);
  return value >> count | (out != 0);
}

static bool rounds_away(u128 kept, u128 rest, u128 half, bool negative, Rounding rounding) {
  switch (rounding) {
    case Rounding::nearest_even:
      return rest > half || (rest == half && (kept & 1) != 0);
    case Rounding::up:
      return rest != 0 && !negative;
    case Rounding::down:
      return rest != 0 && negative;
    case Rounding::to_zero:
      return false;
  }
  return false;
}

/// value / 2^count as an integer, rounded.
u128 rounded_shift(u128 value, int count, bool negative, Rounding rounding) {
  if (count <= 0) return value << -count;
  if (count > 126) {
    value = shift_jam(value, count - 126);
    count = 126;
  }
  const u128 kept = value >> count, rest = value & ((u128{1} << count) - 1);
  return kept + rounds_away(kept, rest, u128{1} << (count - 1), negative, rounding);
}

static u64 overflowed(bool negative, FloatFormat f, Rounding rounding) {
  const bool to_infinity = rounding == Rounding::nearest_even || rounding == (negative ? Rounding::down : Rounding::up);
  return signed_zero(negative, f) | (to_infinity ? infinity(f) : largest(f));
}

/// The nearest number of the format. Bit 0 of the magnitude may be a trace of lower bits if there are two bits more
/// than the format keeps.
u64 pack(Exact x, FloatFormat f, const FloatControl& control) {
  if (x.magnitude == 0) return signed_zero(x.negative, f);
  const int precision = static_cast<int>(f.fraction_bits) + 1;
  const int lowest = 1 - bias(f) - static_cast<int>(f.fraction_bits);  // exponent of the last place of denormals
  const int top = highest_bit(x.magnitude);
  const int free_place = x.exponent + top - precision + 1;  // last place were the exponent unbounded
  if (control.flush_results && free_place < lowest) {
    const u128 freely = rounded_shift(x.magnitude, free_place - x.exponent, x.negative, control.rounding);
    const bool reaches_normal = free_place + 1 == lowest && freely >> precision != 0;
    if (!reaches_normal) return signed_zero(x.negative, f);
  }
  const int place = std::max(free_place, lowest);
  const u128 kept = rounded_shift(x.magnitude, place - x.exponent, x.negative, control.rounding);
  // The hidden bit adds one to the exponent field, as does a carry out of the fraction.
  const i64 field = place - lowest;
  if (field > static_cast<i64>(low_ones(f.exponent_bits))) return overflowed(x.negative, f, control.rounding);
  const u128 bits = (static_cast<u128>(field) << f.fraction_bits) + kept;
  if (bits >= infinity(f)) return overflowed(x.negative, f, control.rounding);
  return signed_zero(x.negative, f) | static_cast<u64>(bits);
}

/// The first NaN among the arguments, quiet; the default one when there is none.
u64 nan_of(std::initializer_list<u64> arguments, FloatFormat f) {
  for (const u64 a : arguments) {
    if (is_nan(a, f)) return float_quiet(a, f);
  }
  return default_nan(f);
}

/// Orders numbers, not NaNs, with -0 below +0.
i64 order_key(u64 a, FloatFormat f) {
  const i64 magnitude = static_cast<i64>(a & ~sign_bit(f));
  return is_negative(a, f) ? -magnitude - 1 : magnitude;
}

}  // namespace soft

using namespace soft;

u64 float_quiet(u64 a, FloatFormat f) { return is_nan(a, f) ? a | u64{1} << (f.fraction_bits - 1) : a; }

u64 float_flush(u64 a, FloatFormat f, bool flush) { return flush && is_denormal(a, f) ? a & sign_bit(f) : a; }

unsigned float_relation(u64 a, u64 b, FloatFormat f, FloatControl control) {
  a = flushed(a, f, control);
  b = flushed(b, f, control);
  if (is_nan(a, f) || is_nan(b, f)) return 8;
  if (a == b || (is_zero(a, f) && is_zero(b, f))) return 2;
  return order_key(a, f) < order_key(b, f) ? 1 : 4;
}

unsigned float_class(u64 a, FloatFormat f) {
  const bool negative = is_negative(a, f);
  if (is_nan(a, f)) return float_quiet(a, f) == a ? 0x2 : 0x1;
  if (is_infinite(a, f)) return negative ? 0x4 : 0x200;
  if (is_zero(a, f)) return negative ? 0x20 : 0x40;
  if (is_denormal(a, f)) return negative ? 0x10 : 0x80;
  return negative ? 0x8 : 0x100;
}

/// The one of two whose order is the lower (or the higher).
static u64 chosen(u64 a, u64 b, bool lower, bool number_wins, FloatFormat f, FloatControl control) {
  a = flushed(a, f, control);
  b = flushed(b, f, control);
  const bool a_nan = is_nan(a, f), b_nan = is_nan(b, f);
  if (a_nan || b_nan) {
    const bool keeps_number = number_wins && a_nan != b_nan;
    if (keeps_number) return a_nan ? b : a;
    return float_quiet(a_nan ? a : b, f);
  }
  return (order_key(b, f) < order_key(a, f)) == lower ? b : a;
}

u64 float_minimum(u64 a, u64 b, bool number_wins, FloatFormat f, FloatControl control) {
  return chosen(a, b, true, number_wins, f, control);
}

u64 float_maximum(u64 a, u64 b, bool number_wins, FloatFormat f, FloatControl control) {
  return chosen(a, b, false, number_wins, f, control);
}

u64 float_median(u64 a, u64 b, u64 c, FloatFormat f, FloatControl control) {
  const u64 low = float_minimum(a, b, true, f, control);
  if (is_nan(a, f) || is_nan(b, f) || is_nan(c, f)) return float_minimum(low, c, true, f, control);
  const u64 high = float_maximum(a, b, true, f, control);
  return float_maximum(low, float_minimum(high, c, true, f, control), true, f, control);
}

u64 float_clamp(u64 a, bool nan_to_zero, FloatFormat f, FloatControl control) {
  a = flushed(a, f, control);
  const u64 one = static_cast<u64>(bias(f)) << f.fraction_bits;
  if (is_nan(a, f)) return nan_to_zero ? 0 : float_quiet(a, f);
  if (is_negative(a, f)) return 0;
  return std::min(a, one);
}

u64 float_convert(u64 a, FloatFormat from, FloatControl from_control, FloatFormat to, FloatControl to_control) {
  a = flushed(a, from, from_control);
  const bool negative = is_negative(a, from);
  if (is_nan(a, from)) {
    const u64 payload = a & low_ones(from.fraction_bits);
    const int shift = static_cast<int>(to.fraction_bits) - static_cast<int>(from.fraction_bits);
    const u64 moved = shift >= 0 ? payload << shift : payload >> -shift;
    return signed_zero(negative, to) | default_nan(to) | moved;
  }
  if (is_infinite(a, from)) return signed_zero(negative, to) | infinity(to);
  return pack(unpack(a, from), to, to_control);
}

u64 float_from_integer(u128 magnitude, bool negative, FloatFormat f, FloatControl control) {
  return pack({negative && magnitude != 0, magnitude, 0}, f, control);
}

u128 float_to_integer(u64 a, FloatFormat f, FloatControl control, unsigned width, bool is_signed) {
  a = flushed(a, f, control);
  if (is_nan(a, f)) return 0;
  const bool negative = is_negative(a, f);
  const u128 ones = width >= 128 ? ~u128{0} : (u128{1} << width) - 1;
  const u128 most = is_signed ? ones >> 1 : ones;
  const u128 least = is_signed ? ones ^ (ones >> 1) : 0;  // as bits of the width
  if (negative && !is_signed) return 0;
  const Exact x = unpack(a, f);
  const bool huge = is_infinite(a, f) || (x.magnitude != 0 && highest_bit(x.magnitude) + x.exponent > 127);
  if (huge) return negative ? least : most;
  const u128 whole =
      x.exponent >= 0 ? x.magnitude << x.exponent : (x.exponent <= -128 ? 0 : x.magnitude >> -x.exponent);
  if (whole > most) return negative ? least : most;
  return (negative ? u128{0} - whole : whole) & ones;
}

u64 float_from_double(double value, FloatFormat f) {
  return float_convert(std::bit_cast<u64>(value), {11, 52}, {}, f, {});
}

double float_to_double(u64 a, FloatFormat f) { return std::bit_cast<double>(float_convert(a, f, {}, {11, 52}, {})); }

}  // namespace gfxisa::core
