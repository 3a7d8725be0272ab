#include "doc/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "doc/catalogue.h"
#include "doc/compare.h"
#include "doc/example.h"
#include "doc/page_effects.h"
#include "doc/ptx.h"
#include "doc/run_example.h"
#include "inst/instruction.h"
#include "inst/tables.h"

namespace gfxisa {
namespace {

const Tables& all() { return tables(); }

std::string text(Text index) { return std::string(all().text(index)); }

std::vector<std::string> texts(u32 first, u32 count) {
  std::vector<std::string> out;
  for (u32 i = 0; i < count; ++i) out.push_back(text(all().texts[first + i]));
  return out;
}

// --------------------------------------------------------------------------------------------- finding

/// Forms of `mnemonic` on `chip`; names come before aliases.
std::vector<u32> forms_named(std::string_view mnemonic, unsigned chip) {
  const ChipRow& row = all().chips[chip];
  std::vector<u32> out;
  for (u32 i = row.first_name; i < row.first_name + row.name_count; ++i) {
    if (all().text(all().name_index[i].name) == mnemonic) out.push_back(all().name_index[i].form);
  }
  return out;
}

/// Two mnemonics of one instruction on different generations are one entry: its canonical name finds it everywhere.
std::vector<u32> forms_of_canonical_name(std::string_view name, unsigned chip) {
  const ChipRow& row = all().chips[chip];
  std::vector<u32> out;
  for (u32 i = row.first_form; i < row.first_form + row.form_count; ++i) {
    if (all().text(all().instructions[all().forms[i].instruction].name) == name) out.push_back(i);
  }
  return out;
}

std::vector<u32> find_forms(std::string_view mnemonic, unsigned chip) {
  auto forms = forms_named(mnemonic, chip);
  if (!forms.empty()) return forms;
  return forms_of_canonical_name(mnemonic, chip);
}

std::vector<std::string> chips_that_have(std::string_view mnemonic) {
  std::vector<std::string> out;
  for (unsigned chip = 0; chip < all().chips.size(); ++chip) {
    if (!find_forms(mnemonic, chip).empty()) out.push_back(text(all().chips[chip].title));
  }
  return out;
}

Error unknown(std::string_view mnemonic, int chip) {
  if (chip >= 0) {
    if (const auto chips = chips_that_have(mnemonic); !chips.empty()) {
      return {fmt::format("{} has no {}", all().text(all().chips[chip].title), mnemonic),
              fmt::format("it exists on {}", fmt::join(chips, ", "))};
    }
  }
  const auto similar = similar_mnemonics(mnemonic, chip, 3);
  return {
      fmt::format("no instruction is called '{}'", mnemonic),
      similar.empty() ? "gfxisa list shows all of them" : fmt::format("did you mean {}?", fmt::join(similar, ", "))};
}

// --------------------------------------------------------------------------------------------- one encoding

std::vector<PageField> page_fields(const EncodingRow& encoding, unsigned opcode) {
  std::vector<PageField> out;
  for (const FieldRow* field : fields_high_to_low(encoding)) {
    PageField f;
    f.high = field->low + field->width - 1u;
    f.low = field->low;
    switch (field->role) {
      case FieldRole::constant:
        f.kind = PageField::Kind::fixed;
        f.bits = fmt::format("{:0{}b}", field->constant, field->width);
        break;
      case FieldRole::opcode:
        f.kind = PageField::Kind::fixed;
        f.name = "OP";
        f.bits = fmt::format("{:0{}b}", opcode >> field->constant & ((1u << field->width) - 1), field->width);
        break;
      case FieldRole::reserved:
        f.kind = PageField::Kind::unassigned;
        break;
      default:
        f.name = upper(text(field->name));
        f.holds_operand = field->role == FieldRole::operand;
    }
    out.push_back(std::move(f));
  }
  return out;
}

std::string access_of(Access access) {
  switch (access) {
    case Access::out:
      return "written";
    case Access::in:
      return "read";
    case Access::inout:
      return "read and written";
    case Access::imm:
      return "immediate";
  }
  return {};
}

PageOperand page_operand(const FormRow& form, const OperandRow& operand) {
  const EncodingRow& encoding = all().encodings[form.encoding];
  const SlotRow& slot = all().slots[all().instructions[form.instruction].first_slot + operand.slot];
  PageOperand out;
  out.name = text(slot.name);
  out.access = access_of(slot.access);
  out.note = text(slot.note);
  const DataFormatRow& format = all().data_formats[slot.format];
  if (slot.access == Access::imm) {
    out.format = "immediate";
  } else {
    out.format = slot.bits == 0 ? "mask" : text(format.name);
    out.size = slot.bits == 0 ? "one bit a lane" : fmt::format("{} bits", slot.bits);
  }
  if (operand.field != 0xff) {
    const FieldRow& field = all().fields[encoding.first_field + operand.field];
    out.field = upper(text(field.name));
    if (slot.access == Access::imm) out.size = fmt::format("{} bits", field.width);
  } else {
    out.field = text(slot.name) + " (implied)";
  }
  if (operand.kind != no_kind) out.kind = text(all().operand_kinds[operand.kind].name);
  return out;
}

/// Slots that no field and no row of operands carries: scc, exec, ...
void add_named_slots(const FormRow& form, std::vector<PageOperand>& operands) {
  const InstructionRow& row = all().instructions[form.instruction];
  for (u32 i = 0; i < row.slot_count; ++i) {
    const SlotRow& slot = all().slots[row.first_slot + i];
    const bool listed = std::any_of(operands.begin(), operands.end(),
                                    [&](const PageOperand& o) { return o.name == all().text(slot.name); });
    if (listed || !slot.is_named) continue;
    PageOperand out;
    out.name = text(slot.name);
    out.access = access_of(slot.access);
    out.note = text(slot.note);
    if (slot.access == Access::imm) {
      const FieldRow* field = find_field(all().encodings[form.encoding], out.name);
      if (field == nullptr) continue;
      out.field = upper(out.name);
      out.format = "field";
      out.size = fmt::format("{} bits", field->width);
      operands.push_back(std::move(out));
      continue;
    }
    out.field = upper(text(slot.name)) + " (implied)";
    out.kind = "register";
    out.format = slot.bits == 0 ? "mask" : text(all().data_formats[slot.format].name);
    out.size = slot.bits == 0 ? "one bit a lane" : slot.bits == 1 ? "1 bit" : fmt::format("{} bits", slot.bits);
    operands.push_back(std::move(out));
  }
}

std::string hex_of(const std::vector<u32>& words) {
  // Words above the first that are all zero say nothing: the identifier is then the first word, as manuals write it.
  u64 high = 0;
  for (std::size_t i = 1; i < words.size(); ++i) high |= words[i];
  if (high == 0) return fmt::format("0x{:08X}", words[0]);
  std::string out = "0x";
  for (std::size_t i = words.size(); i-- > 0;) out += fmt::format("{:08X}", words[i]);
  return out;
}

std::string selected_by(const EncodingRow& suffix) {
  const std::string name = text(suffix.selects_name);
  if (name == "literal" || name == "literal64") {
    return name == "literal" ? fmt::format("an operand that is a literal (code {})", literal_code)
                             : fmt::format("an operand that is a literal of 64 bits (code {})", literal64_code);
  }
  return fmt::format("{} = {}", upper(name), suffix.selects_value);
}

std::vector<PageSuffix> page_suffixes(u32 form_index, unsigned chip, const std::string& example) {
  std::vector<PageSuffix> out;
  for (const u32 index : suffix_rows_of(chip, all().forms[form_index])) {
    const EncodingRow& row = all().encodings[index];
    PageSuffix suffix;
    suffix.name = text(row.name);
    suffix.title = text(row.title);
    suffix.about = text(row.about);
    suffix.selected_by = selected_by(row);
    suffix.bits = row.bits;
    suffix.fields = page_fields(row, 0);
    suffix.example = suffix_example(chip, example, index);
    if (suffix.example.empty()) {
      suffix.example_why_not = example.empty() ? "nothing is assembled to the form that it would follow"
                               : row.literal_bits == 64
                                   ? "words with it are read; the operand has 32 bits, so a literal of 32 is assembled"
                                   : "";
    }
    out.push_back(std::move(suffix));
  }
  return out;
}

/// `neg(NEG) on f32 sources`; formats of one stage share a line.
std::vector<std::string> page_modifiers(const FormRow& form) {
  const EncodingRow& encoding = all().encodings[form.encoding];
  const InstructionRow& row = all().instructions[form.instruction];
  std::vector<std::string> out;
  for (u32 i = 0; i < encoding.stage_count; ++i) {
    const StageRow& stage = all().stages[encoding.first_stage + i];
    const bool general = stage.format == stage_lanes;
    const auto concerns = [&](const SlotRow& slot) {
      return slot.format == stage.format && (slot.access == Access::in) != stage.is_write;
    };
    const auto slots = all().slots.subspan(row.first_slot, row.slot_count);
    if (!general && std::none_of(slots.begin(), slots.end(), concerns)) continue;
    std::vector<std::string> fields;
    for (u32 a = 0; a < stage.argument_count; ++a) fields.push_back(upper(text(stage.argument_field[a])));
    std::string line = fmt::format("{}({}) on {}", text(stage.stage), fmt::join(fields, ", "),
                                   stage.is_write ? "the result" : "each source");
    if (!general) line += fmt::format(" that is {}", text(all().data_formats[stage.format].name));
    if (std::find(out.begin(), out.end(), line) == out.end()) out.push_back(std::move(line));
  }
  return out;
}

PageEncoding page_encoding(u32 form_index, unsigned chip) {
  const FormRow& form = all().forms[form_index];
  const EncodingRow& encoding = all().encodings[form.encoding];
  PageEncoding out;
  out.name = text(encoding.name);
  out.title = text(encoding.title);
  out.about = text(encoding.about);
  out.bits = encoding.bits;
  out.opcode = form.opcode;
  out.identifier = hex_of(identifier_words(form));
  out.fields = page_fields(encoding, form.opcode);
  for (u32 i = 0; i < form.operand_count; ++i)
    out.operands.push_back(page_operand(form, all().operands[form.first_operand + i]));
  add_named_slots(form, out.operands);
  out.example = example_text(chip, form_index);
  if (out.example.empty()) out.example_why_not = why_no_example(chip, form_index);
  out.modifiers = page_modifiers(form);
  out.suffixes = page_suffixes(form_index, chip, out.example);
  if (encoding.address_source != 0) out.address = text(encoding.address_source);
  return out;
}

// --------------------------------------------------------------------------------------------- the rest

std::vector<PageElsewhere> elsewhere(const FormRow& here, unsigned chip) {
  std::vector<PageElsewhere> out;
  const std::string_view encoding = all().text(all().encodings[here.encoding].name);
  for (unsigned other = 0; other < all().chips.size(); ++other) {
    if (other == chip) continue;
    PageElsewhere e;
    e.chip = text(all().chips[other].title);
    const int form = form_on_chip(here.instruction, other, encoding);
    e.exists = form >= 0;
    if (e.exists) {
      const FormRow& there = all().forms[form];
      if (all().text(there.mnemonic) != all().text(here.mnemonic)) e.mnemonic = text(there.mnemonic);
      e.differences = encoding_differences(here, there);
      e.same = e.differences.empty();
    }
    out.push_back(std::move(e));
  }
  return out;
}

std::vector<std::pair<std::string, bool>> target_compatibility(unsigned instruction) {
  const InstructionRow& row = all().instructions[instruction];
  const auto only = texts(row.first_only, row.only_count);
  std::vector<std::pair<std::string, bool>> out;
  for (unsigned chip = 0; chip < all().chips.size(); ++chip) {
    const ChipRow& c = all().chips[chip];
    const bool on_chip = form_on_chip(instruction, chip, "") >= 0;
    for (const std::string& target : texts(c.first_target, c.target_count)) {
      const bool allowed = only.empty() || std::find(only.begin(), only.end(), target) != only.end();
      out.emplace_back(target, on_chip && allowed);
    }
  }
  return out;
}

void add_semantics(Page& page, const FormRow& form) {
  if (form.semantics == no_semantics) return;
  const SemanticsRow& row = all().semantics[form.semantics];
  page.semantics = text(row.source);
  page.semantics_kind = row.kind == BodyKind::scalar ? "once for the wave"
                        : row.kind == BodyKind::lane ? "for each lane that is on"
                                                     : "once for the wave, seeing all lanes";
}

void add_ptx(Page& page, const InstructionRow& row, unsigned chip) {
  static constexpr std::array relations = {"equivalent", "equivalent with restrictions", "partial", "none"};
  for (u32 i = 0; i < row.ptx_count; ++i) {
    const PtxRow& ptx = all().ptx[row.first_ptx + i];
    if ((ptx.chips >> chip & 1) == 0) continue;
    page.ptx.push_back({ptx_name(all().text(ptx.name)), relations[std::min<unsigned>(ptx.relation, 3)], text(ptx.why)});
  }
}

void add_sources(Page& page, const InstructionRow& row, unsigned chip) {
  const ChipRow& c = all().chips[chip];
  page.sources = texts(c.first_manual, c.manual_count);
  page.sources.push_back(
      fmt::format("spec/{}:{} (this project; encodings compared with llvm-mc 22)", text(row.file), row.line));
}

std::string word_of(Fidelity fidelity) {
  switch (fidelity) {
    case Fidelity::exact:
      return "exact";
    case Fidelity::approximate:
      return "approximate";
    case Fidelity::none:
      return "not executable";
  }
  return {};
}

void add_aliases(Page& page, const std::vector<u32>& forms, unsigned chip) {
  const ChipRow& row = all().chips[chip];
  std::set<std::string> names;
  for (u32 i = row.first_name; i < row.first_name + row.name_count; ++i) {
    const NameRow& name = all().name_index[i];
    if (name.is_alias && std::find(forms.begin(), forms.end(), name.form) != forms.end()) names.insert(text(name.name));
  }
  page.aliases.assign(names.begin(), names.end());
}

Page fill_page(u32 named, unsigned chip) {
  const FormRow& first = all().forms[named];
  const InstructionRow& row = all().instructions[first.instruction];
  std::vector<u32> forms;
  const ChipRow& c = all().chips[chip];
  for (u32 i = c.first_form; i < c.first_form + c.form_count; ++i) {
    if (all().forms[i].instruction == first.instruction) forms.push_back(i);
  }
  const auto bits_of = [](u32 form) { return all().encodings[all().forms[form].encoding].bits; };
  std::sort(forms.begin(), forms.end(),
            [&](u32 a, u32 b) { return std::pair(bits_of(a), a) < std::pair(bits_of(b), b); });
  Page page;
  page.mnemonic = text(all().forms[forms.front()].mnemonic);
  page.chip = text(c.name);
  page.chip_title = text(c.title);
  page.family = text(row.family);
  page.category = text(row.topic);
  page.summary = text(row.about);
  page.description = text(row.describe);
  for (const u32 form : forms) page.encodings.push_back(page_encoding(form, chip));
  page.elsewhere = elsewhere(all().forms[forms.front()], chip);
  page.targets = target_compatibility(first.instruction);
  page.notes = texts(row.first_note, row.note_count);
  page.open_points = texts(row.first_open, row.open_count);
  page.related = texts(row.first_related, row.related_count);
  const FormRow& shown = all().forms[forms.front()];
  page.fidelity = word_of(fidelity_of(shown));
  page.fidelity_why = text(fidelity_reason(shown));
  const Effects effects = effects_of(forms.front(), chip);
  page.behaviour = effects.behaviour;
  page.reads = effects.reads;
  page.writes = effects.writes;
  page.counter = effects.counter;
  add_aliases(page, forms, chip);
  add_semantics(page, all().forms[forms.front()]);
  add_ptx(page, row, chip);
  add_sources(page, row, chip);
  const auto with_example = std::find_if(page.encodings.begin(), page.encodings.end(),
                                         [](const PageEncoding& encoding) { return !encoding.example.empty(); });
  page.run = run_example(chip, with_example == page.encodings.end() ? std::string() : with_example->example, row);
  return page;
}

std::vector<Page> fill_pages(const std::vector<u32>& named, unsigned chip) {
  std::vector<Page> out;
  std::set<u16> known;
  for (const u32 form : named) {
    if (known.insert(all().forms[form].instruction).second) out.push_back(fill_page(form, chip));
  }
  return out;
}

std::string in_lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

}  // namespace

Result<std::vector<Page>> make_pages(std::string_view mnemonic, int chip) {
  const std::string lower = in_lower_case(mnemonic);
  const unsigned count = static_cast<unsigned>(all().chips.size());
  for (unsigned i = count; i-- > 0;) {
    if (chip >= 0 && i != static_cast<unsigned>(chip)) continue;
    const auto forms = find_forms(lower, i);
    if (!forms.empty()) return fill_pages(forms, i);
  }
  return unknown(lower, chip);
}

Result<Page> make_page(std::string_view mnemonic, int chip) {
  auto pages = make_pages(mnemonic, chip);
  if (!pages) return pages.error();
  return std::move(pages->front());
}

}  // namespace gfxisa
