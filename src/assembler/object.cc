// When all is read: values are put where they were waited for, or become relocations; symbols get their table.
#include <elf.h>
#include <fmt/format.h>

#include <cstring>

#include "assembler/assembler.h"

namespace gfxisa::assembler {

namespace {

constexpr std::size_t most_errors = 1000;

RelocationType relocation_of(const Fixup& fixup, Specifier specifier, bool is_relative) {
  switch (specifier) {
    case Specifier::rel32_lo:
      return RelocationType::rel32_lo;
    case Specifier::rel32_hi:
      return RelocationType::rel32_hi;
    case Specifier::gotpcrel:
      return RelocationType::gotpcrel;
    case Specifier::gotpcrel32_lo:
      return RelocationType::gotpcrel32_lo;
    case Specifier::gotpcrel32_hi:
      return RelocationType::gotpcrel32_hi;
    case Specifier::abs32_lo:
      return RelocationType::abs32_lo;
    case Specifier::abs32_hi:
      return RelocationType::abs32_hi;
    case Specifier::abs64:
      return RelocationType::abs64;
    case Specifier::rel64:
      return RelocationType::rel64;
    case Specifier::none:
      break;
  }
  if (fixup.kind == Fixup::Kind::branch) return RelocationType::rel16;
  if (fixup.bytes == 4) return is_relative ? RelocationType::rel32 : RelocationType::abs32;
  if (fixup.bytes == 8) return is_relative ? RelocationType::rel64 : RelocationType::abs64;
  return RelocationType::none;
}

bool is_absolute(Specifier specifier) {
  return specifier == Specifier::abs32_lo || specifier == Specifier::abs32_hi || specifier == Specifier::abs64;
}

}  // namespace

void Assembler::finish() {
  count_registers();
  symbols_.finish();
  const auto has_room = [&] { return diagnostics_.error_count() < most_errors; };
  for (std::size_t i = 0; i < fixups_.size() && has_room(); ++i) resolve(fixups_[i]);
  for (std::size_t i = 0; i < descriptor_fixups_.size() && has_room(); ++i) resolve(descriptor_fixups_[i]);
  for (PendingKernel& pending : pending_kernels_) resolve(pending);
  for (const auto& [index, at] : sizes_) {
    if (symbols_[index].size_expression == 0) continue;  // a later .size said otherwise
    Relocatable value;
    std::string problem;
    if (!symbols_.evaluate(symbols_[index].size_expression, value, problem))
      report_at(at, problem);
    else if (!value.is_number())
      report_at(at, "the size must be a number", "such as .Lend-name");
    symbols_[index].size = static_cast<u64>(value.constant);
  }
  make_symbols();
  out_.object.target = target_;
  out_.object.version = version_;
  out_.object.sections = std::move(sections_);
  if (!passed_over_.empty()) {
    std::string names;
    for (const std::string& name : passed_over_) (names += names.empty() ? "" : ", ") += name;
    out_.notes.push_back("no debug information is written: " + names + " passed over");
  }
  // Size 0 marks instructions that turned out to be wrong.
  if (diagnostics_.has_errors())
    std::erase_if(out_.lines, [&](const AssembledLine& line) { return out_.instructions[line.instruction].size == 0; });
}

void Assembler::write_bytes(const Fixup& fixup, u64 value) {
  std::memcpy(sections_[fixup.section].bytes.data() + fixup.place, &value, fixup.bytes);
  if (fixup.instruction == Fixup::no_instruction) return;
  Instruction& instruction = out_.instructions[fixup.instruction];
  const std::size_t first = fixup.place - fixup.offset;
  for (std::size_t i = 0; i < fixup.bytes; ++i) {
    const std::size_t at = first + i;
    const unsigned shift = static_cast<unsigned>(at % 4) * 8;
    u32& word = instruction.words[at / 4];
    word = (word & ~(0xffu << shift)) | static_cast<u32>(value >> (i * 8) & 0xff) << shift;
  }
}

void Assembler::resolve(const Fixup& fixup) {
  const auto refuse = [&](std::string message, std::string hint = {}) {
    report_at(fixup.at, std::move(message), std::move(hint));
    if (fixup.instruction != Fixup::no_instruction) out_.instructions[fixup.instruction].size = 0;
  };
  Relocatable value;
  std::string problem;
  if (!symbols_.evaluate(fixup.expression, value, problem)) return refuse(problem);
  const bool is_branch = fixup.kind == Fixup::Kind::branch;
  const bool is_difference = value.minus != no_symbol;
  i64 addend = value.constant;
  for (const u32 index : {value.plus, value.minus}) {
    if (index == no_symbol || symbols_[index].state != Symbol::State::undefined) continue;
    const bool is_place_before = symbols_[index].is_temporary || index == value.minus;
    if (!options_.may_be_undefined || is_place_before)
      return refuse(fmt::format("'{}' is not defined", symbols_[index].name));
  }
  if (is_difference) {
    const Symbol& base = symbols_[value.minus];
    if (base.state != Symbol::State::label || base.section != fixup.section)
      return refuse(fmt::format("'{}' is not in this section: the difference has no relocation", base.name));
    addend += static_cast<i64>(fixup.place) - static_cast<i64>(base.offset);
  }
  // A literal that names a symbol alone is its distance, unless it says otherwise.
  const bool is_relative =
      is_branch || is_difference ||
      (fixup.kind == Fixup::Kind::literal && value.plus != no_symbol && !is_absolute(value.specifier));
  if (value.plus == no_symbol && !is_difference) {
    // A number. Where a place's distance is wanted, only a linker knows it.
    const bool fits = fixup.bytes >= 8 || (value.constant >= -(i64{1} << (fixup.bytes * 8 - 1)) &&
                                           value.constant <= static_cast<i64>(low_ones(fixup.bytes * 8)));
    if (!fits) return refuse(fmt::format("the number {} does not fit into {} bytes", value.constant, fixup.bytes));
    return write_bytes(fixup, static_cast<u64>(value.constant));
  }
  if (value.plus != no_symbol) {
    const Symbol& symbol = symbols_[value.plus];
    const bool is_here = symbol.state == Symbol::State::label && symbol.section == fixup.section;
    const bool may_move = symbol.binding.value_or(STB_LOCAL) != STB_LOCAL && options_.may_be_undefined;
    if (is_relative && is_here && !may_move && value.specifier == Specifier::none) {
      i64 distance = static_cast<i64>(symbol.offset) + addend - static_cast<i64>(fixup.place);
      if (!is_branch) return write_bytes(fixup, static_cast<u64>(distance));
      distance -= 4;
      if (distance % 4 != 0) return refuse("the target is not at a multiple of 4 bytes");
      if (distance / 4 < -32768 || distance / 4 > 32767)
        return refuse("the target is too far: a branch reaches from -32768 to 32767 words");
      return write_bytes(fixup, static_cast<u64>(distance / 4));
    }
  }
  if (fixup.bytes < 4 && !is_branch)
    return refuse(fmt::format("the number is not known, and {} bytes have no relocation", fixup.bytes));
  relocate(fixup, value, is_relative, addend);
}

void Assembler::relocate(const Fixup& fixup, const Relocatable& value, bool is_relative, i64 addend) {
  ObjectRelocation relocation;
  relocation.offset = fixup.place;
  relocation.type = relocation_of(fixup, value.specifier, is_relative);
  relocation.addend = addend;
  u32 index = value.plus;
  if (index != no_symbol) {
    const Symbol& symbol = symbols_[index];
    const bool is_local = symbol.state == Symbol::State::label && symbol.binding.value_or(STB_LOCAL) == STB_LOCAL;
    const ObjectSection* section = is_local ? &sections_[symbol.section] : nullptr;
    const bool keeps_name = !is_local || ((section->flags & SHF_MERGE) != 0 && addend != 0 && !symbol.is_temporary) ||
                            (section->flags & SHF_TLS) != 0;
    if (!keeps_name) {
      relocation.addend += static_cast<i64>(symbol.offset);
      index = section_symbols_[symbol.section];
    }
    symbols_[index].is_used_in_relocation = true;
    symbols_.note(index);
  }
  relocation.symbol = index;  // of the symbols here; make_symbols turns it into that of the object's table
  if (fixup.kind == Fixup::Kind::branch) write_bytes(fixup, static_cast<u64>((value.constant - 4) / 4));
  sections_[fixup.section].relocations.push_back(relocation);
}

void Assembler::resolve(const DescriptorFixup& fixup) {
  Relocatable value;
  std::string problem;
  if (!symbols_.evaluate(fixup.expression, value, problem)) return report_at(fixup.at, problem);
  if (!value.is_number()) {
    const u32 symbol = value.plus != no_symbol ? value.plus : value.minus;
    return report_at(fixup.at, fmt::format("'{}' is not known", symbols_[symbol].name));
  }
  const u64 most = low_ones(fixup.width);
  if (value.constant < 0 || static_cast<u64>(value.constant) > most)
    return report_at(fixup.at, fmt::format("the number is {}; it must be from 0 to {}", value.constant, most));
  std::string& out = sections_[fixup.section].bytes;
  if (fixup.place + fixup.bytes > out.size()) return;
  u32 word = 0;
  std::memcpy(&word, out.data() + fixup.place, fixup.bytes);
  word |= static_cast<u32>(value.constant) << fixup.shift;
  std::memcpy(out.data() + fixup.place, &word, fixup.bytes);
}

/// Where a symbol is in the object; `is_wanted` says whether the table names it.
bool Assembler::place_symbol(u32 index, ObjectSymbol& out, bool& is_wanted) {
  const Symbol& symbol = symbols_[index];
  out.name = symbol.name;
  out.type = symbol.type;
  out.visibility = symbol.visibility;
  out.size = symbol.size;
  const bool is_undefined = symbol.state == Symbol::State::undefined;
  out.binding = symbol.binding.value_or(is_undefined ? STB_GLOBAL : STB_LOCAL);
  is_wanted =
      symbol.is_used_in_relocation ||
      (!symbol.is_temporary && (!is_undefined || symbol.binding.has_value() || symbol.visibility != STV_DEFAULT));
  switch (symbol.state) {
    case Symbol::State::undefined:
      return true;
    case Symbol::State::label:
      out.section = symbol.section;
      out.value = symbol.offset;
      return true;
    case Symbol::State::common:
      out.section = section_common;
      out.value = symbol.alignment;
      return true;
    case Symbol::State::lds:
      out.section = section_lds;
      out.value = symbol.alignment;
      return true;
    case Symbol::State::variable:
      break;
  }
  Relocatable value;
  value.constant = symbol.constant;
  std::string problem;
  if (symbol.expression != 0 && !symbols_.evaluate(symbol.expression, value, problem)) return is_wanted = false, true;
  out.section = section_absolute;
  out.value = static_cast<u64>(value.constant);
  if (value.is_number()) return true;
  // Another name of a place; of one that is not here there is nothing to say.
  if (value.minus != no_symbol) return is_wanted = false, true;
  const Symbol& base = symbols_[value.plus];
  if (base.state != Symbol::State::label) return is_wanted = false, true;
  out.section = base.section;
  out.value += base.offset;
  if (out.type == STT_NOTYPE) out.type = base.type;
  if (out.size == 0) out.size = base.size;
  return true;
}

void Assembler::make_symbols() {
  std::vector<ObjectSymbol>& all = out_.object.symbols;
  std::vector<u32> index_in_table(symbols_.size(), no_symbol);
  std::vector<std::pair<u32, ObjectSymbol>> global;
  for (const u32 index : symbols_.noted()) {
    ObjectSymbol symbol;
    bool is_wanted = false;
    place_symbol(index, symbol, is_wanted);
    if (!is_wanted) continue;
    if (symbol.binding != STB_LOCAL) {
      global.push_back({index, std::move(symbol)});
      continue;
    }
    index_in_table[index] = static_cast<u32>(all.size());
    all.push_back(std::move(symbol));
  }
  for (auto& [index, symbol] : global) {
    index_in_table[index] = static_cast<u32>(all.size());
    all.push_back(std::move(symbol));
  }
  for (ObjectSection& section : sections_) {
    for (ObjectRelocation& relocation : section.relocations) {
      if (relocation.symbol != no_symbol) relocation.symbol = index_in_table[relocation.symbol];
    }
  }
  for (const u32 index : significant_) {
    if (index_in_table[index] != no_symbol) out_.object.significant_symbols.push_back(index_in_table[index]);
  }
}

}  // namespace gfxisa::assembler
