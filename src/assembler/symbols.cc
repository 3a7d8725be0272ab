#include "assembler/symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gfxisa::assembler {

namespace {

constexpr unsigned deepest = 200;
// Of one expression, and of all together: wrong input ends too.
constexpr u64 most_steps = 100'000, most_steps_of_all = 200'000'000;

struct SpecifierName {
  std::string_view name;
  Specifier specifier;
};
constexpr std::array specifiers = {
    SpecifierName{"rel32@lo", Specifier::rel32_lo},
    SpecifierName{"rel32@hi", Specifier::rel32_hi},
    SpecifierName{"gotpcrel32@lo", Specifier::gotpcrel32_lo},
    SpecifierName{"gotpcrel32@hi", Specifier::gotpcrel32_hi},
    SpecifierName{"abs32@lo", Specifier::abs32_lo},
    SpecifierName{"abs32@hi", Specifier::abs32_hi},
    SpecifierName{"gotpcrel", Specifier::gotpcrel},
    SpecifierName{"abs64", Specifier::abs64},
    SpecifierName{"rel64", Specifier::rel64},
};

}  // namespace

std::string_view specifier_name(Specifier specifier) {
  for (const SpecifierName& row : specifiers) {
    if (row.specifier == specifier) return row.name;
  }
  return {};
}

bool SymbolTable::fail(std::string problem) {
  if (problem_.empty()) problem_ = std::move(problem);
  return false;
}

u32 SymbolTable::find(std::string_view name) {
  const auto [found, is_new] = by_name_.try_emplace(std::string(name), static_cast<u32>(symbols_.size()));
  if (is_new) {
    Symbol& symbol = symbols_.emplace_back();
    symbol.name = name;
    symbol.is_temporary = name.starts_with(".L");
    is_noted_.push_back(false);
  }
  return found->second;
}

std::optional<u32> SymbolTable::find_known(std::string_view name) const {
  const auto found = by_name_.find(std::string(name));
  if (found == by_name_.end()) return {};
  return found->second;
}

u32 SymbolTable::add_temporary(u32 section, u64 offset) {
  Symbol& symbol = symbols_.emplace_back();
  symbol.state = Symbol::State::label;
  symbol.section = section;
  symbol.offset = offset;
  symbol.is_temporary = true;
  is_noted_.push_back(false);
  return static_cast<u32>(symbols_.size() - 1);
}

u32 SymbolTable::add_section(std::string_view name, u32 section) {
  const u32 index = add_temporary(section, 0);
  symbols_[index].name = name;
  symbols_[index].is_section = true;
  symbols_[index].type = 3;  // STT_SECTION
  note(index);
  return index;
}

u32 SymbolTable::define_local(i64 number) {
  std::vector<u32>& all = local_[number];
  std::size_t& defined = local_defined_[number];
  if (defined == all.size()) {
    all.push_back(add_temporary(current_section, current_offset));
  } else {
    Symbol& symbol = symbols_[all[defined]];
    symbol.state = Symbol::State::label;
    symbol.section = current_section;
    symbol.offset = current_offset;
  }
  return all[defined++];
}

bool SymbolTable::local_label(i64 number, bool is_forward, text::Value& value) {
  ++questions_;
  const std::size_t defined = local_defined_[number];
  std::vector<u32>& all = local_[number];
  if (!is_forward && defined == 0) return false;
  if (is_forward && defined == all.size()) {
    all.push_back(add_temporary(0, 0));
    Symbol& symbol = symbols_[all.back()];
    symbol.state = Symbol::State::undefined;
    symbol.name = std::to_string(number) + "f";
  }
  value = {};
  value.later = symbol_expression(all[is_forward ? defined : defined - 1]);
  return true;
}

void SymbolTable::note(u32 symbol) {
  if (is_noted_[symbol]) return;
  is_noted_[symbol] = true;
  noted_.push_back(symbol);
}

void SymbolTable::note_all(u32 expression) {
  const Node& node = nodes_[expression];
  switch (node.kind) {
    case Node::Kind::number:
      break;
    case Node::Kind::symbol:
      note(node.a);
      break;
    case Node::Kind::unary:
      note_all(node.a);
      break;
    case Node::Kind::binary:
      note_all(node.a);
      note_all(node.b);
      break;
    case Node::Kind::call:
      for (u32 i = 0; i < node.b; ++i) note_all(arguments_[node.a + i]);
      break;
  }
}

u32 SymbolTable::add_node(const Node& node) {
  nodes_.push_back(node);
  return static_cast<u32>(nodes_.size() - 1);
}

u32 SymbolTable::symbol_expression(u32 symbol, Specifier specifier) {
  Node node;
  node.kind = Node::Kind::symbol;
  node.a = symbol;
  node.specifier = specifier;
  return add_node(node);
}

u32 SymbolTable::node_of(const text::Value& value) {
  if (value.later != 0) return value.later;
  Node node;
  node.number = value.integer;
  return add_node(node);
}

bool SymbolTable::value_of(std::string_view name, text::Value& value) {
  ++questions_;
  value = {};
  if (name == ".") {
    value.later = symbol_expression(add_temporary(current_section, current_offset));
    return true;
  }
  Specifier specifier = Specifier::none;
  if (const std::size_t at = name.find('@'); at != std::string_view::npos) {
    for (const SpecifierName& row : specifiers) {
      if (row.name == name.substr(at + 1)) specifier = row.specifier;
    }
    if (specifier == Specifier::none) return false;
    name = name.substr(0, at);
  }
  const u32 index = find(name);
  const Symbol& symbol = symbols_[index];
  if (symbol.state == Symbol::State::variable && symbol.expression == 0 && specifier == Specifier::none)
    value.integer = symbol.constant;
  else
    value.later = symbol_expression(index, specifier);
  return true;
}

bool SymbolTable::combine(text::Operator op, const text::Value& left, const text::Value& right, text::Value& result) {
  const bool is_unary =
      op == text::Operator::negate || op == text::Operator::complement || op == text::Operator::is_zero;
  if (left.is_float || right.is_float) return false;
  Node node;
  node.kind = is_unary ? Node::Kind::unary : Node::Kind::binary;
  node.op = op;
  node.a = node_of(left);
  node.b = is_unary ? 0 : node_of(right);
  node.depth = static_cast<u16>(std::max(nodes_[node.a].depth, nodes_[node.b].depth) + 1);
  if (node.depth > deepest) return false;
  result = {};
  result.later = add_node(node);
  return true;
}

bool SymbolTable::is_function(std::string_view name) const {
  for (const std::string_view known : {"max", "or", "extrasgprs", "totalnumvgprs", "alignto", "occupancy"}) {
    if (name == known) return true;
  }
  return false;
}

bool SymbolTable::call(std::string_view name, std::span<const text::Value> arguments, text::Value& result) {
  const Function function = name == "max"             ? Function::max
                            : name == "or"            ? Function::bit_or
                            : name == "extrasgprs"    ? Function::extra_sgprs
                            : name == "totalnumvgprs" ? Function::total_vgprs
                            : name == "alignto"       ? Function::align_to
                                                      : Function::occupancy;
  const std::size_t count = function == Function::extra_sgprs                                     ? 3
                            : function == Function::total_vgprs || function == Function::align_to ? 2
                            : function == Function::occupancy                                     ? 7
                                                                                                  : 0;
  if (count != 0 && arguments.size() != count) return false;
  Node node;
  node.kind = Node::Kind::call;
  node.function = function;
  std::vector<u32> nodes;
  for (const text::Value& argument : arguments) {
    if (argument.is_float) return false;
    nodes.push_back(node_of(argument));
    node.depth = std::max<u16>(node.depth, static_cast<u16>(nodes_[nodes.back()].depth + 1));
  }
  if (node.depth > deepest) return false;
  node.a = static_cast<u32>(arguments_.size());
  node.b = static_cast<u32>(nodes.size());
  arguments_.insert(arguments_.end(), nodes.begin(), nodes.end());
  result = {};
  result.later = add_node(node);
  return true;
}

// ---- values

void SymbolTable::begin_evaluation() {
  if (!is_finished_ && !known_.empty()) known_.clear();
  steps_ = 0;
  problem_.clear();
}

bool SymbolTable::evaluate(u32 expression, Relocatable& result, std::string& problem) {
  begin_evaluation();
  const bool is_good = evaluate_node(expression, result, 0);
  problem = problem_;
  return is_good;
}

bool SymbolTable::evaluate_symbol(u32 symbol, Relocatable& result, std::string& problem) {
  begin_evaluation();
  const bool is_good = evaluate_variable(symbol, result, 0);
  problem = problem_;
  return is_good;
}

bool SymbolTable::evaluate_node(u32 index, Relocatable& result, unsigned depth) {
  if (depth > deepest || ++steps_ > most_steps || ++all_steps_ > most_steps_of_all)
    return fail("the expression is too complicated");
  const Node node = nodes_[index];
  result = {};
  switch (node.kind) {
    case Node::Kind::number:
      result.constant = node.number;
      return true;
    case Node::Kind::symbol:
      if (!evaluate_variable(node.a, result, depth)) return false;
      if (node.specifier != Specifier::none) result.specifier = node.specifier;
      return true;
    case Node::Kind::unary:
      if (!evaluate_node(node.a, result, depth + 1)) return false;
      if (node.op == text::Operator::negate) std::swap(result.plus, result.minus);
      if (!result.is_number() && node.op != text::Operator::negate)
        return fail("only + and - go with symbols that are places");
      return text::apply(node.op, result.constant, 0, result.constant);
    case Node::Kind::binary:
      return evaluate_binary(node, result, depth);
    case Node::Kind::call:
      return evaluate_call(node, result, depth);
  }
  return false;
}

bool SymbolTable::evaluate_variable(u32 index, Relocatable& result, unsigned depth) {
  Symbol& symbol = symbols_[index];
  result = {};
  if (symbol.state != Symbol::State::variable) return result.plus = index, true;
  if (symbol.expression == 0) return result.constant = symbol.constant, true;
  if (const auto found = known_.find(index); found != known_.end()) return result = found->second, true;
  if (symbol.is_being_evaluated) return fail(fmt::format("'{}' is defined by itself", symbol.name));
  symbol.is_being_evaluated = true;
  const bool is_good = evaluate_node(symbol.expression, result, depth + 1);
  symbols_[index].is_being_evaluated = false;
  if (!is_good) return false;
  // Another name of a place that others may replace stays a name.
  const bool is_place =
      result.plus != no_symbol && result.minus == no_symbol && symbols_[result.plus].state == Symbol::State::label;
  if (is_place && symbols_[index].binding.value_or(0) != 0) {
    result = {};
    result.plus = index;
  }
  known_[index] = result;
  return true;
}

bool SymbolTable::evaluate_binary(const Node& node, Relocatable& result, unsigned depth) {
  Relocatable left, right;
  if (!evaluate_node(node.a, left, depth + 1) || !evaluate_node(node.b, right, depth + 1)) return false;
  if (node.op == text::Operator::add || node.op == text::Operator::subtract)
    return add(left, right, node.op == text::Operator::subtract, result);
  fold(left);
  fold(right);
  if (!left.is_number() || !right.is_number()) return fail("only + and - go with symbols that are places");
  return text::apply(node.op, left.constant, right.constant, result.constant) || fail("division by zero");
}

bool SymbolTable::add(const Relocatable& left, const Relocatable& right, bool is_subtraction, Relocatable& result) {
  Relocatable other = right;
  if (is_subtraction) std::swap(other.plus, other.minus);
  const u64 a = static_cast<u64>(left.constant), b = static_cast<u64>(right.constant);
  result.constant = static_cast<i64>(is_subtraction ? a - b : a + b);
  // Places that cancel each other: a - b + b.
  u32 plus[2] = {left.plus, other.plus}, minus[2] = {left.minus, other.minus};
  for (u32& up : plus) {
    for (u32& down : minus) {
      if (up == no_symbol || down == no_symbol) continue;
      Relocatable pair;
      pair.plus = up;
      pair.minus = down;
      fold(pair);
      if (!pair.is_number()) continue;
      result.constant = static_cast<i64>(static_cast<u64>(result.constant) + static_cast<u64>(pair.constant));
      up = down = no_symbol;
    }
  }
  if ((plus[0] != no_symbol && plus[1] != no_symbol) || (minus[0] != no_symbol && minus[1] != no_symbol))
    return fail("the sum of two places is no place");
  result.plus = plus[0] != no_symbol ? plus[0] : plus[1];
  result.minus = minus[0] != no_symbol ? minus[0] : minus[1];
  result.specifier = left.specifier != Specifier::none ? left.specifier : right.specifier;
  return true;
}

/// The difference of two places in one section is a number.
void SymbolTable::fold(Relocatable& value) const {
  if (value.plus == no_symbol || value.minus == no_symbol) return;
  const Symbol &a = symbols_[value.plus], &b = symbols_[value.minus];
  const bool is_same = value.plus == value.minus;
  const bool are_places = a.state == Symbol::State::label && b.state == Symbol::State::label && a.section == b.section;
  if (!is_same && !are_places) return;
  if (!is_same) value.constant = static_cast<i64>(static_cast<u64>(value.constant) + a.offset - b.offset);
  value.plus = value.minus = no_symbol;
}

bool SymbolTable::evaluate_call(const Node& node, Relocatable& result, unsigned depth) {
  std::vector<i64> values;
  for (u32 i = 0; i < node.b; ++i) {
    Relocatable value;
    if (!evaluate_node(arguments_[node.a + i], value, depth + 1)) return false;
    fold(value);
    if (!value.is_number()) {
      const u32 symbol = value.plus != no_symbol ? value.plus : value.minus;
      return fail(fmt::format("'{}' is not known", symbols_[symbol].name));
    }
    values.push_back(value.constant);
  }
  const auto called = call_value(node.function, values);
  if (!called) return fail("the function has no value for these arguments");
  result.constant = *called;
  return true;
}

static i64 aligned(i64 value, i64 alignment) {
  return alignment <= 0 ? value : (value + alignment - 1) / alignment * alignment;
}

std::optional<i64> SymbolTable::call_value(Function function, std::span<const i64> arguments) const {
  constexpr i64 limit = i64{1} << 40;  // what is counted here is small; larger numbers would overflow
  i64 total = arguments[0];
  switch (function) {
    case Function::max:
      for (const i64 value : arguments) total = std::max(total, value);
      return total;
    case Function::bit_or:
      for (const i64 value : arguments) total |= value;
      return total;
    default:
      break;
  }
  for (const i64 value : arguments) {
    if (value < 0 || value > limit) return {};
  }
  switch (function) {
    case Function::total_vgprs:
      if (facts_.has_unified_registers && arguments[0] != 0) return aligned(arguments[1], 4) + arguments[0];
      return std::max(arguments[0], arguments[1]);
    case Function::extra_sgprs:
      return extra_scalar_registers(facts_, arguments[0] != 0, arguments[1] != 0, arguments[2] != 0);
    case Function::align_to:
      if (arguments[1] == 0) return {};
      return aligned(arguments[0], arguments[1]);
    case Function::occupancy: {
      const i64 most = arguments[0], granule = arguments[1], all = arguments[2];
      i64 waves = arguments[4];
      if (granule == 0) return {};
      // By scalar registers only where they are allocated one wave at a time: before gfx10.
      if (arguments[5] != 0 && facts_.major < 10) {
        const i64 count = arguments[5];
        waves = std::min<i64>(waves, count <= 80 ? 10 : count <= 88 ? 9 : count <= 100 ? 8 : 7);
      }
      if (arguments[6] != 0) waves = std::min(waves, std::clamp<i64>(all / aligned(arguments[6], granule), 1, most));
      return waves;
    }
    default:
      return {};
  }
}

unsigned extra_scalar_registers(const TargetFacts& facts, bool uses_vcc, bool uses_flat_scratch, bool uses_xnack) {
  if (facts.major >= 10) return uses_vcc ? 2 : 0;
  if (uses_flat_scratch || facts.has_architected_scratch) return 6;
  return uses_xnack ? 4 : uses_vcc ? 2 : 0;
}

}  // namespace gfxisa::assembler
