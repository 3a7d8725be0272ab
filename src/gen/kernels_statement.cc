// Statements: order, branches, loops and assignments.
#include <algorithm>

#include "gen/kernels_body.h"

namespace gfxisa::gen {

using core::NodeId;
using core::Op;
using core::Statement;
using core::Type;
using core::TypeKind;

void BodyWriter::block(std::size_t first, std::size_t count) {
  const std::size_t end = std::min(first + count, body_.statements.size());
  for (std::size_t i = first; i < end; ++i) {
    const Statement& statement = body_.statements[i];
    switch (statement.kind) {
      case Statement::Kind::evaluate:
        if (statement.node < body_.nodes.size()) effect(statement.node);
        break;
      case Statement::Kind::assign:
        assign(statement);
        break;
      case Statement::Kind::branch:
        branch(statement, i + 1);
        break;
      case Statement::Kind::loop:
      case Statement::Kind::lanes:
        loop(statement, i + 1);
        break;
    }
    i += statement.body_count + statement.other_count;
  }
}

void BodyWriter::branch(const Statement& statement, std::size_t first) {
  open("if (" + value(statement.node) + " != 0u) {");
  block(first, statement.body_count);
  close();
  if (statement.other_count == 0) return;
  open("else {");
  block(first + statement.body_count, statement.other_count);
  close();
}

void BodyWriter::loop(const Statement& statement, std::size_t first) {
  const std::string variable = "round" + std::to_string(statement.variable);
  if (statement.kind == Statement::Kind::loop) {
    const bool is_innermost =
        std::none_of(body_.statements.begin() + static_cast<std::ptrdiff_t>(first),
                     body_.statements.begin() + static_cast<std::ptrdiff_t>(first + statement.body_count),
                     [](const Statement& inner) {
                       return inner.kind == Statement::Kind::loop || inner.kind == Statement::Kind::lanes;
                     });
    if (is_innermost && !body_.arrays.empty()) line("GFXISA_ROUNDS");
    const std::string from = std::to_string(statement.first), to = std::to_string(statement.last);
    open("for (u32 " + variable + " = " + from + "u; " + variable + " < " + to + "u; ++" + variable + ") {");
  } else {
    const std::string all = statement.first == 0 ? "active_lanes" : "low_ones(wave_lanes)";
    open("for (u64 rest" + variable + " = " + all + "; rest" + variable + " != 0; rest" + variable + " &= rest" +
         variable + " - 1) {");
    line("const u32 " + variable + " = first_lane_of(rest" + variable + ");");
  }
  for (NodeId id = 0; id < body_.nodes.size(); ++id) {
    const core::Node& node = body_.nodes[id];
    if (node.op == Op::loop_variable && node.immediate == statement.variable) name_node(id, variable);
  }
  block(first, statement.body_count);
  close();
}

void BodyWriter::assign(const Statement& statement) {
  if (statement.slot >= places_.size()) return fail("an assignment to no slot");
  const SlotPlace& place = places_[statement.slot];
  const core::SlotInfo& slot = body_.slots[statement.slot];
  if (statement.index != core::no_node) return assign_lane(statement, place);
  if (!is_lane_ && place.is_named) return assign_named(statement);
  if (!is_lane_) return assign_scalar(statement, place);
  const bool is_packed = slot.type.elements > 1 || slot.type.kind == TypeKind::mask;
  const Type type = is_packed ? Type(TypeKind::bits, body_.nodes[statement.node].type.bits) : slot.type;
  line("now_" + slot.name + " = " + operand(statement.node, type) + ";");
}

void BodyWriter::assign_lane(const Statement& statement, const SlotPlace& place) {
  if (place.output < 0 || place.rows > 4) return fail("slot " + body_.slots[statement.slot].name + " has no lanes");
  const std::string bits = bits_of_node(statement.node);
  const std::string lane = lane_number(statement.index);
  for (unsigned word = 0; word < place.rows; ++word) {
    line("write_lane(wave, step, " + std::to_string(place.output) + ", " + lane + ", " + std::to_string(word) +
         ", static_cast<u32>(" + bits + " >> " + std::to_string(32 * word) + "u));");
  }
}

void BodyWriter::assign_named(const Statement& statement) {
  const std::string& slot = body_.slots[statement.slot].name;
  const std::string bits = bits_of_node(statement.node);
  if (slot == "scc") return line("wave.scc = " + bits + ";");
  if (slot == "pc") return line("next = jump(wave, " + bits + ");");
  line("write_" + slot + "(wave, " + bits + ");");
}

void BodyWriter::assign_scalar(const Statement& statement, const SlotPlace& place) {
  const core::SlotInfo& slot = body_.slots[statement.slot];
  const std::string where = "(wave, step, " + std::to_string(place.output) + ", ";
  const std::string rows = std::to_string(place.rows);
  if (statement.node >= body_.nodes.size()) return fail("an assignment of no value");
  if (body_.nodes[statement.node].type.bits > 128) {
    return line("write_scalar_words<" + rows + ">" + where + value(statement.node) + ");");
  }
  const std::string bits = bits_of_node(statement.node);
  const bool is_looked_at = std::any_of(body_.nodes.begin(), body_.nodes.end(), [&](const core::Node& node) {
    return node.op == Op::current && node.immediate == statement.slot;
  });
  if (is_looked_at) {
    const Type own = body_.nodes[statement.node].type;
    const bool is_packed = slot.type.elements > 1 || slot.type.kind == TypeKind::mask;
    line("now_" + slot.name + " = " + operand(statement.node, is_packed ? Type(TypeKind::bits, own.bits) : slot.type) +
         ";");
  }
  if (slot.type.kind == TypeKind::mask) return line("write_mask" + where + bits + ");");
  if (place.rows <= 2)
    return line(std::string("write_scalar<") + (place.rows == 1 ? "u32>" : "u64>") + where + bits + ");");
  line("write_wide<" + rows + ">" + where + bits + ");");
}

}  // namespace gfxisa::gen
