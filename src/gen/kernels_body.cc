#include "gen/kernels_body.h"

#include <algorithm>

namespace gfxisa::gen {

using core::BodyKind;
using core::Node;
using core::NodeId;
using core::Op;
using core::Statement;
using core::Type;
using core::TypeKind;

std::vector<SlotPlace> places_of(const core::Body& body) {
  static constexpr std::string_view named[] = {"scc", "exec", "vcc", "pc", "m0", "mode", "clamp"};
  std::vector<SlotPlace> places;
  int inputs = 0, outputs = 0, immediates = 0, fields = 0, input_rows = 0, output_rows = 0;
  for (const core::SlotInfo& slot : body.slots) {
    SlotPlace place;
    place.is_named = std::find(std::begin(named), std::end(named), slot.name) != std::end(named);
    const bool is_mask = slot.type.kind == TypeKind::mask;
    place.rows = is_mask ? 1 : std::max(1u, (slot.type.bits + 31u) / 32u);
    if (slot.is_field) {
      place.field = fields++;
    } else if (slot.is_immediate) {
      place.immediate = immediates++;
    } else if (!place.is_named) {
      if (slot.is_read)
        place.input = inputs++, place.input_row = input_rows, input_rows += static_cast<int>(place.rows);
      if (slot.is_written)
        place.output = outputs++, place.output_row = output_rows, output_rows += static_cast<int>(place.rows);
    }
    places.push_back(place);
  }
  return places;
}

bool has_effects(const core::Body& body) {
  return std::any_of(body.nodes.begin(), body.nodes.end(), [](const Node& node) {
    const bool is_inside = node.op == Op::current || node.op == Op::lane_current || node.op == Op::item ||
                           node.op == Op::item_store || node.op == Op::array_load || node.op == Op::array_store;
    const bool is_nothing = node.op == Op::nop || node.op == Op::wait_counters;  // these cannot fault
    return core::is_timed(node.op) && !is_inside && !is_nothing;
  });
}

KernelText kernel_text(const core::Body& body) { return BodyWriter(body).write(); }

BodyWriter::BodyWriter(const core::Body& body)
    : body_(body),
      places_(places_of(body)),
      names_(body.nodes.size()),
      is_lane_(body.kind == BodyKind::lane),
      needs_(float_needs(body)) {
  is_exact_ = !is_lane_ && needs_.controls.size() > 1;
  const auto writes_lanes = [](const Statement& s) {
    return s.kind == Statement::Kind::assign && s.index != core::no_node;
  };
  has_snapshots_ = std::any_of(body.statements.begin(), body.statements.end(), writes_lanes);
}

KernelText BodyWriter::write() {
  scopes_.emplace_back();
  if (is_lane_) {
    lane_kernel();
  } else {
    scalar_kernel();
  }
  const std::string head = is_lane_ ? "(const LaneCall& call) {\n" : "(Wave& wave, const Step* step) {\n";
  return {is_lane_, head + prelude(text_) + text_ + "}\n", problem_};
}

void BodyWriter::line(const std::string& text) {
  text_.append(indent_ * 2, ' ');
  text_ += text;
  text_ += '\n';
}

void BodyWriter::open(const std::string& head) {
  line(head);
  ++indent_;
  scopes_.emplace_back();
}

void BodyWriter::close(const std::string& tail) {
  for (const NodeId id : scopes_.back()) names_[id].clear();
  scopes_.pop_back();
  --indent_;
  line(tail);
}

void BodyWriter::name_node(NodeId id, const std::string& name) {
  names_[id] = name;
  scopes_.back().push_back(id);
}

void BodyWriter::fail(const std::string& why) {
  if (problem_.empty()) problem_ = why;
}

// What the text uses of the wave is read before it: a store to a row might, for all the compiler knows, change it.
std::string BodyWriter::prelude(const std::string& text) const {
  struct Variable {
    const char* name;
    const char* definition;
    const char* ieee_definition = nullptr;
  };
  static constexpr Variable variables[] = {
      {"active_lanes", "const u64 active_lanes = read_exec(wave);"},
      {"half_mode", "const FloatMode half_mode = float_mode(read_mode(wave) >> 6);",
       "const FloatMode half_mode = float_mode(3);"},
      {"brain_mode", "const FloatMode brain_mode = float_mode(read_mode(wave) >> 4);",
       "const FloatMode brain_mode = float_mode(3);"},
      {"nan_to_zero", "const bool nan_to_zero = (read_mode(wave) >> 8 & 1) != 0;"},
      {"wave_lanes", "const u32 wave_lanes = wave.wave_size();"},
      {"following", "const u64 following = next_pc(wave, step);"},
      {"base_lane", "const u32 base_lane = call.first_lane;"},
      {"data_share", "const DataShare data_share(wave);"},
  };
  std::string result;
  for (const Variable& variable : variables) {
    const bool is_other = body_.is_ieee && variable.ieee_definition != nullptr;
    if (text.find(variable.name) != std::string::npos)
      result += std::string("  ") + (is_other ? variable.ieee_definition : variable.definition) + "\n";
  }
  result += float_environment();
  const std::string all = result + text;
  std::string frame;
  if (is_lane_ && all.find("wave") != std::string::npos) frame += "  Wave& wave = *call.wave;\n";
  if (is_lane_ && all.find("step") != std::string::npos) frame += "  const Step* const step = call.step;\n";
  return frame + result;
}

std::string BodyWriter::float_environment() const {
  if (body_.is_ieee) return "  const FloatControlScope scope(ieee_control);\n";
  if (needs_.controls.empty()) return "";
  const std::string mode = "  const u32 mode_bits = read_mode(wave);\n";
  if (is_exact_ && !is_lane_) return mode;
  return mode + "  const FloatControlScope scope(float_control" + needs_.controls[0].text() + "(mode_bits));\n";
}

// ------------------------------------------------------------------------------------------------ exec lane

void BodyWriter::lane_kernel() {
  for (unsigned slot = 0; slot < places_.size(); ++slot) {
    const SlotPlace& place = places_[slot];
    const auto row = [&](const char* way, int first, unsigned i) {
      const std::string n = std::to_string(static_cast<unsigned>(first) + i);
      const std::string type = way[0] == 'i' ? "const u32* const " : "u32* const ";
      const std::string source = std::string("call.") + way + "[" + n + "]";
      line(type + way + n + " = " + (body_.slots[slot].is_uniform ? source : "row(" + source + ")") + ";");
    };
    for (unsigned i = 0; place.input >= 0 && i < place.rows; ++i) row("in", place.input_row, i);
    for (unsigned i = 0; place.output >= 0 && i < place.rows; ++i) row("out", place.output_row, i);
    if (place.is_named && body_.slots[slot].is_written)
      line("alignas(64) u32 now_row_" + body_.slots[slot].name + "[lanes_per_call] = {};");
  }
  uniform_inputs();
  if (accesses_rows())
    row_accesses();
  else
    lane_loops();
  for (unsigned slot = 0; slot < places_.size(); ++slot) {
    const core::SlotInfo& info = body_.slots[slot];
    if (!places_[slot].is_named || !info.is_written) continue;
    if (info.name != "exec" && info.name != "vcc") fail("a lane body cannot write " + info.name);
    line("write_" + info.name + "(wave, with_half(read_" + info.name + "(wave), call, now_row_" + info.name + "));");
  }
}

// Operations that obey different fields of MODE run together as long as these say the same; else one by one.
void BodyWriter::lane_loops() {
  if (is_one_float_operation()) quick_loop();
  if (needs_.controls.size() < 2) return lane_loop();
  std::string same = "const bool is_uniform = true";
  for (std::size_t i = 1; i < needs_.controls.size(); ++i) {
    same += " && float_control" + needs_.controls[0].text() + "(mode_bits) == float_control" +
            needs_.controls[i].text() + "(mode_bits)";
  }
  line(same + ";");
  open("if (is_uniform) {");
  lane_loop();
  close();
  open("else {");
  is_exact_ = true;
  lane_loop();
  close();
}

/// Whether the body is one sum or product of f32 inputs: its result is NaN where one of them is, or the operation has
/// none.
bool BodyWriter::is_one_float_operation() const {
  const Type f32(TypeKind::float_, 32);
  if (!needs_.controls.empty() || body_.statements.size() != 1) return false;
  const Statement& statement = body_.statements[0];
  if (statement.kind != Statement::Kind::assign || statement.index != core::no_node) return false;
  const Node& node = body_.nodes[statement.node];
  const bool is_simple = node.op == Op::fadd || node.op == Op::fsub || node.op == Op::fmul || node.op == Op::ffma;
  return is_simple && node.type == f32 && body_.slots[statement.slot].type == f32 &&
         std::all_of(node.args.begin(), node.args.end(), [&](NodeId argument) {
           return argument == core::no_node ||
                  (body_.nodes[argument].op == Op::input && body_.nodes[argument].type == f32);
         });
}

/// First all lanes as if no result were NaN, which is nearly always so; which NaN it is takes longer than the result.
void BodyWriter::quick_loop() {
  const Statement& statement = body_.statements[0];
  line("alignas(64) Row quick;");
  line("u32 strange = 0;");
  is_quick_ = true;
  lane_rounds();
  lane_inputs();
  line("const f32 result = " + expression(body_.nodes[statement.node]) + ";");
  line("quick[i] = bits_of_value(result);");
  line("strange |= static_cast<u32>(nan(result));");
  close();
  is_quick_ = false;
  const std::string out = "out" + std::to_string(places_[statement.slot].output_row);
  line("if (strange == 0) return copy_row(" + out + ", quick);");
}

/// The head of a loop over lanes that do not see each other.
void BodyWriter::lane_rounds() {
  if (!is_exact_) line("GFXISA_VECTORISE");
  open("for (u32 i = 0; i < lanes_per_call; ++i) {");
  const bool uses_lane =
      std::any_of(body_.nodes.begin(), body_.nodes.end(), [](const Node& node) { return node.op == Op::lane; });
  if (uses_lane) line("const u32 lane = base_lane + i;");
}

void BodyWriter::lane_loop() {
  const bool effects = has_effects(body_);
  if (effects) {
    open("each_lane(call.active, [&](u32 i) {");
  } else {
    lane_rounds();
  }
  if (effects) line("const u32 lane = base_lane + i;");
  lane_inputs();
  present_values();
  block(0, body_.statements.size());
  lane_outputs();
  close(effects ? "});" : "}");
}

void BodyWriter::lane_outputs() {
  for (unsigned slot = 0; slot < places_.size(); ++slot) {
    const core::SlotInfo& info = body_.slots[slot];
    const SlotPlace& place = places_[slot];
    if (!info.is_written) continue;
    const std::string now = "now_" + info.name;
    if (place.is_named) {
      line("now_row_" + info.name + "[i] = " + now + ";");
      continue;
    }
    const std::string first = "out" + std::to_string(place.output_row) + "[i] = ";
    if (info.type.kind == TypeKind::mask) {
      line(first + "0u - " + now + ";");
      continue;
    }
    const std::string bits = std::to_string(info.type.bits);
    const std::string raw = place.rows == 1 ? "u32" : place.rows == 2 ? "u64" : "u128";
    line("const " + raw + " bits_" + info.name + " = fit<" + raw + ", " + bits + ">(bits_of_value(" + now + "));");
    for (unsigned i = 0; i < place.rows; ++i) {
      const std::string row = "out" + std::to_string(static_cast<unsigned>(place.output_row) + i) + "[i] = ";
      line(row + "static_cast<u32>(bits_" + info.name + " >> " + std::to_string(32 * i) + "u);");
    }
  }
}

// ------------------------------------------------------------------------------------- exec and exec wave

void BodyWriter::scalar_kernel() {
  line("const Step* next = step + 1;");
  uniform_inputs();
  scalar_inputs();
  present_values();
  items_and_arrays();
  block(0, body_.statements.size());
  line("return next;");
}

}  // namespace gfxisa::gen
