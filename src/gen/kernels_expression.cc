// Pure nodes as C++ expressions.
#include <array>
#include <optional>

#include "gen/kernels_body.h"

namespace gfxisa::gen {

using core::Node;
using core::NodeId;
using core::Op;
using core::Type;
using core::TypeKind;

namespace {

unsigned storage_bits_of(Type type) { return type.bits <= 32 ? 32 : type.bits <= 64 ? 64 : 128; }
Type unsigned_of(Type type) { return {TypeKind::unsigned_, type.bits}; }
bool is_narrow_float(Type type) { return type.is_float() && type.bits == 16; }
std::string number(u64 value) { return std::to_string(value); }

std::string call(std::string_view function, std::initializer_list<std::string> arguments) {
  std::string text(function);
  text += '(';
  for (const std::string& argument : arguments) {
    if (text.back() != '(') text += ", ";
    text += argument;
  }
  return text + ")";
}

}  // namespace

std::string storage_of(Type type) {
  if (type.kind == TypeKind::bfloat) return "Brain";
  if (type.kind == TypeKind::float_) return type.bits == 16 ? "Half" : type.bits == 32 ? "f32" : "f64";
  if (type.kind == TypeKind::none) return "void";
  return (type.kind == TypeKind::signed_ ? "i" : "u") + std::to_string(storage_bits_of(type));
}

std::string BodyWriter::value(NodeId id) {
  if (id >= body_.nodes.size()) {
    fail("a node is missing");
    return "0u";
  }
  const Node& node = body_.nodes[id];
  if (node.op == Op::constant) return constant(node);
  return names_[id].empty() ? define(id) : names_[id];
}

std::string BodyWriter::define(NodeId id) {
  const Node& node = body_.nodes[id];
  std::string text = expression(node);
  if (is_exact_ && node.op >= Op::int_to_float && node.op < Op::current) {
    const std::string control = float_control_of(body_, node, needs_).text();
    text = "under(float_control" + control + "(mode_bits), [&] { return " + text + "; })";
  }
  const std::string name = "n" + std::to_string(id);
  line("const " + storage_of(node.type) + " " + name + " = " + text + ";");
  name_node(id, name);
  return name;
}

std::string BodyWriter::constant(const Node& node) const {
  const Type type = node.type;
  const std::string digits = number(node.immediate) + "ull";
  if (type.is_float()) {
    return "value_of_bits<" + storage_of(type) + ">(" + number(node.immediate) + (type.bits == 64 ? "ull)" : "u)");
  }
  if (type.kind == TypeKind::signed_)
    return fitted("static_cast<" + storage_of(type) + ">(static_cast<i64>(" + digits + "))", type);
  return type.bits <= 32 ? number(node.immediate) + "u" : "static_cast<" + storage_of(type) + ">(" + digits + ")";
}

/// The value of `id` stored as `type`, whose width it has; only the sign may differ.
std::string BodyWriter::operand(NodeId id, Type type) {
  const std::string text = value(id);
  if (id >= body_.nodes.size()) return text;
  const Type own = body_.nodes[id].type;
  if (storage_of(own) == storage_of(type) || own.is_float()) return text;
  return call("fit<" + storage_of(type) + ", " + number(type.bits) + ">", {text});
}

std::string BodyWriter::fitted(const std::string& text, Type type) const {
  if (type.is_float() || type.bits == storage_bits_of(type)) return text;
  return call("fit<" + storage_of(type) + ", " + number(type.bits) + ">", {text});
}

std::string BodyWriter::expression(const Node& node) {
  if (node.op < Op::add) return leaf(node);
  if (node.op < Op::select) return integer_expression(node);
  if (node.op < Op::zext) return bit_expression(node);
  if (node.op < Op::fadd) return conversion(node);
  if (node.op < Op::current) return float_expression(node);
  fail(std::string(name_of(node.op)) + " outside an evaluate statement");
  return "0u";
}

std::string BodyWriter::leaf(const Node& node) {
  switch (node.op) {
    case Op::lane:
      return "lane";
    case Op::wave_size:
      return "wave_lanes";
    case Op::next_pc:
      return "following";
    case Op::register_number: {
      const SlotPlace& place = places_[node.immediate];
      const bool is_input = place.input >= 0;
      if (!is_input && place.output < 0) fail("slot " + body_.slots[node.immediate].name + " has no register");
      return std::string("register_number(wave, step->") + (is_input ? "in[" : "out[") +
             number(static_cast<u64>(std::max(0, is_input ? place.input : place.output))) + "])";
    }
    case Op::active:
      return "static_cast<u32>(active_lanes >> (" + value(node.args[0]) + " & 63u) & 1u)";
    case Op::first_active:
      return "first_lane_of(active_lanes)";
    case Op::lane_input:
      return lane_input(node);
    default:
      fail(std::string(name_of(node.op)) + " where it has no value");
      return "0u";
  }
}

/// Comparing a bit with a constant is that bit or its opposite; compilers vectorise that better. Empty otherwise.
std::string BodyWriter::bit_test(const Node& node) {
  const bool compares = node.op == Op::eq || node.op == Op::ne;
  if (!compares || body_.nodes[node.args[0]].type.bits != 1 || body_.nodes[node.args[1]].op != Op::constant) return {};
  const bool is_same = (body_.nodes[node.args[1]].immediate & 1) == (node.op == Op::eq ? 1u : 0u);
  const std::string bit = operand(node.args[0], {TypeKind::unsigned_, 1});
  return is_same ? bit : "(" + bit + " ^ 1u)";
}

std::string BodyWriter::integer_expression(const Node& node) {
  if (const std::string test = bit_test(node); !test.empty()) return test;
  const Type own = body_.nodes[node.args[0]].type;
  const std::string width = "<" + number(node.type.bits) + ">";
  const std::string own_width = "<" + number(own.bits) + ">";
  const auto typed = [&](unsigned i) { return operand(node.args[i], node.type); };
  const auto compared = [&](unsigned i) { return operand(node.args[i], own); };
  const auto infix = [&](const char* sign) { return "(" + typed(0) + " " + sign + " " + typed(1) + ")"; };
  const auto relation = [&](const char* sign) {
    return "static_cast<u32>(" + compared(0) + " " + sign + " " + compared(1) + ")";
  };
  switch (node.op) {
    case Op::add:
      return fitted(call("add", {typed(0), typed(1)}), node.type);
    case Op::sub:
      return fitted(call("subtract", {typed(0), typed(1)}), node.type);
    case Op::mul:
      return fitted(call("multiply", {typed(0), typed(1)}), node.type);
    case Op::div:
      return fitted(call("divide", {typed(0), typed(1)}), node.type);
    case Op::rem:
      return fitted(call("remainder", {typed(0), typed(1)}), node.type);
    case Op::bit_and:
      return infix("&");
    case Op::bit_or:
      return infix("|");
    case Op::bit_xor:
      return infix("^");
    case Op::bit_not:
      return fitted("~" + typed(0), node.type);
    case Op::neg:
      return fitted(call("negate", {typed(0)}), node.type);
    case Op::shl:
      return fitted(call("shift_left" + width, {typed(0), value(node.args[1])}), node.type);
    case Op::shr:
      return call("shift_right" + width, {typed(0), value(node.args[1])});
    case Op::eq:
      return relation("==");
    case Op::ne:
      return relation("!=");
    case Op::lt:
      return relation("<");
    case Op::le:
      return relation("<=");
    case Op::min:
      return call("minimum", {typed(0), typed(1)});
    case Op::max:
      return call("maximum", {typed(0), typed(1)});
    case Op::abs:
      return fitted(call("absolute", {typed(0)}), node.type);
    case Op::carry:
      return call("carry_out" + own_width, {compared(0), compared(1), value(node.args[2])});
    case Op::mul_hi:
      if (node.type.bits > 64) fail("mul_hi of more than 64 bits");
      return fitted(call("multiply_high" + width, {typed(0), typed(1)}), node.type);
    case Op::popcount:
      return call("population_count" + own_width, {compared(0)});
    case Op::clz:
      return call("count_leading_zeros" + own_width, {compared(0)});
    case Op::ctz:
      return call("count_trailing_zeros" + own_width, {compared(0)});
    case Op::two_over_pi:
      return call("two_over_pi", {value(node.args[0])});
    default:
      return call("reverse" + width, {typed(0)});
  }
}

std::string BodyWriter::bit_expression(const Node& node) {
  const std::string storage = storage_of(node.type);
  if (node.op == Op::select) {
    return call("choose", {value(node.args[0]), operand(node.args[1], node.type), operand(node.args[2], node.type)});
  }
  if (node.op == Op::extract) {
    const std::string types = "slice<" + storage + ", " + number(node.type.bits) + ">";
    return call(types, {value(node.args[0]), number(node.immediate) + "u"});
  }
  const auto part = [&](unsigned i) {
    const unsigned bits = body_.nodes[node.args[i]].type.bits;
    return call("fit<" + storage_of(unsigned_of(node.type)) + ", " + number(bits) + ">", {value(node.args[i])});
  };
  const unsigned low_bits = body_.nodes[node.args[1]].type.bits;
  return "(" + part(0) + " << " + number(low_bits) + "u | " + part(1) + ")";
}

/// The low word of a pair of words shifted right, as an operation on words; empty when `node` is something else.
std::string BodyWriter::funnel_shift(const Node& node) {
  const Node& shift = body_.nodes[node.args[0]];
  if (node.op != Op::trunc || node.type.bits != 32 || shift.op != Op::shr || !names_[node.args[0]].empty()) return {};
  const Node& pair = body_.nodes[shift.args[0]];
  if (shift.type.kind == TypeKind::signed_ || pair.op != Op::concat || pair.type.bits != 64) return {};
  if (body_.nodes[pair.args[0]].type.bits != 32) return {};
  const Type word{TypeKind::unsigned_, 32};
  const std::string text =
      call("funnel_shift_right", {operand(pair.args[0], word), operand(pair.args[1], word), value(shift.args[1])});
  return "static_cast<" + storage_of(node.type) + ">(" + text + ")";
}

std::string BodyWriter::conversion(const Node& node) {
  const Type from = body_.nodes[node.args[0]].type;
  const Type to = node.type;
  if (const std::string funnel = funnel_shift(node); !funnel.empty()) return funnel;
  const std::string text = value(node.args[0]);
  const std::string storage = storage_of(to);
  const std::string fit_to = "fit<" + storage + ", " + number(to.bits) + ">";
  const std::string mode = mode_argument(node);
  switch (node.op) {
    case Op::zext:
      return "static_cast<" + storage + ">(" +
             call("fit<" + storage_of(unsigned_of(to)) + ", " + number(from.bits) + ">", {text}) + ")";
    case Op::sext:
      return call(fit_to,
                  {call("fit<" + storage_of({TypeKind::signed_, to.bits}) + ", " + number(from.bits) + ">", {text})});
    case Op::trunc:
      return call(fit_to, {text});
    case Op::bitcast:
      if (to.is_float()) return call("value_of_bits<" + storage + ">", {operand(node.args[0], unsigned_of(from))});
      return call(fit_to, {call("bits_of_value", {body_.is_ieee && from.is_float() ? call("one_nan", {text}) : text})});
    case Op::int_to_float:
      if (from.bits > 64) fail("a float of an integer of more than 64 bits");
      if (is_narrow_float(to)) return "integer_to_narrow<" + storage + ">(" + text + mode + ")";
      return call(to.bits == 32 ? "integer_to_f32" : "integer_to_f64", {text});
    case Op::float_to_int:
      if (to.bits > 64) fail("an integer of more than 64 bits of a float");
      return "to_integer<" + storage + ", " + number(to.bits) + ">(" + text + mode + ")";
    default:
      if (is_narrow_float(to)) return "float_to_narrow<" + storage + ">(" + text + mode + ")";
      return (to.bits == 32 ? "float_to_f32(" : "float_to_f64(") + text + mode + ")";
  }
}

/// `, half_mode` for operations that read or make a 16-bit float. Between two of them: how the one is read, the other
/// made.
std::string BodyWriter::mode_argument(const Node& node) const {
  const Type from = body_.nodes[node.args[0]].type;
  const auto name = [](Type type) { return type.kind == TypeKind::bfloat ? "brain_mode" : "half_mode"; };
  const bool reads = is_narrow_float(from);
  const bool makes = is_narrow_float(node.type);
  if (reads && makes && from != node.type) {
    return std::string(", FloatMode{") + name(from) + ".flush_inputs, " + name(node.type) + ".flush_outputs}";
  }
  return reads ? std::string(", ") + name(from) : makes ? std::string(", ") + name(node.type) : "";
}

std::string BodyWriter::float_call(std::string_view function, const Node& node, bool takes_mode) {
  std::string text(function);
  text += '(';
  for (const NodeId argument : node.args) {
    if (argument == core::no_node) break;
    if (text.back() != '(') text += ", ";
    text += value(argument);
  }
  return text + (takes_mode ? mode_argument(node) : "") + ")";
}

namespace {

struct FloatFunction {
  Op op;
  const char* name;
  bool takes_mode = true;
};
constexpr FloatFunction float_functions[] = {
    {Op::fadd, "float_add"},
    {Op::fsub, "float_subtract"},
    {Op::fmul, "float_multiply"},
    {Op::fdiv, "float_divide"},
    {Op::ffma, "float_multiply_add"},
    {Op::fsqrt, "float_square_root"},
    {Op::fneg, "float_negate", false},
    {Op::fabs, "float_absolute", false},
    {Op::fmin, "float_minimum"},
    {Op::fmax, "float_maximum"},
    {Op::fmin_num, "float_minimum_number"},
    {Op::fmax_num, "float_maximum_number"},
    {Op::fmed3, "float_median"},
    {Op::ftrunc, "float_truncate"},
    {Op::fceil, "float_ceil"},
    {Op::ffloor, "float_floor"},
    {Op::fround, "float_round_even"},
    {Op::ffract, "float_fraction"},
    {Op::fldexp, "float_scale"},
    {Op::ffrexp_exp, "float_exponent"},
    {Op::ffrexp_mant, "float_mantissa"},
    {Op::fclass, "float_class", false},
    {Op::fquiet, "quieted", false},
    {Op::fflush, "float_flush"},
    {Op::frcp, "float_reciprocal"},
    {Op::frsq, "float_reciprocal_root"},
    {Op::fexp2, "float_power_of_two"},
    {Op::flog2, "float_logarithm"},
    {Op::fsin, "float_sine"},
    {Op::fcos, "float_cosine"},
};

}  // namespace

std::string BodyWriter::float_expression(const Node& node) {
  // Which NaN it is shows only where bits are taken, so these need no care.
  if ((body_.is_ieee || is_quick_) && node.type.is_float() && node.type.bits >= 32) {
    if (node.op == Op::fadd) return "(" + value(node.args[0]) + " + " + value(node.args[1]) + ")";
    if (node.op == Op::fsub) return "(" + value(node.args[0]) + " - " + value(node.args[1]) + ")";
    if (node.op == Op::fmul) return "(" + value(node.args[0]) + " * " + value(node.args[1]) + ")";
    if (node.op == Op::ffma) return float_call("fused", node, false);
  }
  if (node.op == Op::fcmp) return float_call("compare<" + number(node.immediate & 15) + ">", node, true);
  if (node.op == Op::fclamp) return "float_clamp(" + value(node.args[0]) + ", nan_to_zero" + mode_argument(node) + ")";
  for (const FloatFunction& row : float_functions) {
    if (row.op == node.op) return fitted(float_call(row.name, node, row.takes_mode), node.type);
  }
  fail("no function for " + std::string(name_of(node.op)));
  return "0u";
}

}  // namespace gfxisa::gen
