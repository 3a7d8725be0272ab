// Statements. An `if` that only assigns becomes selects, so that most bodies are one formula; a loop of few rounds is
// written out.
#include <algorithm>

#include "base/suggest.h"
#include "core/checker.h"

namespace gfxisa::core {
namespace {

constexpr Type count_type{TypeKind::unsigned_, 32};
constexpr u32 most_copies = 64;  // rounds that are written out, those of loops around multiplied

bool is_register_file(const lang::Expression& e) {
  using Kind = lang::Expression::Kind;
  if (e.kind != Kind::index) return false;
  const lang::Expression& base = *e.args[0];
  if (base.kind == Kind::name) return base.text == "sgpr" || base.text == "vgpr";
  return base.kind == Kind::index && base.args[0]->kind == Kind::name && base.args[0]->text == "vgpr";
}

const lang::Expression& root_of(const lang::Expression& target) {
  return target.args.empty() || !target.args[0] ? target : root_of(*target.args[0]);
}

}  // namespace

void Checker::block(const lang::Block& statements) {
  const std::size_t before = locals_.size();
  for (const lang::Statement& s : statements) statement(s);
  locals_.resize(std::max(before, first_local_));
}

void Checker::statement(const lang::Statement& s) {
  using Kind = lang::Statement::Kind;
  if (too_large_) return;
  if (depth_ >= 150) {
    error(s.at, "this is nested too deeply");
    return;
  }
  ++depth_;
  switch (s.kind) {
    case Kind::let:
      let(s);
      break;
    case Kind::assign:
      assign(s);
      break;
    case Kind::branch:
      branch(s);
      break;
    case Kind::loop:
      loop(s);
      break;
    case Kind::effect:
      effect(s);
      break;
    case Kind::result:
      error(s.at, "a body has no result", "assign to an operand: d = ...");
      break;
  }
  --depth_;
}

void Checker::let(const lang::Statement& s) {
  const Value value = s.value ? expression(*s.value) : Value();
  const bool is_operand = frames_.empty() && slot_named(s.name).has_value();
  const bool is_twice = std::any_of(locals_.begin() + static_cast<std::ptrdiff_t>(first_local_), locals_.end(),
                                    [&](const auto& local) { return local.first == s.name; });
  if (is_operand) error(s.at, "'" + s.name + "' is an operand; a let needs a name of its own");
  if (is_twice) error(s.at, "'" + s.name + "' is defined twice", "a let never changes; choose another name");
  locals_.emplace_back(s.name, value);
}

std::string Checker::operand_hint(const std::string& name) const {
  std::vector<std::string_view> names;
  std::string all;
  for (const SlotInfo& info : body_.slots) {
    names.push_back(info.name);
    if (info.is_written) all += " " + info.name;
  }
  const std::string near = suggestion(name, names);
  if (!near.empty()) return near;
  return all.empty() ? "this instruction has no result" : "the results are" + all;
}

/// The operand that an assignment changes; nothing after an error.
std::optional<std::size_t> Checker::assigned_slot(const Expression& target) {
  const Expression& base = target.kind == Expression::Kind::name ? target : *target.args[0];
  if (base.kind == Expression::Kind::name) {
    for (std::size_t i = locals_.size(); i > first_local_; --i) {
      if (locals_[i - 1].first != base.text) continue;
      error(base.at, "'" + base.text + "' is no operand and never changes", "assign to an operand, or use another let");
      return std::nullopt;
    }
    if (const auto slot = slot_named(base.text)) return slot;
    const auto slot = slot_named(resolved(base.text));
    if (slot) return slot;
    error(base.at, "unknown operand '" + base.text + "'", operand_hint(base.text));
    return std::nullopt;
  }
  error(target.at, "this cannot be assigned", "the target is an operand, its bits, or its lane: d, d[15:0], d[lane]");
  return std::nullopt;
}

void Checker::assign(const lang::Statement& s) {
  const bool complete =
      s.value && s.target &&
      std::all_of(s.target->args.begin(), s.target->args.end(), [](const auto& a) { return a != nullptr; });
  if (!complete) return;
  const Argument value{expression(*s.value), s.value->at};
  const Expression& target = *s.target;
  using Kind = Expression::Kind;
  if (is_register_file(target)) return assign_register(target, value.value, value.at);
  if (target.kind == Kind::index) return assign_index(target, value);
  if (target.kind != Kind::name && target.kind != Kind::slice) {
    error(target.at, "this cannot be assigned", "the target is an operand, its bits, or its lane: d, d[15:0], d[lane]");
    return;
  }
  const auto slot = assigned_slot(target);
  if (!slot) return;
  if (target.kind == Kind::name) return assign_slot(*slot, value.value, value.at);
  const auto high = known_integer(expression(*target.args[1])), low = known_integer(expression(*target.args[2]));
  if (!high || !low) {
    error(target.args[high ? 2 : 1]->at, "the bounds of a slice are constants");
    return;
  }
  if (!value.value.is_error()) assign_bits(*slot, *high, *low, value.value, target.at, value.at);
}

void Checker::assign_index(const Expression& target, const Argument& value) {
  const Value* known = target.args[0]->kind == Expression::Kind::name ? local(target.args[0]->text) : nullptr;
  if (known != nullptr && known->kind == Value::Kind::array) {
    const Value array = *known;
    return assign_element(array, {expression(*target.args[1]), target.args[1]->at}, value);
  }
  const auto slot = assigned_slot(target);
  const Argument index{expression(*target.args[1]), target.args[1]->at};
  if (!slot) return;
  if (value.value.is_error() || index.value.is_error()) {
    slots_[*slot].assigned = true;
    return;
  }
  if (has_lanes(*slot)) return assign_lane(*slot, index, value.value, target.at, value.at);
  assign_bit(*slot, index, value.value, target.at, value.at);
}

// ------------------------------------------------------------------------------------------------ if

Checker::Arm Checker::arm(const lang::Block& statements, const std::vector<SlotState>& before) {
  Arm result;
  std::vector<Statement>* outer = out_;
  out_ = &result.statements;
  slots_ = before;
  block(statements);
  result.slots = slots_;
  out_ = outer;
  return result;
}

void Checker::branch(const lang::Statement& s) {
  if (!s.value) return;
  const auto chosen = condition(expression(*s.value), s.value->at);
  if (chosen && builder_.is_constant(*chosen)) return block(builder_.value(*chosen) ? s.body : s.other);
  const std::vector<SlotState> before = slots_;
  Arm yes = arm(s.body, before), no = arm(s.other, before);
  slots_ = before;
  const auto only_assigns = [](const Statement& statement) {
    return statement.kind == Statement::Kind::assign && statement.index == no_node;
  };
  const bool pure = std::all_of(yes.statements.begin(), yes.statements.end(), only_assigns) &&
                    std::all_of(no.statements.begin(), no.statements.end(), only_assigns);
  if (!chosen) {
    for (std::size_t i = 0; i < slots_.size(); ++i) slots_[i].assigned |= yes.slots[i].assigned || no.slots[i].assigned;
  } else if (pure) {
    join_as_selects(*chosen, yes, no, s.at);
  } else {
    join_as_branch(*chosen, std::move(yes), std::move(no));
  }
}

/// What a slot keeps when a branch does not assign it.
NodeId Checker::kept_value(std::size_t slot, Location at) {
  const SlotInfo& info = body_.slots[slot];
  if (info.name == "pc" && !slots_[slot].assigned) {
    return builder_.make(Op::bitcast, plain(slot_type(slot)), {builder_.make(Op::next_pc, {TypeKind::unsigned_, 64})});
  }
  if (!info.is_read && !slots_[slot].assigned) {
    error(at, "'" + info.name + "' is assigned on one way only",
          "assign it on both ways, or declare it inout to keep its old value");
    return no_node;
  }
  return read_slot(slot, at).node;
}

void Checker::join_as_selects(NodeId condition, const Arm& yes, const Arm& no, Location at) {
  std::vector<std::size_t> assigned;
  for (const Arm* one : {&yes, &no}) {
    for (const Statement& statement : one->statements) {
      if (std::find(assigned.begin(), assigned.end(), statement.slot) == assigned.end())
        assigned.push_back(statement.slot);
    }
  }
  const auto value_in = [&](const Arm& one, std::size_t slot) {
    const bool does = std::any_of(one.statements.begin(), one.statements.end(),
                                  [&](const Statement& statement) { return statement.slot == slot; });
    return does ? one.slots[slot].value : kept_value(slot, at);
  };
  std::vector<std::pair<std::size_t, NodeId>> joined;
  for (const std::size_t slot : assigned) {
    const NodeId a = value_in(yes, slot), b = value_in(no, slot);
    if (a == no_node || b == no_node) {
      slots_[slot].assigned = true;
      continue;
    }
    joined.emplace_back(slot, builder_.make(Op::select, plain(slot_type(slot)), {condition, a, b}));
  }
  for (const auto& [slot, node] : joined) assign_slot(slot, typed(node, slot_type(slot)), at);
}

void Checker::join_as_branch(NodeId condition, Arm yes, Arm no) {
  Statement head{.kind = Statement::Kind::branch};
  head.node = condition;
  head.body_count = static_cast<u32>(yes.statements.size());
  head.other_count = static_cast<u32>(no.statements.size());
  emit(head);
  for (const Arm* one : {&yes, &no}) {
    for (const Statement& statement : one->statements) {
      emit(statement);
      // Which way was taken is not known below, so the slot is read as it is then.
      if (statement.kind == Statement::Kind::assign) slots_[statement.slot] = {no_node, true};
      const bool stores =
          statement.kind == Statement::Kind::evaluate && builder_.node(statement.node).op == Op::item_store;
      if (stores) slots_[builder_.node(statement.node).immediate] = {no_node, true};
    }
  }
}

// ------------------------------------------------------------------------------------------------ loops

void Checker::loop(const lang::Statement& s) {
  const bool counted = s.first && s.last;
  if (!counted) return lanes_loop(s);
  counted_loop(s);
}

/// Slots that the block assigns have another value in each round.
void Checker::forget_assigned(const lang::Block& statements) {
  for (const lang::Statement& s : statements) {
    if (s.kind == lang::Statement::Kind::assign && s.target) {
      const auto slot = slot_named(root_of(*s.target).text);
      if (slot && (slots_[*slot].assigned || body_.slots[*slot].is_read)) slots_[*slot] = {no_node, true};
    }
    forget_assigned(s.body);
    forget_assigned(s.other);
  }
}

void Checker::loop_body(const lang::Statement& s, Statement head, std::string_view variable) {
  forget_assigned(s.body);
  head.variable = loops_++;
  const NodeId node = builder_.make(Op::loop_variable, count_type, {}, head.variable);
  const bool of_lanes = head.kind == Statement::Kind::lanes;
  if (of_lanes) lanes_.push_back(node);
  std::vector<Statement> inside;
  std::vector<Statement>* outer = out_;
  out_ = &inside;
  locals_.emplace_back(std::string(variable), typed(node, count_type));
  block(s.body);
  locals_.pop_back();
  out_ = outer;
  if (of_lanes) lanes_.pop_back();
  head.body_count = static_cast<u32>(inside.size());
  emit(head);
  for (const Statement& statement : inside) {
    emit(statement);
    if (statement.kind == Statement::Kind::assign) slots_[statement.slot] = {no_node, true};
  }
}

void Checker::lanes_loop(const lang::Statement& s) {
  if (body_.kind != BodyKind::wave) {
    error(s.at, "only `exec wave` sees all lanes", "write `exec wave`");
    return;
  }
  if (s.name_set != "active" && s.name_set != "lanes") {
    error(s.at, "unknown set of lanes '" + s.name_set + "'", "`for lane in active` or `for lane in lanes`");
    return;
  }
  Statement head{.kind = Statement::Kind::lanes};
  head.first = s.name_set == "lanes" ? 1 : 0;
  loop_body(s, head, s.name);
}

void Checker::counted_loop(const lang::Statement& s) {
  const Value first = expression(*s.first), last = expression(*s.last);
  if (first.is_error() || last.is_error()) return;
  const auto from = known_integer(first), to = known_integer(last);
  constexpr i128 most = 65536;
  if (!from || !to || *from < 0 || *to > most) {
    error(s.at, "the bounds of a loop are constants from 0 to 65536");
    return;
  }
  const i128 rounds = std::max<i128>(*to - *from, 0);
  if (rounds * unrolled_ > most_copies || !frames_.empty()) {
    Statement head{.kind = Statement::Kind::loop};
    head.first = static_cast<i32>(*from);
    head.last = static_cast<i32>(*to);
    return loop_body(s, head, s.name);
  }
  const u32 outer = unrolled_;
  unrolled_ = std::max<u32>(1, outer * static_cast<u32>(rounds));
  for (i128 i = *from; i < *to; ++i) {
    locals_.emplace_back(s.name, literal(i));
    block(s.body);
    locals_.pop_back();
  }
  unrolled_ = outer;
}

void Checker::effect(const lang::Statement& s) {
  if (!s.value) return;
  if (s.value->kind != Expression::Kind::call) {
    error(s.at, "this has no effect", "a statement is a let, an assignment, an if, a for, or the call of an effect");
    return;
  }
  const std::size_t before = out_->size();
  const Value value = call(*s.value);
  if (!value.is_error() && out_->size() == before)
    error(s.at, "'" + s.value->text + "' has no effect", "assign its value: d = ...");
}

}  // namespace gfxisa::core
