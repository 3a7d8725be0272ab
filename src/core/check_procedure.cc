// Procedures, the arrays that a body keeps, and the parts of slots that are wider than a value.
#include <algorithm>

#include "core/checker.h"

namespace gfxisa::core {
namespace {

constexpr Type count_type{TypeKind::unsigned_, 32};
constexpr i128 largest_array = 65536;

bool is_name(const lang::Expression& e) { return e.kind == lang::Expression::Kind::name; }

}  // namespace

/// What a name stands for that a `let`, a loop or a parameter gave; nullptr when none did.
const Value* Checker::local(const std::string& name) const {
  for (std::size_t i = locals_.size(); i > first_local_; --i) {
    if (locals_[i - 1].first == name) return &locals_[i - 1].second;
  }
  return nullptr;
}

// ------------------------------------------------------------------------------------------------ procedures

/// The function that a call of `name` calls, which may be a parameter of the procedure around.
std::string Checker::bound_function(const std::string& name) const {
  const Value* value = local(name);
  const bool is_bound = value != nullptr && value->kind == Value::Kind::function;
  return is_bound ? functions_[static_cast<std::size_t>(value->integer)] : resolved(name);
}

const lang::Function* Checker::procedure_named(const std::string& name) const {
  if (scope_.functions == nullptr || find_builtin(name) != nullptr) return nullptr;
  const auto found = scope_.functions->find(name);
  if (found == scope_.functions->end() || found->second == nullptr || found->second->block.empty()) return nullptr;
  const bool has_result = found->second->block.back().kind == lang::Statement::Kind::result;
  return has_result ? nullptr : found->second;
}

bool Checker::in_procedures() const {
  return std::all_of(frames_.begin(), frames_.end(), [](const Frame& frame) { return frame.is_procedure; });
}

/// The name of an operand or of a function goes to a procedure as that, everything else by value.
Value Checker::procedure_argument(const Expression& e) {
  if (!is_name(e)) return expression(e);
  if (const Value* known = local(e.text)) return *known;
  const std::string text = resolved(e.text);
  if (frames_.empty()) {
    const auto slot = slot_named(text);
    if (slot && !has_lanes(*slot)) return read_slot(*slot, e.at);
    if (slot) return {Value::Kind::operand, slot_type(*slot), no_node, static_cast<i128>(*slot), 0};
  }
  if (scope_.functions != nullptr && scope_.functions->count(text) != 0) {
    functions_.push_back(text);
    return {Value::Kind::function, {}, no_node, static_cast<i128>(functions_.size() - 1), 0};
  }
  return expression(e);
}

/// Puts the statements of a procedure in the place of its call.
Value Checker::apply_procedure(const lang::Function& function, const Expression& e) {
  const std::string& name = function.name.text;
  Call call{e.at, name, {}};
  if (!may_have_effects(call)) return {};
  bool known = true;
  for (const auto& argument : e.args) {
    call.arguments.push_back({procedure_argument(*argument), argument->at});
    known = known && !call.arguments.back().value.is_error();
  }
  if (!known || !arity(call, function.parameters.size(), function.parameters.size())) return {};
  if (frames_.size() >= 60) {
    too_large_ = true;
    return error(e.at, "'" + name + "' calls itself without end", "functions of the spec have no recursion");
  }
  const std::size_t outer = first_local_, before = locals_.size();
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    locals_.emplace_back(function.parameters[i].text, call.arguments[i].value);
  first_local_ = before;
  frames_.push_back({name, e.at, true});
  for (const lang::Statement& s : function.block) statement(s);
  frames_.pop_back();
  locals_.resize(before);
  first_local_ = outer;
  return {Value::Kind::typed, {}, no_node, 0, 0};
}

// ------------------------------------------------------------------------------------------------ arrays

/// `let x = array.T(size)`
Value Checker::new_array(const Call& call, std::string_view type_text) {
  const Type type = type_named(type_text);
  const bool good = type.elements == 1 && type.bits > 0 && type.bits <= 64 && type.kind != TypeKind::mask;
  if (!good) return error(call.at, "no array of '" + std::string(type_text) + "'", "a type of up to 64 bits follows");
  if (!arity(call, 1, 1) || !may_have_effects(call)) return {};
  const auto size = known_integer(call.arguments[0].value);
  if (!size || *size < 1 || *size > largest_array)
    return error(call.arguments[0].at, "the size of an array is a constant from 1 to 65536");
  body_.arrays.push_back({type, static_cast<u32>(*size)});
  return {Value::Kind::array, type, no_node, static_cast<i128>(body_.arrays.size() - 1), 0};
}

Value Checker::array_element(const Value& array, const Argument& index, Location at) {
  if (!may_have_effects({at, "array", {}})) return {};
  const auto place = word(index.value, index.at, count_type);
  if (!place) return {};
  return timed(Op::array_load, array.type, {*place}, static_cast<u64>(array.integer));
}

void Checker::assign_element(const Value& array, const Argument& index, const Argument& value) {
  const auto place = word(index.value, index.at, count_type);
  const Value element = adapted(value.value, array.type, value.at);
  if (place && !element.is_error()) timed(Op::array_store, {}, {*place, element.node}, static_cast<u64>(array.integer));
}

// ------------------------------------------------------------------------------------------------ parts of slots

/// The slot that the first argument of `item.T(slot, lane, n)` names.
std::optional<std::size_t> Checker::item_slot(const Expression& e) {
  const Value* known = is_name(e) ? local(e.text) : nullptr;
  if (known != nullptr && known->kind == Value::Kind::operand) return static_cast<std::size_t>(known->integer);
  if (known == nullptr && is_name(e) && frames_.empty()) {
    const auto slot = slot_named(resolved(e.text));
    if (slot && has_lanes(*slot)) return slot;
  }
  error(e.at, "the name of an operand is wanted here", "item.f16(a, lane, n), in `exec wave`");
  return std::nullopt;
}

/// `item.T(slot, lane, n)`, `item(slot, lane, n, width)` and `item.store(slot, lane, n, value)`
Value Checker::item(const Expression& e, const std::string& callee) {
  const bool is_store = callee == "item.store";
  const bool has_width = callee == "item";
  if (e.args.size() != (is_store || has_width ? 4u : 3u)) {
    const std::string last = is_store ? " and a value" : has_width ? " and a width" : "";
    return error(e.at, "'" + callee + "' takes an operand, a lane, a number" + last);
  }
  if (!may_have_effects({e.at, callee, {}})) return {};
  const auto slot = item_slot(*e.args[0]);
  if (!slot) return {};
  const auto lane = word(expression(*e.args[1]), e.args[1]->at, count_type);
  const auto number = word(expression(*e.args[2]), e.args[2]->at, count_type);
  if (!is_store) {
    const auto width = has_width ? known_integer(expression(*e.args[3])) : std::nullopt;
    const Type type = !has_width                            ? type_named(std::string_view(callee).substr(5))
                      : width && *width > 0 && *width <= 64 ? Type(TypeKind::bits, static_cast<unsigned>(*width))
                                                            : Type();
    const bool good = type.elements == 1 && type.bits > 0 && type.bits <= 64 && type.kind != TypeKind::mask;
    if (!good) return error(e.at, "'" + callee + "' names no type of up to 64 bits");
    return lane && number ? timed(Op::item, type, {*lane, *number}, *slot) : Value();
  }
  const Value value = expression(*e.args[3]);
  if (value.is_error()) return {};
  if (!value.is_typed()) return unknown_type(value, e.args[3]->at);
  const bool good = value.type.bits <= 32 || value.type.bits == 64;
  if (!good) return error(e.args[3]->at, "a part that is stored has up to 32 bits, or 64");
  if (!body_.slots[*slot].is_written)
    return error(e.args[0]->at, "'" + body_.slots[*slot].name + "' is not written by this instruction");
  slots_[*slot] = {no_node, true};
  return lane && number ? timed(Op::item_store, {}, {*lane, *number, value.node}, *slot) : Value();
}

}  // namespace gfxisa::core
