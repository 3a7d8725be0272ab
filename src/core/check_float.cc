// Float functions, and conversions between types.
#include <algorithm>

#include "core/checker.h"

namespace gfxisa::core {
namespace {

constexpr Type boolean{TypeKind::bits, 1};
constexpr Type scale_type{TypeKind::signed_, 32};
constexpr Type class_type{TypeKind::unsigned_, 32};

/// The relations of ops.inc by their names in compare instructions.
std::optional<u64> relation_named(std::string_view name) {
  constexpr std::pair<std::string_view, u64> table[] = {
      {"f", 0},   {"lt", 1},   {"eq", 2},   {"le", 3},   {"gt", 4},   {"lg", 5},   {"ge", 6}, {"o", 7},    {"u", 8},
      {"nge", 9}, {"nlg", 10}, {"ngt", 11}, {"nle", 12}, {"neq", 13}, {"nlt", 14}, {"t", 15}, {"tru", 15}, {"ne", 13}};
  for (const auto& [text, relations] : table) {
    if (text == name) return relations;
  }
  return std::nullopt;
}

}  // namespace

/// Arguments that are all one float type; the first of them, or nothing after an error.
std::optional<Checker::Argument> Checker::float_arguments(const Call& call, std::vector<Argument>& arguments) {
  if (unified(arguments, call.at).kind == TypeKind::none) return std::nullopt;
  const Type type = arguments[0].value.type;
  if (type.is_float() && type.elements == 1) return arguments[0];
  const bool packed = type.elements > 1;
  error(arguments[0].at, "'" + call.callee + "' wants floats, not " + name_of(type),
        packed ? "apply it to the parts: each(" + call.callee + ", x, y)"
               : "as_f32(x) reads bits as a float, f32_of(x) converts");
  return std::nullopt;
}

Value Checker::fn_float(const Call& call) {
  std::vector<Argument> arguments = call.arguments;
  if (!float_arguments(call, arguments)) return {};
  const Type type = arguments[0].value.type;
  const Op op = find_builtin(call.callee)->op;
  const auto at = [&](std::size_t i) { return arguments[i].value.node; };
  if (arguments.size() == 1) return typed(builder_.make(op, type, {at(0)}), type);
  if (arguments.size() == 2) return typed(builder_.make(op, type, {at(0), at(1)}), type);
  return typed(builder_.make(op, type, {at(0), at(1), at(2)}), type);
}

Value Checker::fn_compare(const Call& call, std::string_view relation) {
  const auto relations = relation_named(relation);
  if (!relations) {
    return error(call.at, "unknown function '" + call.callee + "'",
                 "the relations are f lt eq le gt lg ge o u nge nlg ngt nle neq nlt t");
  }
  if (!arity(call, 2, 2)) return {};
  std::vector<Argument> arguments = call.arguments;
  if (!float_arguments(call, arguments)) return {};
  if (*relations == 0 || *relations == 15) return boolean_constant(*relations != 0);
  return typed(builder_.make(Op::fcmp, boolean, {arguments[0].value.node, arguments[1].value.node}, *relations),
               boolean);
}

Value Checker::fn_class(const Call& call) {
  std::vector<Argument> x{call.arguments[0]};
  if (!float_arguments(call, x)) return {};
  const auto classes = word(call.arguments[1].value, call.arguments[1].at, class_type);
  return classes ? typed(builder_.make(Op::fclass, boolean, {x[0].value.node, *classes}), boolean) : Value();
}

Value Checker::fn_class_of(const Call& call) {
  std::vector<Argument> x = call.arguments;
  if (!float_arguments(call, x)) return {};
  const u64 classes = call.callee == "is_nan" ? 0x3 : 0x204;
  return typed(builder_.make(Op::fclass, boolean, {x[0].value.node, builder_.constant(class_type, classes)}), boolean);
}

Value Checker::fn_ldexp(const Call& call) {
  std::vector<Argument> x{call.arguments[0]};
  if (!float_arguments(call, x)) return {};
  const auto& [exponent, at] = call.arguments[1];
  if (exponent.is_typed() && plain(exponent.type).bits > 32) {
    return error(at, "the exponent of fldexp has at most 32 bits, not " + name_of(exponent.type));
  }
  const auto scale = word(exponent, at, scale_type);
  const Type type = x[0].value.type;
  return scale ? typed(builder_.make(Op::fldexp, type, {x[0].value.node, *scale}), type) : Value();
}

Value Checker::fn_exponent(const Call& call) {
  std::vector<Argument> x = call.arguments;
  if (!float_arguments(call, x)) return {};
  const Type type{TypeKind::signed_, x[0].value.type.bits == 16 ? 16u : 32u};
  return typed(builder_.make(Op::ffrexp_exp, type, {x[0].value.node}), type);
}

/// `u32(x)`: the number x as another integer type.
Value Checker::convert(const Call& call, Type type) {
  if (!arity(call, 1, 1)) return {};
  const auto& [value, at] = call.arguments[0];
  if (type.kind == TypeKind::mask || type.bits > 128) return error(call.at, "nothing converts to " + name_of(type));
  if (type.is_float() && type.elements == 1) {
    if (value.kind == Value::Kind::real) return real_constant(value.real, type);
    return error(call.at, "'" + name_of(type) + "' converts no numbers",
                 name_of(type) + "_of(x) converts the value, as_" + name_of(type) + "(x) takes the bits");
  }
  if (value.kind == Value::Kind::integer) {
    // Both readings of the bits are meant by somebody: u32(-1) and i32(0xffffffff).
    const Type bits{TypeKind::bits, type.bits};
    const Value constant = adapted_literal(value.integer, bits, at);
    return constant.is_error() ? Value() : typed(builder_.make(Op::bitcast, plain(type), {constant.node}), type);
  }
  if (!value.is_typed()) return value.kind == Value::Kind::ones ? adapted(value, type, at) : unknown_type(value, at);
  if (type.elements > 1) return reinterpret(call, type);
  if (value.type.is_float() && value.type.elements == 1) {
    return error(
        call.at, "'" + name_of(type) + "' converts integers, not " + name_of(value.type),
        (type.kind == TypeKind::bits ? "" : name_of(type) + "_of(x) converts the value, ") + "bits(x) gives the bits");
  }
  if (plain(value.type).bits > 128) return error(at, name_of(value.type) + " can only be assigned as a whole");
  return convert_integer(typed(value.node, plain(value.type)), type);
}

/// `as_f32(x)`: the same bits.
Value Checker::reinterpret(const Call& call, Type type) {
  if (!arity(call, 1, 1)) return {};
  const auto& [value, at] = call.arguments[0];
  if (value.kind == Value::Kind::integer) {
    const Value constant = adapted_literal(value.integer, {TypeKind::bits, type.bits}, at);
    return constant.is_error() ? Value() : typed(builder_.make(Op::bitcast, plain(type), {constant.node}), type);
  }
  if (!value.is_typed()) return unknown_type(value, at);
  const Type from = plain(value.type);
  if (type.kind == TypeKind::mask || from.bits != plain(type).bits) {
    return error(call.at,
                 "'" + call.callee + "' keeps the bits, and " + name_of(value.type) + " has " +
                     std::to_string(from.bits) + " of them, not " + std::to_string(type.bits),
                 "take a slice first: x[15:0]");
  }
  return typed(builder_.make(Op::bitcast, plain(type), {value.node}), type);
}

/// `f32_of(x)`: the nearest value of another type.
Value Checker::value_of(const Call& call, Type type, u64 rounding) {
  if (!arity(call, 1, 1)) return {};
  const auto& [value, at] = call.arguments[0];
  const bool to_float = type.is_float() && type.elements == 1;
  if (value.kind == Value::Kind::real && to_float) return real_constant(value.real, type);
  if (value.kind == Value::Kind::integer && to_float && value.integer < (i128{1} << 24) &&
      value.integer > -(i128{1} << 24)) {
    return real_constant(static_cast<double>(value.integer), type);
  }
  if (!value.is_typed()) return unknown_type(value, at);
  const bool from_float = value.type.is_float() && value.type.elements == 1;
  const bool from_integer = value.type.is_integer() && value.type.elements == 1 && value.type.bits <= 128;
  if (to_float && from_float) return typed(builder_.make(Op::float_to_float, type, {value.node}, rounding), type);
  if (to_float && from_integer) return typed(builder_.make(Op::int_to_float, type, {value.node}, rounding), type);
  if (from_float && type.is_integer() && type.elements == 1 && type.bits <= 128) {
    if (rounding != 0) return error(call.at, "a conversion to an integer goes towards zero", "round first: fround(x)");
    return typed(builder_.make(Op::float_to_int, type, {value.node}), type);
  }
  return error(call.at, "'" + call.callee + "' converts no " + name_of(value.type),
               from_integer ? "from integer to integer it is " + name_of(type) + "(x)" : "");
}

/// A packed value of equal parts, the lowest first.
Value Checker::packed_from(std::vector<Value> parts, Location at) {
  const Type part = parts[0].type;
  const unsigned bits = part.bits * static_cast<unsigned>(parts.size());
  if (part.elements > 1 || part.kind == TypeKind::mask || bits > 128) {
    return error(at, std::to_string(parts.size()) + " values of " + name_of(part) + " cannot be packed");
  }
  NodeId all = no_node;
  unsigned width = 0;
  for (const Value& value : parts) {
    const NodeId low = builder_.make(Op::bitcast, {TypeKind::bits, part.bits}, {value.node});
    width += part.bits;
    all = all == no_node ? low : builder_.make(Op::concat, {TypeKind::bits, width}, {low, all});
  }
  return typed(all, {part.kind, bits, static_cast<unsigned>(parts.size())});
}

}  // namespace gfxisa::core
