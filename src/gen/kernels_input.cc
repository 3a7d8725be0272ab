// Where a kernel gets the values of its slots.
#include <algorithm>

#include "gen/kernels_body.h"

namespace gfxisa::gen {

using core::BodyKind;
using core::Node;
using core::NodeId;
using core::Op;
using core::Type;
using core::TypeKind;

namespace {

std::string raw_of(unsigned rows) { return rows <= 1 ? "u32" : rows == 2 ? "u64" : "u128"; }
std::string digits(u64 value) { return std::to_string(value); }

}  // namespace

std::string BodyWriter::from_bits(const std::string& text, Type type) const {
  const std::string storage = storage_of(type);
  if (!type.is_float()) return "fit<" + storage + ", " + digits(type.bits) + ">(" + text + ")";
  return "value_of_bits<" + storage + ">(" + (type.bits == 16 ? "fit<u32, 16>(" + text + ")" : text) + ")";
}

/// Immediates, the wave's own registers and arguments of stages and addresses: the same for all lanes.
void BodyWriter::uniform_inputs() {
  for (NodeId id = 0; id < body_.nodes.size(); ++id) {
    const Node& node = body_.nodes[id];
    if (node.op != Op::input || node.immediate >= places_.size()) continue;
    const SlotPlace& place = places_[node.immediate];
    const core::SlotInfo& slot = body_.slots[node.immediate];
    if (place.immediate < 0 && place.field < 0 && !place.is_named && !slot.is_uniform) continue;
    const std::string name = "n" + std::to_string(id);
    const std::string type = "const " + storage_of(node.type) + " ";
    if (slot.is_uniform) {
      line(type + name + " = " + row_value(place, node.type, "0") + ";");
    } else if (place.field >= 0) {
      line(type + name + " = modifier_field(step, " + std::to_string(place.field) + ");");
    } else if (place.immediate >= 0) {
      line(type + name + " = " + from_bits("immediate(step, " + std::to_string(place.immediate) + ")", node.type) +
           ";");
    } else if (is_lane_ && slot.type.kind == TypeKind::mask) {
      line("const u32 half" + name + " = static_cast<u32>(" + named_value(slot.name, {TypeKind::bits, 64}) +
           " >> call.first_lane);");
      continue;
    } else {
      line(type + name + " = " + named_value(slot.name, node.type) + ";");
    }
    name_node(id, name);
  }
}

std::string BodyWriter::named_value(const std::string& slot, Type type) const {
  const std::string call = slot == "scc"     ? "wave.scc"
                           : slot == "pc"    ? "next_pc(wave, step)"
                           : slot == "clamp" ? "read_clamp(step)"
                                             : "read_" + slot + "(wave)";
  return from_bits(call, type.kind == TypeKind::mask ? Type(TypeKind::bits, 64) : type);
}

void BodyWriter::lane_inputs() {
  for (NodeId id = 0; id < body_.nodes.size(); ++id) {
    const Node& node = body_.nodes[id];
    if (node.op != Op::input || node.immediate >= places_.size() || !names_[id].empty()) continue;
    const SlotPlace& place = places_[node.immediate];
    const std::string name = "n" + std::to_string(id);
    std::string text;
    if (place.is_named) {
      text = "halfn" + std::to_string(id) + " >> i & 1u";
    } else if (place.input < 0) {
      fail("slot " + body_.slots[node.immediate].name + " is read but no input");
      text = "0u";
    } else {
      text = row_value(place, node.type);
    }
    line("const " + storage_of(node.type) + " " + name + " = " + text + ";");
    name_node(id, name);
  }
}

std::string BodyWriter::row_value(const SlotPlace& place, Type type, const std::string& lane) const {
  if (place.rows > 4) return "0u";
  const auto word = [&](unsigned i) {
    return "in" + std::to_string(static_cast<unsigned>(place.input_row) + i) + "[" + lane + "]";
  };
  std::string text = word(0);
  if (place.rows > 1) {
    text = "join<" + raw_of(place.rows) + ">(" + word(0);
    for (unsigned i = 1; i < place.rows; ++i) text += ", " + word(i);
    text += ")";
  }
  return from_bits(text, type);
}

void BodyWriter::scalar_inputs() {
  std::vector<bool> copied(places_.size());
  for (NodeId id = 0; id < body_.nodes.size(); ++id) {
    const Node& node = body_.nodes[id];
    if (node.immediate >= places_.size()) continue;
    const SlotPlace& place = places_[node.immediate];
    if (node.op == Op::lane_input && has_snapshots_ && place.input >= 0 && !copied[node.immediate]) {
      copied[node.immediate] = true;
      line("const LaneSnapshot<" + std::to_string(place.rows) + "> lanes_" + body_.slots[node.immediate].name +
           "(wave, step, " + std::to_string(place.input) + ");");
    }
    if (node.op != Op::input || !names_[id].empty()) continue;
    const std::string name = "n" + std::to_string(id);
    line("const " + storage_of(node.type) + " " + name + " = " + scalar_value(place, node.type) + ";");
    name_node(id, name);
  }
}

std::string BodyWriter::scalar_value(const SlotPlace& place, Type type) const {
  const auto slot = static_cast<std::size_t>(&place - places_.data());
  const std::string arguments = "(wave, step, " + std::to_string(place.input) + ")";
  if (place.input < 0) return "0u";
  if (body_.slots[slot].type.kind == TypeKind::mask) return from_bits("read_mask" + arguments, type);
  if (place.rows <= 2) return from_bits("read_scalar<" + raw_of(place.rows) + ">" + arguments, type);
  return from_bits("read_wide<" + std::to_string(place.rows) + ">" + arguments, type);
}

/// Slots that are assigned live in variables until the end (lane bodies), or as long as the body looks at them.
void BodyWriter::present_values() {
  for (unsigned slot = 0; slot < places_.size(); ++slot) {
    const core::SlotInfo& info = body_.slots[slot];
    const bool is_looked_at = std::any_of(body_.nodes.begin(), body_.nodes.end(), [&](const Node& node) {
      return node.op == Op::current && node.immediate == slot;
    });
    if (!info.is_written || (!is_lane_ && (!is_looked_at || places_[slot].is_named))) continue;
    if (places_[slot].rows > 4) {
      fail("slot " + info.name + " is too wide for a value");
      continue;
    }
    const Type type = info.type.kind == TypeKind::mask ? Type(TypeKind::bits, is_lane_ ? 1 : 64)
                      : info.type.elements > 1         ? Type(TypeKind::bits, info.type.bits)
                                                       : info.type;
    line(storage_of(type) + " now_" + info.name + " = " + initial_value(slot) + ";");
  }
}

std::string BodyWriter::initial_value(unsigned slot) {
  const core::SlotInfo& info = body_.slots[slot];
  if (!info.is_read || places_[slot].input < 0) return "{}";
  const Type type = info.type.kind == TypeKind::mask ? Type(TypeKind::bits, is_lane_ ? 1 : 64)
                    : info.type.elements > 1         ? Type(TypeKind::bits, info.type.bits)
                                                     : info.type;
  return is_lane_ ? row_value(places_[slot], type) : scalar_value(places_[slot], type);
}

/// Where the parts of slots lie, and the arrays that the body keeps.
void BodyWriter::items_and_arrays() {
  std::vector<bool> known(places_.size());
  for (const Node& node : body_.nodes) {
    if ((node.op != Op::item && node.op != Op::item_store) || known[node.immediate]) continue;
    known[node.immediate] = true;
    const SlotPlace& place = places_[node.immediate];
    const std::string& slot = body_.slots[node.immediate].name;
    const bool is_output = place.output >= 0;
    if (place.input < 0 && !is_output) fail("slot " + slot + " has no parts");
    line("SpreadValue spread_" + slot + ";");
    line("const ItemPlace items_" + slot + "(wave, step->" + (is_output ? "out[" : "in[") +
         digits(static_cast<u64>(std::max(0, is_output ? place.output : place.input))) + "], spread_" + slot + ");");
  }
  for (std::size_t i = 0; i < body_.arrays.size(); ++i) {
    const std::string name = "array" + digits(i);
    line("alignas(64) " + storage_of(body_.arrays[i].type) + " " + name + "[" + digits(body_.arrays[i].size) + "];");
  }
}

/// The words of one lane, put together; `source` is a call up to the word's number.
std::string BodyWriter::lane_words(const std::string& source, unsigned rows, Type type) const {
  if (rows == 1) return from_bits(source + "0)", type);
  std::string text = "join<" + raw_of(rows) + ">(";
  for (unsigned i = 0; i < rows; ++i) text += (i == 0 ? "" : ", ") + source + std::to_string(i) + ")";
  return from_bits(text + ")", type);
}

std::string BodyWriter::lane_input(const Node& node) {
  const SlotPlace& place = places_[node.immediate];
  const core::SlotInfo& slot = body_.slots[node.immediate];
  const std::string lane = lane_number(node.args[0]);
  if (place.is_named) return "static_cast<u32>(read_" + slot.name + "(wave) >> (" + lane + ") & 1u)";
  if (place.input < 0 || place.rows > 4) {
    fail("slot " + slot.name + " cannot be read by lane");
    return "0u";
  }
  const bool is_present = node.op == Op::lane_current;
  const bool is_mask = slot.type.kind == TypeKind::mask;
  if (has_snapshots_ && !is_present && !is_mask)
    return lane_words("lanes_" + slot.name + ".word(" + lane + ", ", place.rows, node.type);
  if (is_mask)
    return "static_cast<u32>(read_mask(wave, step, " + std::to_string(place.input) + ") >> (" + lane + ") & 1u)";
  return lane_words("read_lane(wave, step, " + std::to_string(place.input) + ", " + lane + ", ", place.rows, node.type);
}

}  // namespace gfxisa::gen
