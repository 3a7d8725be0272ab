// Expressions: operators, names, slices.
#include <algorithm>

#include "base/suggest.h"
#include "core/checker.h"
#include "core/integer.h"

namespace gfxisa::core {
namespace {

constexpr u32 deepest = 200;        // nested expressions and calls
constexpr u32 most_steps = 500000;  // expressions of one body, inlined functions included
constexpr Type boolean{TypeKind::bits, 1};
constexpr Type count_type{TypeKind::unsigned_, 32};

std::optional<Op> operation_of(std::string_view text) {
  constexpr std::pair<std::string_view, Op> table[] = {{"+", Op::add},    {"-", Op::sub},    {"*", Op::mul},
                                                       {"/", Op::div},    {"%", Op::rem},    {"&", Op::bit_and},
                                                       {"|", Op::bit_or}, {"^", Op::bit_xor}};
  for (const auto& [name, op] : table) {
    if (name == text) return op;
  }
  return std::nullopt;
}

std::string_view verb_of(std::string_view text) {
  if (text == "<<" || text == ">>") return "shift";
  if (text == "+") return "add";
  if (text == "-") return "subtract";
  if (text == "*") return "multiply";
  if (text == "/" || text == "%") return "divide";
  if (operation_of(text)) return "combine the bits of";
  return "compare";
}

std::string_view float_function_of(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> table[] = {
      {"+", "fadd"},      {"-", "fsub"},    {"*", "fmul"},     {"/", "fdiv"},    {"==", "fcmp.eq"},
      {"!=", "fcmp.neq"}, {"<", "fcmp.lt"}, {"<=", "fcmp.le"}, {">", "fcmp.gt"}, {">=", "fcmp.ge"}};
  for (const auto& [name, function] : table) {
    if (name == text) return function;
  }
  return "bits(x)";
}

/// Whether the parser made all parts; what it could not read it has reported.
bool is_whole(const lang::Expression& e) {
  using Kind = lang::Expression::Kind;
  const std::size_t least = e.kind == Kind::unary                             ? 1
                            : e.kind == Kind::binary || e.kind == Kind::index ? 2
                            : e.kind == Kind::select || e.kind == Kind::slice ? 3
                                                                              : 0;
  return e.args.size() >= least &&
         std::all_of(e.args.begin(), e.args.end(), [](const auto& a) { return a != nullptr; });
}

}  // namespace

Value Checker::expression(const Expression& e) {
  if (too_large_) return {};
  if (!is_whole(e)) return error(e.at, "this expression is not complete");
  if (++steps_ > most_steps || depth_ >= deepest) {
    too_large_ = true;
    return error(
        e.at, depth_ >= deepest ? "this is nested too deeply" : "this body is too large when its functions are put in",
        "a function may not call itself, directly or through others");
  }
  ++depth_;
  const Value value = expression_of_kind(e);
  --depth_;
  const bool is_nothing = value.is_typed() && value.type.kind == TypeKind::none;
  return is_nothing ? error(e.at, "'" + e.text + "' gives no value", "it is a statement of its own") : value;
}

Value Checker::expression_of_kind(const Expression& e) {
  using Kind = Expression::Kind;
  switch (e.kind) {
    case Kind::number:
      return number(e);
    case Kind::real:
      return {Value::Kind::real, {}, no_node, 0, e.real};
    case Kind::name:
      return name(e);
    case Kind::unary:
      return unary(e);
    case Kind::binary:
      return binary(e);
    case Kind::select:
      return choice(e);
    case Kind::slice:
      return slice(e);
    case Kind::index:
      return index(e);
    case Kind::call:
      return call(e);
  }
  return {};
}

Value Checker::number(const Expression& e) { return literal(static_cast<i128>(e.value)); }

std::optional<Value> Checker::leaf(const std::string& text) {
  if (text == "wave_size") return typed(builder_.make(Op::wave_size, count_type), count_type);
  if (text == "lane" && body_.kind == BodyKind::lane) return typed(builder_.make(Op::lane, count_type), count_type);
  if (text == "pc.next") return typed(builder_.make(Op::next_pc, {TypeKind::unsigned_, 64}), {TypeKind::unsigned_, 64});
  return std::nullopt;
}

Value Checker::name(const Expression& e) {
  for (std::size_t i = locals_.size(); i > first_local_; --i) {
    if (locals_[i - 1].first == e.text) return locals_[i - 1].second;
  }
  if (frames_.empty()) {
    if (const auto slot = slot_named(e.text)) return read_slot(*slot, e.at);
  }
  if (const auto value = leaf(e.text)) return *value;
  return word_value(resolved(e.text), e);
}

/// A name that is none of the above: the value of a list may be a number or another name.
Value Checker::word_value(const std::string& text, const Expression& e) {
  if (text != e.text) {
    const bool negative = text.starts_with("-");
    const std::string digits = text.substr(negative ? 1 : 0);
    const bool is_number = !digits.empty() && digits.size() < 19 &&
                           std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (is_number) return literal(negative ? -static_cast<i128>(std::stoll(digits)) : std::stoll(digits));
    if (frames_.empty()) {
      if (const auto slot = slot_named(text)) return read_slot(*slot, e.at);
    }
    if (const auto value = leaf(text)) return *value;
  }
  if (text == "lane")
    return error(e.at, "there is no lane here", "use `exec lane`, or `for lane in active` in `exec wave`");
  if (type_named(text).kind != TypeKind::none) {
    return error(e.at, "'" + text + "' is a type, not a value", "convert with " + text + "(x)");
  }
  if (!frames_.empty() && slot_named(text)) {
    return error(e.at, "a function does not see the operand '" + text + "'", "pass it as an argument");
  }
  return error(e.at, "unknown name '" + text + "'", suggestion(text, known_names()));
}

Value Checker::unary(const Expression& e) {
  const Value x = expression(*e.args[0]);
  if (x.is_error()) return {};
  if (e.text == "!") {
    const auto node = condition(x, e.args[0]->at);
    return node ? typed(builder_.make(Op::bit_not, boolean, {*node}), boolean) : Value();
  }
  const bool negates = e.text == "-";
  if (x.kind == Value::Kind::integer) return literal(negates ? -x.integer : ~x.integer);
  if (x.kind == Value::Kind::real && negates) return {Value::Kind::real, {}, no_node, 0, -x.real};
  const bool is_mask = x.is_typed() && x.type.kind == TypeKind::mask;
  const Value whole = as_integer(x, e.at, negates ? "negate" : "invert");
  if (whole.is_error()) return {};
  const NodeId node = builder_.make(negates ? Op::neg : Op::bit_not, whole.type, {whole.node});
  return typed(node, is_mask ? x.type : whole.type);
}

Value Checker::binary(const Expression& e) {
  if (e.text == "&&" || e.text == "||") return logical(e);
  const Argument a{expression(*e.args[0]), e.args[0]->at}, b{expression(*e.args[1]), e.args[1]->at};
  if (a.value.is_error() || b.value.is_error()) return {};
  if (is_static(a.value) && is_static(b.value)) return literal_binary(e, a.value.integer, b.value.integer);
  for (const Argument& side : {a, b}) {
    const bool is_float = side.value.kind == Value::Kind::real || (side.value.is_typed() && side.value.type.is_float());
    if (!is_float || (side.value.is_typed() && side.value.type.elements > 1)) continue;
    const std::string what = side.value.is_typed() ? name_of(side.value.type) : "a float constant";
    return error(e.at, "cannot " + std::string(verb_of(e.text)) + " " + what,
                 "integer operators refuse floats; use " + std::string(float_function_of(e.text)));
  }
  if (e.text == "<<" || e.text == ">>") return shift(e, a, b);
  if (const auto op = operation_of(e.text)) return arithmetic(e, *op, a, b);
  return comparison(e, a, b);
}

/// What is known decides before the other side is typed, so that `width(x) == 64 && x[40] == 1` is fine for every x.
Value Checker::logical(const Expression& e) {
  const bool is_and = e.text == "&&";
  const auto a = condition(expression(*e.args[0]), e.args[0]->at);
  if (!a) return {};
  if (builder_.is_constant(*a) && (builder_.value(*a) != 0) != is_and) return boolean_constant(!is_and);
  const auto b = condition(expression(*e.args[1]), e.args[1]->at);
  if (!b) return {};
  return typed(builder_.make(is_and ? Op::bit_and : Op::bit_or, boolean, {*a, *b}), boolean);
}

Value Checker::literal_binary(const Expression& e, i128 a, i128 b) {
  const std::string& op = e.text;
  if (op == "==") return boolean_constant(a == b);
  if (op == "!=") return boolean_constant(a != b);
  if (op == "<") return boolean_constant(a < b);
  if (op == "<=") return boolean_constant(a <= b);
  if (op == ">") return boolean_constant(a > b);
  if (op == ">=") return boolean_constant(a >= b);
  const Type wide{TypeKind::signed_, 128};
  const Arguments arguments{{wide, wide}, {static_cast<u128>(a), static_cast<u128>(b)}};
  const auto basic = operation_of(op);
  const auto value = integer_value(basic ? *basic : op == "<<" ? Op::shl : Op::shr, wide, arguments, 0);
  return value ? literal(static_cast<i128>(*value)) : error(e.at, "unknown operator '" + op + "'");
}

Value Checker::arithmetic(const Expression& e, Op op, Argument a, Argument b) {
  std::vector<Argument> both{a, b};
  const Type type = unified(both, e.at);
  if (type.kind == TypeKind::none) return {};
  const Value x = as_integer(both[0].value, e.at, verb_of(e.text));
  const Value y = as_integer(both[1].value, e.at, verb_of(e.text));
  if (x.is_error() || y.is_error()) return {};
  return typed(builder_.make(op, x.type, {x.node, y.node}), type);
}

Value Checker::comparison(const Expression& e, Argument a, Argument b) {
  std::vector<Argument> both{a, b};
  if (unified(both, e.at).kind == TypeKind::none) return {};
  Value x = as_integer(both[0].value, e.at, "compare"), y = as_integer(both[1].value, e.at, "compare");
  if (x.is_error() || y.is_error()) return {};
  const bool swapped = e.text[0] == '>';
  if (swapped) std::swap(x, y);
  const Op op = e.text == "==" ? Op::eq : e.text == "!=" ? Op::ne : e.text.size() == 2 ? Op::le : Op::lt;
  return typed(builder_.make(op, boolean, {x.node, y.node}), boolean);
}

/// A shift's count as u32. A count of more bits that is 2^32 or more must stay too large.
std::optional<NodeId> Checker::shift_count(const Argument& count) {
  if (!count.value.is_typed()) return word(count.value, count.at, count_type);
  const Value whole = as_integer(count.value, count.at, "shift by");
  if (whole.is_error()) return std::nullopt;
  const Type type{TypeKind::unsigned_, whole.type.bits};
  const NodeId bits = builder_.make(Op::bitcast, type, {whole.node});
  if (type.bits <= 32) return convert_integer(typed(bits, type), count_type).node;
  const NodeId least = builder_.make(Op::min, type, {bits, builder_.constant(type, 255)});
  return builder_.make(Op::trunc, count_type, {least});
}

Value Checker::shift(const Expression& e, const Argument& a, const Argument& b) {
  const bool is_mask = a.value.is_typed() && a.value.type.kind == TypeKind::mask;
  const Value x = as_integer(a.value, a.value.is_typed() ? e.at : a.at, "shift");
  const auto count = shift_count(b);
  if (x.is_error() || !count) return {};
  const NodeId node = builder_.make(e.text == "<<" ? Op::shl : Op::shr, x.type, {x.node, *count});
  return typed(node, is_mask ? a.value.type : x.type);
}

/// A condition that is known selects its branch before the other is typed.
Value Checker::choice(const Expression& e) {
  const auto chosen = condition(expression(*e.args[0]), e.args[0]->at);
  if (!chosen) return {};
  if (builder_.is_constant(*chosen)) return expression(*e.args[builder_.value(*chosen) ? 1 : 2]);
  std::vector<Argument> both{{expression(*e.args[1]), e.args[1]->at}, {expression(*e.args[2]), e.args[2]->at}};
  const Type type = unified(both, e.at);
  if (type.kind == TypeKind::none) return {};
  return typed(builder_.make(Op::select, plain(type), {*chosen, both[0].value.node, both[1].value.node}), type);
}

Value Checker::slice(const Expression& e) {
  const Value x = expression(*e.args[0]);
  const Value high = expression(*e.args[1]), low = expression(*e.args[2]);
  if (x.is_error() || high.is_error() || low.is_error()) return {};
  const auto high_bit = known_integer(high), low_bit = known_integer(low);
  if (!high_bit || !low_bit) {
    return error(e.args[high_bit ? 2 : 1]->at, "the bounds of a slice are constants", "shift first: (x >> n)[7:0]");
  }
  return sliced(x, *high_bit, *low_bit, e.at, e.args[1]->at);
}

Value Checker::sliced(const Value& x, i128 high, i128 low, Location at, Location high_at) {
  if (!x.is_typed()) return unknown_type(x, at);
  if (x.type.is_float() && x.type.elements == 1) {
    return error(at, "cannot take bits of " + name_of(x.type), "its bits are bits(x)");
  }
  const Type from = plain(x.type);
  if (from.bits > 128) return error(at, name_of(from) + " can only be assigned as a whole");
  const auto text = [](i128 n) { return std::to_string(static_cast<long long>(n)); };
  if (low < 0 || high < low)
    return error(at, "bits " + text(high) + ":" + text(low) + " are no range from high to low");
  if (high >= from.bits) return error(high_at, "bit " + text(high) + " is outside " + name_of(x.type));
  const Type type{TypeKind::bits, static_cast<unsigned>(high - low) + 1};
  return typed(builder_.make(Op::extract, type, {x.node}, static_cast<u64>(low)), type);
}

Value Checker::index(const Expression& e) {
  const Expression& base = *e.args[0];
  const bool is_file = base.kind == Expression::Kind::name && (base.text == "sgpr" || base.text == "vgpr");
  const bool is_lane_of_file = base.kind == Expression::Kind::index && base.args[0]->kind == Expression::Kind::name &&
                               base.args[0]->text == "vgpr";
  if (is_file || is_lane_of_file) return register_file(e);
  const Argument at{expression(*e.args[1]), e.args[1]->at};
  if (at.value.is_error()) return {};
  if (base.kind == Expression::Kind::name && frames_.empty()) {
    const auto slot = slot_named(base.text);
    if (slot && has_lanes(*slot)) return read_lane(*slot, at, e.at);
  }
  const Value x = expression(base);
  if (x.kind == Value::Kind::array) return array_element(x, at, e.at);
  return x.is_error() ? Value() : bit(x, at);
}

/// One bit; beyond the width it is 0.
Value Checker::bit(const Value& x, const Argument& at) {
  if (const auto known = known_integer(at.value)) return sliced(x, *known, *known, at.at, at.at);
  if (!x.is_typed()) return unknown_type(x, at.at);
  if (x.type.is_float() && x.type.elements == 1) {
    return error(at.at, "cannot take bits of " + name_of(x.type), "its bits are bits(x)");
  }
  const auto count = shift_count(at);
  if (!count) return {};
  const Type bits{TypeKind::bits, plain(x.type).bits};
  const NodeId whole = builder_.make(Op::bitcast, bits, {x.node});
  return typed(builder_.make(Op::extract, boolean, {builder_.make(Op::shr, bits, {whole, *count})}, 0), boolean);
}

}  // namespace gfxisa::core
