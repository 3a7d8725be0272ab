// Values and types: constants that take a type, types that must agree, integers that change their width.
#include <algorithm>

#include "core/checker.h"
#include "core/integer.h"
#include "core/soft_float.h"

namespace gfxisa::core {

Type plain(Type type) {
  if (type.kind == TypeKind::mask) return {TypeKind::bits, 64};
  return type.elements > 1 ? Type(TypeKind::bits, type.bits) : type;
}

Type element_of(Type type) { return type.elements > 1 ? Type(type.kind, type.bits / type.elements) : type; }

static std::string text_of(i128 value) {
  if (value < 0) return "-" + text_of(-value);
  const std::string last(1, static_cast<char>('0' + static_cast<int>(value % 10)));
  return value < 10 ? last : text_of(value / 10) + last;
}

std::string Checker::described(const Value& value) const {
  switch (value.kind) {
    case Value::Kind::typed:
      return name_of(value.type);
    case Value::Kind::integer:
      return text_of(value.integer);
    case Value::Kind::real:
      return "a float constant";
    case Value::Kind::ones:
      return "ones(n)";
    case Value::Kind::array:
      return "an array";
    case Value::Kind::operand:
      return "the operand " + body_.slots[static_cast<std::size_t>(value.integer)].name;
    case Value::Kind::function:
      return "the function " + functions_[static_cast<std::size_t>(value.integer)];
    default:
      return "an error";
  }
}

Value Checker::boolean_constant(bool value) {
  const Type type{TypeKind::bits, 1};
  return typed(builder_.constant(type, value), type);
}

/// Whether an integer constant can be written as this type without loss. Bits take both signs.
static bool fits(i128 value, Type type) {
  if (type.bits >= 127) return type.kind != TypeKind::unsigned_ || value >= 0;
  const i128 power = i128{1} << type.bits;
  if (type.kind == TypeKind::unsigned_) return value >= 0 && value < power;
  if (type.kind == TypeKind::signed_) return value >= -(power / 2) && value < power / 2;
  return value >= -(power / 2) && value < power;
}

Value Checker::adapted_literal(i128 value, Type type, Location at) {
  if (type.is_float() && type.elements == 1) {
    return error(at, text_of(value) + " is an integer, and " + name_of(type) + " is wanted",
                 "write " + text_of(value) + ".0");
  }
  const Type bits = plain(type);
  if (fits(value, bits)) return typed(builder_.constant(bits, static_cast<u128>(value)), type);
  const bool negative = value < 0 && type.kind == TypeKind::unsigned_;
  const std::string hint = negative ? "write ~" + name_of(type) + "(n), or use a signed type"
                                    : "widen the other value first, as in u64(x), or write the constant's type";
  return error(at, text_of(value) + " does not fit " + name_of(type), hint);
}

Value Checker::real_constant(double value, Type type) {
  const u128 bits = float_from_double(value, float_format(type));
  return typed(builder_.constant(type, bits), type);
}

Value Checker::unknown_type(const Value& value, Location at) {
  if (value.is_error()) return {};
  if (value.kind >= Value::Kind::array) return error(at, described(value) + " is no value");
  const bool real = value.kind == Value::Kind::real;
  return error(
      at, "the type of " + described(value) + " is not known here",
      real ? "a float constant takes the type of the other argument" : "say it, as in u32(" + described(value) + ")");
}

Value Checker::mismatch(Type a, Type b, Location at) {
  const std::string both = name_of(a) + " and " + name_of(b);
  if (a.elements > 1 || b.elements > 1) {
    return error(at, both + " do not mix", "a packed value is taken apart by each(f, x, y), lo(x), hi(x) or bits(x)");
  }
  if (a.is_float() != b.is_float()) {
    return error(at, both + " do not mix",
                 "bits(x) gives the bits of a float, f32_of(x) and u32_of(x) convert the value");
  }
  if (a.is_float()) return error(at, both + " are different formats", "convert one: f32_of(x)");
  if (a.bits != b.bits) return error(at, both + " have different widths", "widen or cut one: u32(x)");
  return error(at, both + " have different signs", "choose with u32(x) or i32(x)");
}

/// The type that two typed values have together; kind none when they do not go together.
Type Checker::common_type(const Value& a, const Value& b) const {
  if (a.type == b.type) return a.type;
  const bool a_is_mask = a.type.kind == TypeKind::mask, b_is_mask = b.type.kind == TypeKind::mask;
  if (a_is_mask && b.type.is_integer() && b.type.bits > 1 && b.type.bits <= 64) return b.type;
  if (b_is_mask && a.type.is_integer() && a.type.bits > 1 && a.type.bits <= 64) return a.type;
  if (!a.type.is_integer() || !b.type.is_integer() || a.type.elements > 1 || b.type.elements > 1) return {};
  if (a.type.bits != b.type.bits) return {};
  if (a.type.kind == TypeKind::bits) return b.type;
  return b.type.kind == TypeKind::bits ? a.type : Type();
}

/// A value as `type`. Constants take it; a typed value must go together with it.
Value Checker::adapted(const Value& value, Type type, Location at) {
  switch (value.kind) {
    case Value::Kind::error:
      return {};
    case Value::Kind::integer:
      return adapted_literal(value.integer, type, at);
    case Value::Kind::real:
      if (type.is_float() && type.elements == 1) return real_constant(value.real, type);
      return error(at, "a float constant is no " + name_of(type));
    case Value::Kind::ones: {
      const Type bits = plain(type);
      if (!bits.is_integer()) return error(at, "ones(n) is an integer, and " + name_of(type) + " is wanted");
      const NodeId one = builder_.constant(bits, 1);
      return typed(builder_.make(Op::sub, bits, {builder_.make(Op::shl, bits, {one, value.node}), one}), type);
    }
    case Value::Kind::array:
    case Value::Kind::operand:
    case Value::Kind::function:
      return error(at, described(value) + " is no value");
    case Value::Kind::typed:
      break;
  }
  if (value.type == type) return value;
  const Type common = common_type(value, typed(no_node, type));
  if (common.kind == TypeKind::none) return mismatch(value.type, type, at);
  return type.kind == TypeKind::mask ? convert_integer(value, {TypeKind::bits, 64}) : convert_integer(value, type);
}

/// Makes all arguments one type: that of the typed ones, which constants take. Kind none after an error.
Type Checker::unified(std::vector<Argument>& arguments, Location at) {
  Value first;
  for (const auto& [value, place] : arguments) {
    if (value.is_error()) return {};
    if (!value.is_typed()) continue;
    if (!first.is_typed()) {
      first = value;
      continue;
    }
    const Type common = common_type(first, value);
    if (common.kind == TypeKind::none) {
      mismatch(first.type, value.type, at);
      return {};
    }
    first.type = common;
  }
  if (!first.is_typed()) {
    unknown_type(arguments[0].value, arguments[0].at);
    return {};
  }
  if (first.type.bits > 128) {
    error(at, name_of(first.type) + " can only be assigned as a whole");
    return {};
  }
  for (auto& [value, place] : arguments) {
    value = adapted(value, first.type, place);
    if (value.is_error()) return {};
  }
  return first.type;
}

/// An integer (or mask, or packed bits) with another width or sign: extended by its own sign, or cut.
Value Checker::convert_integer(const Value& value, Type type) {
  const Type from = plain(value.type);
  NodeId node = value.node;
  if (type.bits > from.bits) {
    node = builder_.make(from.kind == TypeKind::signed_ ? Op::sext : Op::zext, type, {node});
  } else if (type.bits < from.bits) {
    node = builder_.make(Op::trunc, type, {node});
  } else {
    node = builder_.make(Op::bitcast, type, {node});
  }
  return typed(node, type);
}

/// A typed integer; masks become b64. `doing` completes "cannot ... f32".
Value Checker::as_integer(const Value& value, Location at, std::string_view doing) {
  if (value.is_error()) return {};
  if (!value.is_typed()) return unknown_type(value, at);
  if (value.type.kind == TypeKind::mask) return typed(value.node, plain(value.type));
  if (value.type.elements > 1) {
    return error(at, "cannot " + std::string(doing) + " " + name_of(value.type),
                 "a packed value is taken apart by each(f, x, y), lo(x), hi(x) or bits(x)");
  }
  if (value.type.is_integer() && value.type.bits <= 128) return value;
  return error(at, "cannot " + std::string(doing) + " " + name_of(value.type),
               "integer operators refuse floats; use bits(x) or the float functions");
}

std::optional<i128> Checker::known_integer(const Value& value) const {
  if (value.kind == Value::Kind::integer) return value.integer;
  if (!value.is_typed() || !builder_.is_constant(value.node) || !plain(value.type).is_integer()) return std::nullopt;
  const u128 bits = builder_.value(value.node);
  return value.type.kind == TypeKind::signed_ ? wide_signed(bits, value.type.bits) : static_cast<i128>(bits);
}

/// A b1, as conditions are.
std::optional<NodeId> Checker::condition(const Value& value, Location at) {
  if (value.is_error()) return std::nullopt;
  if (value.kind == Value::Kind::integer && (value.integer == 0 || value.integer == 1)) {
    return boolean_constant(value.integer != 0).node;
  }
  if (value.is_typed() && value.type.is_integer() && value.type.bits == 1) {
    return builder_.make(Op::bitcast, {TypeKind::bits, 1}, {value.node});
  }
  error(at, "a condition is a b1, not " + described(value), "compare: x != 0");
  return std::nullopt;
}

/// An integer argument of a function that wants exactly `type`, such as a register's number: any integer, extended or
/// cut.
std::optional<NodeId> Checker::word(const Value& value, Location at, Type type) {
  if (value.is_error()) return std::nullopt;
  const Value whole = value.is_typed() ? as_integer(value, at, "count with") : adapted(value, type, at);
  if (whole.is_error()) return std::nullopt;
  return convert_integer(whole, type).node;
}

}  // namespace gfxisa::core
