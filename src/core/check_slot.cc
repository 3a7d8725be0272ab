// Operands: reading them as they were or are, and assigning them whole, by bits, by lane, by register number.
#include <algorithm>

#include "core/checker.h"

namespace gfxisa::core {
namespace {

constexpr Type boolean{TypeKind::bits, 1};
constexpr Type count_type{TypeKind::unsigned_, 32};
constexpr Type register_type{TypeKind::bits, 32};

bool is_scalar_name(std::string_view name) {
  return name == "scc" || name == "pc" || name == "m0" || name == "mode" || name == "clamp";
}

}  // namespace

std::optional<std::size_t> Checker::slot_named(std::string_view name) const {
  for (std::size_t i = 0; i < body_.slots.size(); ++i) {
    if (body_.slots[i].name == name) return i;
  }
  return std::nullopt;
}

/// What the body sees: a lane has its own bit of a mask.
Type Checker::slot_type(std::size_t slot) const {
  const Type type = body_.slots[slot].type;
  return type.kind == TypeKind::mask && body_.kind == BodyKind::lane ? boolean : type;
}

bool Checker::has_lanes(std::size_t slot) const {
  const SlotInfo& info = body_.slots[slot];
  return body_.kind == BodyKind::wave && !info.is_immediate && !is_scalar_name(info.name);
}

Value Checker::read_slot(std::size_t slot, Location at) {
  const SlotInfo& info = body_.slots[slot];
  SlotState& state = slots_[slot];
  const Type type = slot_type(slot);
  if (state.value != no_node) return typed(state.value, type);
  const bool readable = info.is_read || info.is_immediate;
  if (!readable && !state.assigned) {
    return error(at, "'" + info.name + "' is only written here", "declare it inout to read it, or assign it first");
  }
  if (state.assigned) return timed(Op::current, type, {}, slot);
  state.value = builder_.make(Op::input, plain(type), {}, slot);
  return typed(state.value, type);
}

Value Checker::read_lane(std::size_t slot, const Argument& lane, Location at) {
  const SlotInfo& info = body_.slots[slot];
  if (!info.is_read && !slots_[slot].assigned) {
    return error(at, "'" + info.name + "' is only written here", "declare it inout to read it, or assign it first");
  }
  const auto number = word(lane.value, lane.at, count_type);
  if (!number) return {};
  const Type type = info.type.kind == TypeKind::mask ? boolean : info.type;
  if (info.is_written) return timed(Op::lane_current, type, {*number}, slot);
  return typed(builder_.make(Op::lane_input, plain(type), {*number}, slot), type);
}

/// A value as the slot takes it.
Value Checker::slot_value(std::size_t slot, const Value& value, Location at) {
  const SlotInfo& info = body_.slots[slot];
  if (value.is_error()) return {};
  if (!info.is_written || info.is_immediate) {
    return error(at, "'" + info.name + "' is not written by this instruction", "declare it out or inout");
  }
  const Type type = slot_type(slot);
  if (value.is_typed() && value.type != type && value.type.bits == type.bits) {
    const bool to_packed = type.elements > 1 && value.type.is_integer() && value.type.elements == 1;
    const bool from_packed = value.type.elements > 1 && type.kind == TypeKind::bits;
    if (to_packed || from_packed) {
      const NodeId bits = from_packed ? value.node : builder_.make(Op::bitcast, plain(type), {value.node});
      return typed(bits, type);
    }
  }
  return adapted(value, type, at);
}

void Checker::assign_slot(std::size_t slot, const Value& value, Location at) {
  const Value whole = slot_value(slot, value, at);
  if (slot >= slots_.size()) return;
  slots_[slot].assigned = true;
  if (whole.is_error()) return;
  slots_[slot].value = whole.node;
  Statement statement{.kind = Statement::Kind::assign};
  statement.slot = static_cast<u16>(slot);
  statement.node = whole.node;
  emit(statement);
}

/// `d[hi:lo] = x` puts x into the value that the slot has now.
void Checker::assign_bits(std::size_t slot, i128 high, i128 low, const Value& value, Location at, Location value_at) {
  const Type type = slot_type(slot);
  const Type whole_type{TypeKind::bits, plain(type).bits};
  if (low < 0 || high < low || high >= whole_type.bits || whole_type.bits > 128) {
    error(at, "bits " + std::to_string(static_cast<long long>(high)) + ":" +
                  std::to_string(static_cast<long long>(low)) + " are outside " + name_of(type));
    return;
  }
  const unsigned top = static_cast<unsigned>(high) + 1, bottom = static_cast<unsigned>(low);
  const Value part = adapted(value, {TypeKind::bits, top - bottom}, value_at);
  if (part.is_error()) return;
  NodeId all = part.node;
  if (bottom != 0 || top != whole_type.bits) {
    const Value old = read_slot(slot, at);
    if (old.is_error()) return;
    const auto piece = [&](unsigned from, unsigned width) {
      return builder_.make(Op::extract, {TypeKind::bits, width}, {old.node}, from);
    };
    if (bottom != 0) all = builder_.make(Op::concat, {TypeKind::bits, top}, {all, piece(0, bottom)});
    if (top != whole_type.bits) all = builder_.make(Op::concat, whole_type, {piece(top, whole_type.bits - top), all});
  }
  assign_slot(slot, typed(builder_.make(Op::bitcast, plain(type), {all}), type), at);
}

/// `d[i] = x` outside wave bodies: one bit, whose place may be computed.
void Checker::assign_bit(std::size_t slot, const Argument& index, const Value& value, Location at, Location value_at) {
  if (const auto known = known_integer(index.value)) return assign_bits(slot, *known, *known, value, at, value_at);
  const auto place = shift_count(index);
  const Value set = adapted(value, boolean, value_at);
  const Value old = read_slot(slot, at);
  if (!place || set.is_error() || old.is_error()) return;
  const Type type{TypeKind::bits, plain(old.type).bits};
  const NodeId bits = builder_.make(Op::bitcast, type, {old.node});
  const NodeId one = builder_.make(Op::shl, type, {builder_.constant(type, 1), *place});
  const NodeId kept = builder_.make(Op::bit_and, type, {bits, builder_.make(Op::bit_not, type, {one})});
  const NodeId added = builder_.make(Op::shl, type, {convert_integer(set, type).node, *place});
  const NodeId all = builder_.make(Op::bit_or, type, {kept, added});
  assign_slot(slot, typed(builder_.make(Op::bitcast, plain(old.type), {all}), old.type), at);
}

void Checker::assign_lane(std::size_t slot, const Argument& lane, const Value& value, Location at, Location value_at) {
  const auto number = word(lane.value, lane.at, count_type);
  Value part;
  if (body_.slots[slot].type.kind == TypeKind::mask && body_.slots[slot].is_written) {
    part = adapted(value, boolean, value_at);
  } else {
    part = slot_value(slot, value, body_.slots[slot].is_written ? value_at : at);
  }
  slots_[slot] = {no_node, true};
  if (!number || part.is_error()) return;
  Statement statement{.kind = Statement::Kind::assign};
  statement.slot = static_cast<u16>(slot);
  statement.node = part.node;
  statement.index = *number;
  emit(statement);
}

/// `register(slot)`: the number of an operand's register; nothing of it is read.
Value Checker::register_number(const Expression& e) {
  const bool names_slot = e.args.size() == 1 && e.args[0]->kind == Expression::Kind::name && frames_.empty();
  const auto slot = names_slot ? slot_named(resolved(e.args[0]->text)) : std::nullopt;
  if (!slot || body_.slots[*slot].is_immediate || is_scalar_name(body_.slots[*slot].name))
    return error(e.at, "the name of an operand is wanted here", "register(a)");
  return typed(builder_.make(Op::register_number, count_type, {}, *slot), count_type);
}

/// `sgpr[i]`, `vgpr[i]` in a lane body, `vgpr[i][l]` in a wave body.
Value Checker::register_file(const Expression& e) {
  const bool has_lane = e.args[0]->kind == Expression::Kind::index;
  const Expression& file = has_lane ? *e.args[0]->args[0] : *e.args[0];
  const Expression& number_of = has_lane ? *e.args[0]->args[1] : *e.args[1];
  if (!may_have_effects({e.at, file.text, {}})) return {};
  const auto number = word(expression(number_of), number_of.at, count_type);
  if (!number) return {};
  if (file.text == "sgpr") return timed(Op::read_sgpr, register_type, {*number});
  if (body_.kind == BodyKind::lane && !has_lane) {
    return timed(Op::read_vgpr, register_type, {*number, builder_.make(Op::lane, count_type)});
  }
  if (!has_lane) return error(e.at, "a lane is missing", "vgpr[i][lane] outside `exec lane`");
  const auto lane = word(expression(*e.args[1]), e.args[1]->at, count_type);
  return lane ? timed(Op::read_vgpr, register_type, {*number, *lane}) : Value();
}

void Checker::assign_register(const Expression& target, const Value& value, Location value_at) {
  const bool has_lane = target.args[0]->kind == Expression::Kind::index;
  const Expression& file = has_lane ? *target.args[0]->args[0] : *target.args[0];
  const Expression& number_of = has_lane ? *target.args[0]->args[1] : *target.args[1];
  const auto number = word(expression(number_of), number_of.at, count_type);
  const Value whole = adapted(value, register_type, value_at);
  if (!number || whole.is_error()) return;
  if (file.text == "sgpr") {
    timed(Op::write_sgpr, {}, {*number, whole.node});
    return;
  }
  std::optional<NodeId> lane;
  if (has_lane) lane = word(expression(*target.args[1]), target.args[1]->at, count_type);
  if (!has_lane && body_.kind == BodyKind::lane) lane = builder_.make(Op::lane, count_type);
  if (!has_lane && body_.kind != BodyKind::lane)
    error(target.at, "a lane is missing", "vgpr[i][lane] outside `exec lane`");
  if (lane) timed(Op::write_vgpr, {}, {*number, whole.node, *lane});
}

}  // namespace gfxisa::core
