#include "doc/page_effects.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "doc/compare.h"
#include "doc/embedded.h"
#include "doc/reference_text.h"

namespace gfxisa {
namespace {

const Tables& all() { return tables(); }

constexpr bool has_class(u16 classes, CodeClass cls) { return (classes >> static_cast<unsigned>(cls) & 1) != 0; }

/// Everything about one form that the rules below ask for.
class Form {
 public:
  Form(u32 index, unsigned chip)
      : chip_(chip),
        form_(all().forms[index]),
        row_(all().instructions[form_.instruction]),
        encoding_(all().text(all().encodings[form_.encoding].name)) {
    if (form_.semantics != no_semantics) {
      body_ = &all().semantics[form_.semantics];
      source_ = all().text(body_->source);
    }
  }

  bool body_says(std::string_view what) const { return source_.find(what) != std::string_view::npos; }
  bool has_body() const { return body_ != nullptr; }
  const SemanticsRow* body() const { return body_; }
  std::string_view encoding() const { return encoding_; }
  std::string_view mnemonic() const { return all().text(form_.mnemonic); }
  const FormRow& form() const { return form_; }

  /// Slots that this generation has.
  std::vector<const SlotRow*> slots() const {
    std::vector<const SlotRow*> out;
    for (u32 i = 0; i < row_.slot_count; ++i) {
      const SlotRow& slot = all().slots[row_.first_slot + i];
      if ((slot.chips >> chip_ & 1) != 0) out.push_back(&slot);
    }
    return out;
  }
  bool returns_sometimes() const {
    const auto all_slots = slots();
    return std::any_of(all_slots.begin(), all_slots.end(), [](const SlotRow* slot) { return slot->is_returned; });
  }
  bool has_result() const {
    const auto all_slots = slots();
    return std::any_of(all_slots.begin(), all_slots.end(), [](const SlotRow* slot) {
      return !slot->is_named && !slot->is_returned && (slot->access == Access::out || slot->access == Access::inout);
    });
  }
  bool has_data() const {
    const auto all_slots = slots();
    return std::any_of(all_slots.begin(), all_slots.end(), [](const SlotRow* slot) {
      return slot->access == Access::in && all().text(slot->name).starts_with("data");
    });
  }
  /// A result comes back, into registers or into the data share.
  bool is_load() const { return has_result() || mnemonic().find("_load_") != std::string_view::npos; }
  bool takes_vectors() const {
    for (u32 i = 0; i < form_.operand_count; ++i) {
      const OperandRow& operand = all().operands[form_.first_operand + i];
      if (operand.kind == no_kind) continue;
      const u16 classes = all().operand_kinds[operand.kind].classes;
      if (has_class(classes, CodeClass::vgpr) || has_class(classes, CodeClass::agpr)) return true;
    }
    return false;
  }

 private:
  unsigned chip_;
  const FormRow& form_;
  const InstructionRow& row_;
  std::string_view encoding_;
  const SemanticsRow* body_ = nullptr;
  std::string_view source_;
};

std::string describe_slot(const SlotRow& slot) {
  std::string out = slot.is_named ? upper(all().text(slot.name)) : std::string(all().text(slot.name));
  if (slot.format != no_format && !slot.is_named)
    out += fmt::format(" ({})", all().text(all().data_formats[slot.format].name));
  if (slot.is_returned) out += ", when asked for";
  return out;
}

/// Which memories an instruction reaches and how, from its body, or where it has none from its encoding and operands.
void add_memory(const Form& form, Effects& out) {
  const bool is_flat = form.encoding() == "FLAT" || form.encoding() == "VFLAT";
  const bool is_lds = form.encoding() == "DS" || form.body_says("lds.");
  const bool has_address = is_flat || is_lds || form.body_says("mem.") || form.body_says("scalar.load") ||
                           matches_any("SMEM SMEM_S* *BUF* *GLOBAL* *SCRATCH* MIMG* VIMAGE* VSAMPLE", form.encoding());
  if (!has_address) return;
  const auto slots = form.slots();
  const bool is_atomic = form.returns_sometimes() || form.body_says(".update") ||
                         std::any_of(slots.begin(), slots.end(),
                                     [](const SlotRow* s) { return s->access == Access::inout && !s->is_named; });
  bool reads = form.body_says(".load") || is_atomic, writes = form.body_says(".store") || is_atomic;
  if (!form.has_body()) {
    reads = reads || form.is_load();
    writes = writes || (!form.has_result() && form.has_data());
  }
  if (form.has_body() && form.encoding() == "DS" && !form.body_says("lds.")) return;  // moves data between lanes alone
  std::string where = is_lds    ? "local data share"
                      : is_flat ? "memory, local data share or scratch, by the address"
                      : matches_any("*SCRATCH*", form.encoding()) ? "scratch"
                                                                  : "memory";
  if (reads) out.reads.push_back(where);
  if (writes) out.writes.push_back(where);
  if (matches_any("GLOBAL_LDS SCRATCH_LDS", form.encoding()) ||
      form.mnemonic().find("_to_lds") != std::string_view::npos) {
    out.writes.push_back("local data share");
  }
}

void add_registers(const Form& form, Effects& out) {
  for (const SlotRow* slot : form.slots()) {
    if (slot->access == Access::imm) continue;
    if (slot->access != Access::out) out.reads.push_back(describe_slot(*slot));
    if (slot->access != Access::in) out.writes.push_back(describe_slot(*slot));
  }
  const auto has = [](const std::vector<std::string>& list, std::string_view name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  const bool by_lane =
      form.has_body() ? form.body()->kind == BodyKind::lane || (form.body()->kind == BodyKind::wave &&
                                                                (form.body_says("active") || form.body_says("lane")))
                      : form.takes_vectors();
  if (by_lane && !has(out.reads, "EXEC")) out.reads.push_back("EXEC: which lanes take part");
  if (!form.has_body()) return;
  static constexpr std::array modes = {"", "MODE: rounding and denormals of f32",
                                       "MODE: rounding and denormals of f16 and f64", "MODE: rounding and denormals"};
  if (form.body()->float_mode != 0) out.reads.push_back(modes[form.body()->float_mode & 3]);
  if (form.body_says("pc.next") && !has(out.reads, "PC")) out.reads.push_back("PC");
  if (form.body()->writes_pc && !has(out.writes, "PC")) out.writes.push_back("PC");
  if (form.body_says("hwreg.read")) out.reads.push_back("a hardware register");
  if (form.body_says("hwreg.write")) out.writes.push_back("a hardware register");
}

std::string counter_of(const Form& form, unsigned chip) {
  static const auto blocks = parse_reference(embedded_text(embedded_data(), "counters.ref"));
  std::vector<std::string> out;
  for (const ReferenceBlock& block : blocks) {
    if ((chips_of_set(block.set) >> chip & 1) == 0 || matches_any(block.text("except"), form.mnemonic())) continue;
    const bool always =
        matches_any(block.text("all"), form.encoding()) || matches_any(block.text("named"), form.mnemonic());
    const bool as_load = matches_any(block.text("loads"), form.encoding());
    const bool as_store = matches_any(block.text("stores"), form.encoding());
    std::string how;
    if (form.returns_sometimes() && !always) {
      if (!as_load && !as_store) continue;
      how = as_load ? " when it returns a value" : " when it returns none";
    } else if (!always && !(as_load && form.is_load()) && !(as_store && !form.is_load())) {
      continue;
    }
    std::vector<std::string_view> waits;
    const std::string wait = block.text("wait");
    for (const std::string_view name : split_words(wait)) {
      const ChipRow& row = all().chips[chip];
      const auto names = all().name_index.subspan(row.first_name, row.name_count);
      if (std::any_of(names.begin(), names.end(), [&](const NameRow& n) { return all().text(n.name) == name; })) {
        waits.push_back(name);
      }
    }
    out.push_back(fmt::format("{}{}; {} waits for it", block.name, how, fmt::join(waits, ", ")));
  }
  if (out.empty()) return "none: later instructions see the results without waiting";
  return fmt::format("{}", fmt::join(out, ". "));
}

/// Sentences that hold for all instructions of which the tables say these things.
void add_behaviour(const Form& form, Effects& out) {
  if (!form.has_body()) {
    out.behaviour.push_back(form.takes_vectors() ? "Works on the lanes whose bit in EXEC is set."
                                                 : "Runs once for the whole wave, whatever EXEC holds.");
  } else if (form.body()->kind == BodyKind::scalar) {
    out.behaviour.push_back("Runs once for the whole wave, whatever EXEC holds.");
  } else if (form.body()->kind == BodyKind::lane) {
    out.behaviour.push_back(
        "Runs for each lane whose bit in EXEC is set; registers of the other lanes keep what they hold.");
  } else {
    out.behaviour.push_back("Sees all lanes of the wave at once: what a lane gets may depend on others.");
  }
  const auto writes = [&](std::string_view name) {
    return std::find(out.writes.begin(), out.writes.end(), name) != out.writes.end();
  };
  if (!writes("SCC") && form.encoding().starts_with("SOP")) out.behaviour.push_back("SCC keeps what it holds.");
}

}  // namespace

Effects effects_of(u32 index, unsigned chip) {
  const Form form(index, chip);
  Effects out;
  add_registers(form, out);
  add_memory(form, out);
  add_behaviour(form, out);
  if (out.reads.empty()) out.reads.push_back("nothing");
  if (out.writes.empty()) out.writes.push_back("no register, no memory");
  out.counter = counter_of(form, chip);
  return out;
}

}  // namespace gfxisa
