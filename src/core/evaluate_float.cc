// Float operations of the reference evaluator: MODE read, then soft_float.
#include <optional>

#include "core/evaluate.h"
#include "core/integer.h"
#include "core/soft_float.h"

namespace gfxisa::core {
namespace {

Rounding rounding_of(u32 field) {
  constexpr Rounding table[] = {Rounding::nearest_even, Rounding::up, Rounding::down, Rounding::to_zero};
  return table[field & 3];
}

/// MODE has one pair of fields for f32 (and bf16), one for f16 and f64.
FloatControl control_of(Type type, u32 mode) {
  const bool single = type.kind == TypeKind::bfloat || type.bits == 32;
  const u32 rounding = single ? mode : mode >> 2;
  const u32 denormals = single ? mode >> 4 : mode >> 6;
  return {rounding_of(rounding), (denormals & 1) == 0, (denormals & 2) == 0};
}

/// The control of a conversion, whose rounding may be fixed: 0 as MODE says, else 1 more than the field of MODE.
FloatControl conversion_control(Type type, u32 mode, u64 fixed) {
  FloatControl control = control_of(type, mode);
  if (fixed != 0) control.rounding = rounding_of(static_cast<u32>(fixed - 1));
  return control;
}

struct FloatOperation {
  Op op;
  u64 immediate;
  FloatFormat format;
  FloatControl control;
  u64 a, b, c;
  u32 mode;
};

std::optional<u64> arithmetic(const FloatOperation& o) {
  switch (o.op) {
    case Op::fadd:
      return float_add(o.a, o.b, o.format, o.control);
    case Op::fsub:
      return float_subtract(o.a, o.b, o.format, o.control);
    case Op::fmul:
      return float_multiply(o.a, o.b, o.format, o.control);
    case Op::fdiv:
      return float_divide(o.a, o.b, o.format, o.control);
    case Op::ffma:
      return float_multiply_add(o.a, o.b, o.c, o.format, o.control);
    case Op::fsqrt:
      return float_square_root(o.a, o.format, o.control);
    case Op::fneg:
      return o.a ^ u64 { 1 } << (o.format.width() - 1);
    case Op::fabs:
      return o.a & low_ones(o.format.width() - 1);
    case Op::fmin:
      return float_minimum(o.a, o.b, false, o.format, o.control);
    case Op::fmax:
      return float_maximum(o.a, o.b, false, o.format, o.control);
    case Op::fmin_num:
      return float_minimum(o.a, o.b, true, o.format, o.control);
    case Op::fmax_num:
      return float_maximum(o.a, o.b, true, o.format, o.control);
    case Op::fmed3:
      return float_median(o.a, o.b, o.c, o.format, o.control);
    case Op::fclamp:
      return float_clamp(o.a, (o.mode >> 8 & 1) != 0, o.format, o.control);
    case Op::fquiet:
      return float_quiet(o.a, o.format);
    case Op::fflush:
      return float_flush(o.a, o.format, o.control.flush_arguments);
    default:
      return std::nullopt;
  }
}

std::optional<u64> shaping(const FloatOperation& o) {
  switch (o.op) {
    case Op::ftrunc:
      return float_integral(o.a, Rounding::to_zero, o.format, o.control);
    case Op::fceil:
      return float_integral(o.a, Rounding::up, o.format, o.control);
    case Op::ffloor:
      return float_integral(o.a, Rounding::down, o.format, o.control);
    case Op::fround:
      return float_integral(o.a, Rounding::nearest_even, o.format, o.control);
    case Op::ffract:
      return float_fraction(o.a, o.format, o.control);
    case Op::fldexp:
      return float_scale(o.a, sign_extend(o.b, 32), o.format, o.control);
    case Op::ffrexp_exp:
      return static_cast<u64>(float_exponent(o.a, o.format, o.control));
    case Op::ffrexp_mant:
      return float_mantissa(o.a, o.format, o.control);
    case Op::fcmp:
      return (float_relation(o.a, o.b, o.format, o.control) & o.immediate) != 0;
    case Op::fclass:
      return (float_class(o.a, o.format) & o.b) != 0;
    case Op::frcp:
      return float_transcendental(Transcendental::reciprocal, o.a, o.format, o.control);
    case Op::frsq:
      return float_transcendental(Transcendental::reciprocal_square_root, o.a, o.format, o.control);
    case Op::fexp2:
      return float_transcendental(Transcendental::exp2, o.a, o.format, o.control);
    case Op::flog2:
      return float_transcendental(Transcendental::log2, o.a, o.format, o.control);
    case Op::fsin:
      return float_transcendental(Transcendental::sine, o.a, o.format, o.control);
    case Op::fcos:
      return float_transcendental(Transcendental::cosine, o.a, o.format, o.control);
    default:
      return std::nullopt;
  }
}

std::optional<u128> conversion(Op op, Type type, u64 immediate, Type from, u128 a, u32 mode) {
  const u64 bits = static_cast<u64>(a);
  if (op == Op::float_to_float && from.is_float() && type.is_float()) {
    return float_convert(bits, float_format(from), control_of(from, mode), float_format(type),
                         conversion_control(type, mode, immediate));
  }
  if (op == Op::float_to_int && from.is_float()) {
    const bool is_signed = type.kind == TypeKind::signed_;
    return float_to_integer(bits, float_format(from), control_of(from, mode), type.bits, is_signed);
  }
  if (op != Op::int_to_float || from.is_float() || from.bits == 0) return std::nullopt;
  const bool negative = from.kind == TypeKind::signed_ && (a >> (from.bits - 1) & 1) != 0;
  const u128 magnitude = negative ? (u128{0} - a) & wide_ones(from.bits) : a;
  return float_from_integer(magnitude, negative, float_format(type), conversion_control(type, mode, immediate));
}

}  // namespace

std::optional<u128> value_of_operation(Op op, Type type, u64 immediate, const std::array<Type, 4>& types,
                                       const std::array<u128, 4>& values, u32 mode) {
  if (const auto integer = integer_value(op, type, {types, values}, immediate)) return integer;
  if (type.bits == 0 || type.bits > 128 || types[0].bits == 0 || types[0].bits > 128) return std::nullopt;
  std::optional<u128> result = conversion(op, type, immediate, types[0], values[0], mode);
  if (!result && types[0].is_float()) {
    const FloatOperation operation{op,
                                   immediate,
                                   float_format(types[0]),
                                   control_of(types[0], mode),
                                   static_cast<u64>(values[0]),
                                   static_cast<u64>(values[1]),
                                   static_cast<u64>(values[2]),
                                   mode};
    std::optional<u64> bits = arithmetic(operation);
    if (!bits) bits = shaping(operation);
    if (bits) result = *bits;
  }
  if (result) *result &= wide_ones(type.bits);
  return result;
}

}  // namespace gfxisa::core
