// What is the same on every chip: instructions, their slots, PTX relations, bodies.
#include <algorithm>

#include "core/blob.h"
#include "gen/kernels_body.h"
#include "gen/tables_builder.h"

namespace gfxisa::gen {

namespace {

constexpr std::string_view named_registers[] = {"scc", "exec", "vcc", "pc", "m0", "mode", "clamp"};

bool is_named_register(std::string_view name) {
  return std::find(std::begin(named_registers), std::end(named_registers), name) != std::end(named_registers);
}

bool writes_pc(const core::Body& body) {
  const bool branches = std::any_of(body.nodes.begin(), body.nodes.end(),
                                    [](const core::Node& node) { return node.op == core::Op::wave_branch; });
  return branches || std::any_of(body.slots.begin(), body.slots.end(),
                                 [](const core::SlotInfo& slot) { return slot.name == "pc" && slot.is_written; });
}

bool reads_exec(const core::Body& body) {
  if (body.kind == core::BodyKind::lane) return true;
  const bool asks = std::any_of(body.nodes.begin(), body.nodes.end(), [](const core::Node& node) {
    return node.op == core::Op::active || node.op == core::Op::first_active;
  });
  return asks || std::any_of(body.statements.begin(), body.statements.end(), [](const core::Statement& statement) {
           return statement.kind == core::Statement::Kind::lanes && statement.first == 0;
         });
}

bool has_operation(const core::Body& body, core::Op op) {
  return std::any_of(body.nodes.begin(), body.nodes.end(), [op](const core::Node& node) { return node.op == op; });
}

HardwareRegister register_of(const core::Body& body, core::Op op) {
  constexpr u64 mode = 1;
  for (const core::Node& node : body.nodes) {
    if (node.op != op || node.args[0] == core::no_node) continue;
    const core::Node& number = body.nodes[node.args[0]];
    if (number.op != core::Op::constant) return HardwareRegister::named;
    if (number.immediate == mode) return HardwareRegister::mode;
  }
  return HardwareRegister::none;
}

}  // namespace

void TableBuilder::add_instructions() {
  for (const model::Instruction& instruction : isa_.instructions) add_instruction(instruction);
}

void TableBuilder::add_instruction(const model::Instruction& instruction) {
  InstructionRow row{};
  row.name = data_.pool.add(instruction.name);
  row.family = data_.pool.add(instruction.family < isa_.families.size() ? isa_.families[instruction.family].name : "");
  row.topic = data_.pool.add(instruction.topic);
  row.about = data_.pool.add(instruction.about);
  row.describe = data_.pool.add(instruction.describe);
  row.file = data_.pool.add(instruction.file);
  row.line = instruction.line;
  row.first_slot = static_cast<u32>(data_.slots.size());
  row.slot_count = static_cast<u8>(instruction.slots.size());
  for (const model::Slot& slot : instruction.slots) data_.slots.push_back(slot_row(slot));
  const auto put = [&](const std::vector<std::string>& texts, u32& first, u8& count) {
    first = add_texts(texts);
    count = static_cast<u8>(texts.size());
  };
  put(instruction.notes, row.first_note, row.note_count);
  put(instruction.opens, row.first_open, row.open_count);
  put(instruction.related, row.first_related, row.related_count);
  put(instruction.examples, row.first_example, row.example_count);
  put(instruction.only_targets, row.first_only, row.only_count);
  add_ptx(instruction, row);
  row.fidelity = static_cast<Fidelity>(instruction.fidelity);
  row.fidelity_why = data_.pool.add(instruction.fidelity_why);
  data_.instructions.push_back(row);
  add_semantics(instruction);
}

SlotRow TableBuilder::slot_row(const model::Slot& slot) {
  SlotRow row{};
  row.name = data_.pool.add(slot.name);
  row.note = data_.pool.add(slot.note);
  row.access = static_cast<Access>(slot.access);
  row.is_named = slot.is_field || is_named_register(slot.name);
  row.is_returned = slot.is_returned;
  row.format = no_format;
  row.style = Style::none;
  row.chips = static_cast<u16>(slot.chips);
  if (slot.access == model::Access::imm) {
    row.style = style_named(slot.type);
    row.bits = 32;
    return row;
  }
  row.format = format_index(slot.type);
  if (row.format == no_format) return row;
  row.bits = slot.type == "mask" ? 0 : data_.data_formats[row.format].bits;
  row.is_tile = is_tile(slot);
  return row;
}

bool TableBuilder::is_tile(const model::Slot& slot) const {
  const u8 format = slot.access == model::Access::imm ? no_format : format_index(slot.type);
  return format != no_format && isa_.formats[format].kind == "tile";
}

void TableBuilder::add_ptx(const model::Instruction& instruction, InstructionRow& row) {
  row.first_ptx = static_cast<u32>(data_.ptx.size());
  row.ptx_count = static_cast<u8>(instruction.ptx.size());
  for (const model::Ptx& ptx : instruction.ptx) {
    data_.ptx.push_back({static_cast<u16>(ptx.chips), data_.pool.add(ptx.name), static_cast<u8>(ptx.relation),
                         data_.pool.add(ptx.why)});
  }
}

void TableBuilder::add_semantics(const model::Instruction& instruction) {
  first_semantics_.push_back(static_cast<u16>(data_.semantics.size()));
  for (const model::Semantics& semantics : instruction.semantics) {
    const core::Body& body = semantics.body;
    SemanticsRow row{};
    row.instruction = static_cast<u16>(data_.instructions.size() - 1);
    row.kind = static_cast<BodyKind>(body.kind);
    for (const SlotPlace& place : places_of(body)) {
      row.input_count += place.input >= 0;
      row.output_count += place.output >= 0;
      row.immediate_count += place.immediate >= 0;
    }
    row.float_mode = float_mode_of(body);
    row.has_effects = has_effects(body);
    row.writes_pc = writes_pc(body);
    row.reads_exec = reads_exec(body);
    row.ends_wave = has_operation(body, core::Op::wave_end);
    row.sets_banks = has_operation(body, core::Op::set_banks);
    row.names_registers = has_operation(body, core::Op::register_number);
    row.reads_register = register_of(body, core::Op::read_hwreg);
    row.writes_register = register_of(body, core::Op::write_hwreg);
    row.source = data_.pool.add(semantics.source);
    const std::vector<u64> words = core::serialise(body);
    row.first_blob = static_cast<u32>(data_.tree_words.size());
    row.blob_words = static_cast<u32>(words.size());
    data_.tree_words.insert(data_.tree_words.end(), words.begin(), words.end());
    data_.semantics.push_back(row);
  }
}

}  // namespace gfxisa::gen
