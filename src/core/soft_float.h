// IEEE 754 arithmetic in integers, for the reference evaluator: on purpose unlike the host's floating-point unit.
//
// Values are bit patterns. Rounding and flushing follow the head of ops.inc.
#pragma once
#include "core/core.h"

namespace gfxisa::core {

/// A binary interchange format: sign, exponent, fraction.
struct FloatFormat {
  unsigned exponent_bits = 0;
  unsigned fraction_bits = 0;
  unsigned width() const { return 1 + exponent_bits + fraction_bits; }
};
/// f16, bf16, f32, f64; f32 for anything else.
FloatFormat float_format(Type type);

enum class Rounding : u8 { nearest_even, up, down, to_zero };

/// How one operation treats its format.
struct FloatControl {
  Rounding rounding = Rounding::nearest_even;
  bool flush_arguments = false;
  bool flush_results = false;
};

u64 float_add(u64 a, u64 b, FloatFormat format, FloatControl control);
u64 float_subtract(u64 a, u64 b, FloatFormat format, FloatControl control);
u64 float_multiply(u64 a, u64 b, FloatFormat format, FloatControl control);
u64 float_divide(u64 a, u64 b, FloatFormat format, FloatControl control);
u64 float_multiply_add(u64 a, u64 b, u64 c, FloatFormat format, FloatControl control);
u64 float_square_root(u64 a, FloatFormat format, FloatControl control);

/// minimum and maximum; `number_wins`: a NaN loses against a number.
u64 float_minimum(u64 a, u64 b, bool number_wins, FloatFormat format, FloatControl control);
u64 float_maximum(u64 a, u64 b, bool number_wins, FloatFormat format, FloatControl control);
u64 float_median(u64 a, u64 b, u64 c, FloatFormat format, FloatControl control);
u64 float_clamp(u64 a, bool nan_to_zero, FloatFormat format, FloatControl control);

/// 1 less, 2 equal, 4 greater, 8 unordered.
unsigned float_relation(u64 a, u64 b, FloatFormat format, FloatControl control);
/// The class bits of ops.inc, one of them set.
unsigned float_class(u64 a, FloatFormat format);

/// To an integral number, by the given rounding (nearest_even, up, down, to_zero); control.rounding is not used.
u64 float_integral(u64 a, Rounding how, FloatFormat format, FloatControl control);
u64 float_fraction(u64 a, FloatFormat format, FloatControl control);
u64 float_scale(u64 a, i64 exponent, FloatFormat format, FloatControl control);
i64 float_exponent(u64 a, FloatFormat format, FloatControl control);
u64 float_mantissa(u64 a, FloatFormat format, FloatControl control);
u64 float_quiet(u64 a, FloatFormat format);
u64 float_flush(u64 a, FloatFormat format, bool flush);

/// `from_control` says how the argument is flushed, `to_control` how the result is rounded and flushed.
u64 float_convert(u64 a, FloatFormat from, FloatControl from_control, FloatFormat to, FloatControl to_control);
u64 float_from_integer(u128 magnitude, bool negative, FloatFormat format, FloatControl control);
/// Towards zero, saturated to `width` bits; NaN gives 0.
u128 float_to_integer(u64 a, FloatFormat format, FloatControl control, unsigned width, bool is_signed);

enum class Transcendental : u8 { reciprocal, reciprocal_square_root, exp2, log2, sine, cosine };
/// Through the host's long double; the special cases of ops.inc by rule.
u64 float_transcendental(Transcendental what, u64 a, FloatFormat format, FloatControl control);

/// The nearest float to a double, ties to even.
u64 float_from_double(double value, FloatFormat format);
/// The value as a double; exact for every format.
double float_to_double(u64 a, FloatFormat format);

}  // namespace gfxisa::core
