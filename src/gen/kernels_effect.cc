// Nodes that have a time: memory, the data share, and what happens to the wave.
#include "gen/kernels_body.h"

namespace gfxisa::gen {

using core::Node;
using core::NodeId;
using core::Op;
using core::Type;
using core::TypeKind;

namespace {

bool is_wide(Type type) { return type.bits > 64; }
std::string words_of(Type type) { return std::to_string((type.bits + 31u) / 32u); }

}  // namespace

std::string place_type(unsigned bits) {
  return "u" + std::to_string(bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64);
}

void BodyWriter::keep(NodeId id, const std::string& text) {
  const std::string name = "n" + std::to_string(id);
  line("const " + storage_of(body_.nodes[id].type) + " " + name + " = " + text + ";");
  name_node(id, name);
}

std::string BodyWriter::bits_of_node(NodeId id) {
  const Type type = id < body_.nodes.size() ? body_.nodes[id].type : Type();
  const std::string raw = type.bits <= 32 ? "u32" : type.bits <= 64 ? "u64" : "u128";
  const std::string text = body_.is_ieee && type.is_float() ? "one_nan(" + value(id) + ")" : value(id);
  return "fit<" + raw + ", " + std::to_string(type.bits) + ">(bits_of_value(" + text + "))";
}

std::string BodyWriter::lane_argument(NodeId argument) {
  if (argument != core::no_node) return value(argument);
  return is_lane_ ? "lane" : "0u";
}

/// A lane's number, brought below the wave's size.
std::string BodyWriter::lane_number(NodeId id) { return value(id) + " & (wave_lanes - 1u)"; }

void BodyWriter::effect(NodeId id) {
  const Node& node = body_.nodes[id];
  switch (node.op) {
    case Op::mem_load:
      return load(id, "load_memory");
    case Op::mem_store:
      return store(id, "store_memory");
    case Op::mem_update:
      return update(id, "update_memory");
    case Op::lds_load:
      return load(id, "load_lds");
    case Op::lds_store:
      return store(id, "store_lds");
    case Op::lds_update:
      return update(id, "update_lds");
    case Op::scalar_load:
      return scalar_load(id);
    case Op::item:
    case Op::item_store:
      return item(id);
    case Op::array_load:
    case Op::array_store:
      return array(id);
    case Op::lane_current:
      return keep(id, lane_input(node));
    case Op::current: {
      const bool is_named = node.immediate < places_.size() && places_[node.immediate].is_named && !is_lane_;
      const std::string& slot = body_.slots[node.immediate].name;
      return keep(id,
                  is_named ? named_value(slot, node.type) : from_bits("bits_of_value(now_" + slot + ")", node.type));
    }
    default:
      return wave_effect(id);
  }
}

/// A sum with a loop's variable is taken without wrapping, which a lane's number never needs: so compilers see that the
/// rounds of the loop read lanes side by side.
std::string BodyWriter::item_lane(NodeId id) {
  const Node& node = body_.nodes[id];
  const auto is_variable = [&](NodeId argument) { return body_.nodes[argument].op == Op::loop_variable; };
  if (node.op != Op::add || !(is_variable(node.args[0]) || is_variable(node.args[1]))) return value(id);
  return "std::size_t{" + value(node.args[0]) + "} + " + value(node.args[1]);
}

void BodyWriter::item(NodeId id) {
  const Node& node = body_.nodes[id];
  const std::string where = "items_" + body_.slots[node.immediate].name;
  const std::string lane = item_lane(node.args[0]) + ", " + value(node.args[1]);
  if (node.op == Op::item) {
    return keep(id, from_bits(where + ".read<" + std::to_string(node.type.bits) + ">(" + lane + ")", node.type));
  }
  const unsigned bits = body_.nodes[node.args[2]].type.bits;
  line(where + ".write<" + std::to_string(bits) + ">(" + lane + ", " + bits_of_node(node.args[2]) + ");");
}

void BodyWriter::array(NodeId id) {
  const Node& node = body_.nodes[id];
  const std::string place = "array" + std::to_string(node.immediate) + "[" + value(node.args[0]) + "]";
  if (node.op == Op::array_load) return keep(id, place);
  line(place + " = " + operand(node.args[1], body_.arrays[node.immediate].type) + ";");
}

void BodyWriter::load(NodeId id, std::string_view function) {
  const Node& node = body_.nodes[id];
  const std::string arguments = access_arguments(node, function) + lane_argument(node.args[1]) + ")";
  const std::string type = is_wide(node.type) ? "_words<" + words_of(node.type) : "<" + place_type(node.type.bits);
  keep(id, from_bits(std::string(function) + type + ">" + arguments, node.type));
}

void BodyWriter::store(NodeId id, std::string_view function) {
  const Node& node = body_.nodes[id];
  const Type stored = body_.nodes[node.args[1]].type;
  const std::string where = access_arguments(node, function) + lane_argument(node.args[2]) + ", ";
  const std::string bits = bits_of_node(node.args[1]);
  if (is_wide(stored)) return line(std::string(function) + "_words<" + words_of(stored) + ">" + where + bits + ");");
  const std::string type = place_type(stored.bits);
  line(std::string(function) + "<" + type + ">" + where + "static_cast<" + type + ">(" + bits + "));");
}

/// The first arguments of an access: what holds the memory, and where in it.
std::string BodyWriter::access_arguments(const Node& node, std::string_view function) {
  const bool is_share = function.find("lds") != std::string_view::npos;
  return std::string(is_share ? "(data_share, " : "(wave, step, ") + value(node.args[0]) + ", ";
}

/// The new value is a tree over `old_value` leaves; it becomes the body of a lambda.
void BodyWriter::update(NodeId id, std::string_view function) {
  const Node& node = body_.nodes[id];
  if (node.type.bits != 32 && node.type.bits != 64) fail("an update of " + std::to_string(node.type.bits) + " bits");
  const std::string type = place_type(node.type.bits);
  const std::string arguments = access_arguments(node, function) + lane_argument(node.args[2]);
  const std::string name = "n" + std::to_string(id);
  open("const " + type + " old" + name + " = " + std::string(function) + "<" + type + ">" + arguments + ", [&](" +
       type + " held) -> " + type + " {");
  for (NodeId leaf = 0; leaf < id; ++leaf) {
    const Node& old = body_.nodes[leaf];
    if (old.op != Op::old_value || old.immediate != node.immediate) continue;
    line("const " + storage_of(old.type) + " n" + std::to_string(leaf) + " = " + from_bits("held", old.type) + ";");
    name_node(leaf, "n" + std::to_string(leaf));
  }
  const std::string result = bits_of_node(node.args[1]);
  line("return static_cast<" + type + ">(" + result + ");");
  close("});");
  keep(id, from_bits("old" + name, node.type));
}

void BodyWriter::scalar_load(NodeId id) {
  const Node& node = body_.nodes[id];
  const std::string address = value(node.args[0]);
  if (node.type.bits < 32) {
    return keep(
        id, from_bits("load_memory<" + place_type(node.type.bits) + ">(wave, step, " + address + ", 0u)", node.type));
  }
  const std::string words = words_of(node.type);
  const std::string array = "words" + std::to_string(id);
  line("u32 " + array + "[" + words + "];");
  line("load_scalar_memory(wave, step, " + address + ", " + words + "u, " + array + ");");
  if (node.type.bits > 128) return name_node(id, array);
  const std::string raw = node.type.bits <= 32 ? "u32" : node.type.bits <= 64 ? "u64" : "u128";
  keep(id, from_bits("joined_words<" + raw + ", " + words + ">(" + array + ")", node.type));
}

void BodyWriter::wave_effect(NodeId id) {
  const Node& node = body_.nodes[id];
  const auto argument = [&](unsigned i) { return value(node.args[i]); };
  switch (node.op) {
    case Op::read_sgpr:
      return keep(id, "read_sgpr(wave, " + argument(0) + ")");
    case Op::read_vgpr:
      return keep(id, "read_vgpr(wave, " + argument(0) + ", " + argument(1) + ")");
    case Op::clock:
      return keep(id, "read_clock(wave)");
    case Op::read_barrier:
      return keep(id, "read_barrier(wave, " + argument(0) + ", " + std::to_string(node.immediate) + "u)");
    case Op::read_hwreg:
      return keep(id, "read_hwreg(wave, step, " + argument(0) + ", " + argument(1) + ", " + argument(2) + ")");
    case Op::write_sgpr:
      return line("write_sgpr(wave, " + argument(0) + ", " + bits_of_node(node.args[1]) + ");");
    case Op::write_vgpr:
      return line("write_vgpr(wave, " + argument(0) + ", " + argument(2) + ", " + bits_of_node(node.args[1]) + ");");
    case Op::write_hwreg:
      return line("write_hwreg(wave, step, " + argument(0) + ", " + argument(1) + ", " + argument(2) + ", " +
                  argument(3) + ");");
    case Op::wave_end:
      return line("next = end_wave(wave, step);");
    case Op::wave_branch:
      return line("next = jump(wave, " + argument(0) + ");");
    case Op::barrier_arrive:
      return line("barrier_arrive(wave, step, " + argument(0) + ");");
    case Op::barrier_wait:
      return line("next = barrier_wait(wave, step, " + argument(0) + ");");
    case Op::gws_init:
      return line("gws_init(wave, step, " + argument(0) + ", " + argument(1) + ");");
    case Op::gws_add:
      return line("gws_add(wave, step, " + argument(0) + ", " + argument(1) + ");");
    case Op::gws_free:
      return line("gws_free(wave, step, " + argument(0) + ");");
    case Op::gws_take:
      return line("next = gws_take(wave, step, " + argument(0) + ");");
    case Op::gws_barrier:
      return line("next = gws_barrier(wave, step, " + argument(0) + ", " + argument(1) + ");");
    case Op::barrier_members:
      return line("set_barrier_members(wave, " + argument(0) + ", " + argument(1) + ");");
    case Op::barrier_clear:
      return line("clear_barrier(wave, " + argument(0) + ");");
    case Op::barrier_join:
      return line("join_barrier(wave, " + argument(0) + ");");
    case Op::message_send:
      return line("send_message(wave, step, " + argument(0) + ");");
    case Op::wait_counters:
      return line("wait_counters(wave, step, " + argument(0) + ");");
    case Op::set_banks:
      return line("set_register_banks(wave, " + argument(0) + ");");
    case Op::index_begin:
      return line("next = run_indexed(wave, step);");
    case Op::copy_tile:
      return line(std::string("copy_tile(wave, step, ") + (node.immediate != 0 ? "true" : "false") + ");");
    case Op::halt:
      return line("halt(wave);");
    case Op::trap:
      return line("trap(wave, step, " + argument(0) + ");");
    case Op::sleep:
      return line("next = sleep_cycles(wave, step, " + argument(0) + ");");
    case Op::nop:
      return;
    default:
      fail(std::string(name_of(node.op)) + " in an evaluate statement");
  }
}

}  // namespace gfxisa::gen
