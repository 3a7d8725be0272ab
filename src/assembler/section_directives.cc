// Directives about sections and symbols.
#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "assembler/assembler.h"
#include "base/suggest.h"

namespace gfxisa::assembler {

namespace {

struct StandardSection {
  std::string_view name;
  u32 type;
  u64 flags;
};
constexpr StandardSection standard_sections[] = {
    {".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR},
    {".init", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR},
    {".fini", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR},
    {".rodata", SHT_PROGBITS, SHF_ALLOC},
    {".rodata1", SHT_PROGBITS, SHF_ALLOC},
    {".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE},
    {".data1", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE},
    {".bss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE},
    {".tdata", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE | SHF_TLS},
    {".tbss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE | SHF_TLS},
    {".init_array", SHT_INIT_ARRAY, SHF_ALLOC | SHF_WRITE},
    {".fini_array", SHT_FINI_ARRAY, SHF_ALLOC | SHF_WRITE},
    {".preinit_array", SHT_PREINIT_ARRAY, SHF_ALLOC | SHF_WRITE},
};

/// What a section is when nothing is said about it: by its name, or by the name before a dot.
StandardSection standard_of(std::string_view name) {
  for (const StandardSection& row : standard_sections) {
    if (name == row.name || (name.starts_with(row.name) && name[row.name.size()] == '.')) return row;
  }
  return {name, name.starts_with(".note") ? u32{SHT_NOTE} : u32{SHT_PROGBITS}, 0};
}

struct SectionType {
  std::string_view name;
  u32 type;
};
constexpr SectionType section_types[] = {
    {"progbits", SHT_PROGBITS},      {"nobits", SHT_NOBITS},         {"note", SHT_NOTE},
    {"init_array", SHT_INIT_ARRAY},  {"fini_array", SHT_FINI_ARRAY}, {"preinit_array", SHT_PREINIT_ARRAY},
    {"llvm_addrsig", 0x6fff4c03},    {"llvm_odrtab", 0x6fff4c00},    {"llvm_linker_options", 0x6fff4c01},
    {"llvm_bb_addr_map", 0x6fff4c0a}};

struct SectionFlag {
  char letter;
  u64 flag;
};
constexpr SectionFlag section_flags[] = {{'a', SHF_ALLOC}, {'w', SHF_WRITE},   {'x', SHF_EXECINSTR},
                                         {'M', SHF_MERGE}, {'S', SHF_STRINGS}, {'T', SHF_TLS},
                                         {'G', SHF_GROUP}, {'e', SHF_EXCLUDE}, {'R', 0x200000}};

struct SymbolType {
  std::string_view name, other;
  u8 type;
};
constexpr SymbolType symbol_types[] = {
    {"function", "STT_FUNC", STT_FUNC},   {"object", "STT_OBJECT", STT_OBJECT},
    {"notype", "STT_NOTYPE", STT_NOTYPE}, {"tls_object", "STT_TLS", STT_TLS},
    {"common", "STT_COMMON", STT_COMMON}, {"gnu_indirect_function", "STT_GNU_IFUNC", STT_GNU_IFUNC},
    {"gnu_unique_object", "", STT_OBJECT}};

constexpr std::size_t most_sections = 20'000;

}  // namespace

u32 Assembler::find_section(std::string_view name, std::string_view group) {
  const std::string key = std::string(name) + '\0' + std::string(group);
  const auto [found, is_new] = section_by_name_.try_emplace(key, static_cast<u32>(sections_.size()));
  if (!is_new) return found->second;
  ObjectSection& section = sections_.emplace_back();
  const StandardSection standard = standard_of(name);
  section.name = name;
  section.type = standard.type;
  section.flags = standard.flags;
  section.group = group;
  if (name == ".text") section.alignment = 4;
  section_symbols_.push_back(no_symbol);
  return found->second;
}

void Assembler::switch_section(u32 section) {
  previous_section_ = section_;
  section_ = section;
  if (section_symbols_[section] == no_symbol)
    section_symbols_[section] = symbols_.add_section(sections_[section].name, section);
}

void Assembler::switch_to(std::string_view name) { switch_section(find_section(name)); }

bool Assembler::text_section(text::Cursor& cursor) { return switch_to(".text"), expect_end(cursor); }
bool Assembler::data_section(text::Cursor& cursor) { return switch_to(".data"), expect_end(cursor); }
bool Assembler::bss_section(text::Cursor& cursor) { return switch_to(".bss"), expect_end(cursor); }
bool Assembler::rodata_section(text::Cursor& cursor) { return switch_to(".rodata"), expect_end(cursor); }

bool Assembler::section(text::Cursor& cursor) { return parse_section(cursor); }

bool Assembler::push_section(text::Cursor& cursor) {
  if (section_stack_.size() > 1000) return cursor.fail(0, cursor.line().size(), "too many sections pushed");
  section_stack_.push_back({section_, previous_section_});
  return parse_section(cursor);
}

bool Assembler::pop_section(text::Cursor& cursor) {
  if (section_stack_.empty()) return cursor.fail(0, cursor.line().size(), ".popsection without .pushsection");
  std::tie(section_, previous_section_) = section_stack_.back();
  section_stack_.pop_back();
  return expect_end(cursor);
}

bool Assembler::previous_section(text::Cursor& cursor) {
  switch_section(previous_section_);
  return expect_end(cursor);
}

/// `name[, "flags"[, @type[, entry size][, group, comdat]]]`.
bool Assembler::parse_section(text::Cursor& cursor) {
  std::string name, flags_text, group;
  const std::string_view line = cursor.line();
  if (cursor.peek() == '"') {
    if (!parse_string(cursor, name)) return false;
  } else {
    const std::size_t start = cursor.at();
    while (cursor.at() < line.size() && line[cursor.at()] != ',' && !text::is_space(line[cursor.at()]))
      cursor.go_to(cursor.at() + 1);
    name = cursor.text_from(start);
  }
  if (name.empty()) return cursor.fail_here("expected the name of a section");
  if (sections_.size() >= most_sections) return cursor.fail(0, line.size(), "too many sections");
  StandardSection wanted = standard_of(name);
  bool has_flags = false;
  i64 entry_size = 0;
  cursor.skip_spaces();
  if (cursor.take(',')) {
    cursor.skip_spaces();
    const std::size_t start = cursor.at();
    if (!parse_string(cursor, flags_text)) return false;
    has_flags = true;
    wanted.flags = 0;
    for (std::size_t i = 0; i < flags_text.size(); ++i) {
      const auto* found = std::find_if(std::begin(section_flags), std::end(section_flags),
                                       [&](const SectionFlag& row) { return row.letter == flags_text[i]; });
      if (found == std::end(section_flags))
        return cursor.fail(start + 1 + i, 1, "unknown flag of a section", "of the letters a w x M S T G e R");
      wanted.flags |= found->flag;
    }
    if (cursor.take(',')) {
      if (!cursor.take('@') && !cursor.take('%') && cursor.peek() != '"')
        return cursor.fail_here("expected @progbits, @nobits or @note");
      std::string type;
      if (cursor.peek() == '"') {
        if (!parse_string(cursor, type)) return false;
      } else {
        const std::size_t type_at = cursor.at();
        while (text::is_name_character(cursor.peek_after(0))) cursor.go_to(cursor.at() + 1);
        type = cursor.text_from(type_at);
      }
      const auto* found = std::find_if(std::begin(section_types), std::end(section_types),
                                       [&](const SectionType& row) { return row.name == type; });
      if (found != std::end(section_types)) {
        wanted.type = found->type;
      } else {
        const bool is_hexadecimal = type.starts_with("0x");
        const char* first = type.data() + (is_hexadecimal ? 2 : 0);
        const auto [end, status] =
            std::from_chars(first, type.data() + type.size(), wanted.type, is_hexadecimal ? 16 : 10);
        if (type.empty() || status != std::errc() || end != type.data() + type.size())
          return cursor.fail_here("unknown type of a section", "@progbits, @nobits, @note or a number");
      }
      if ((wanted.flags & SHF_MERGE) != 0) {
        if (!cursor.take(',')) return cursor.fail_here("expected ',' and the size of an entry");
        if (!parse_number(cursor, entry_size)) return false;
        if (entry_size <= 0) return cursor.fail_here("the size of an entry must be positive");
      }
      if ((wanted.flags & SHF_GROUP) != 0) {
        if (!cursor.take(',') || !parse_symbol_name(cursor, group))
          return cursor.fail_here("expected the name of the group");
        if (cursor.take(',') && cursor.take_identifier() != "comdat") return cursor.fail_here("expected comdat");
      }
    } else if ((wanted.flags & (SHF_MERGE | SHF_GROUP)) != 0) {
      return cursor.fail_here("expected a type, and then the size of an entry or the group");
    }
  }
  if (!expect_end(cursor)) return false;
  const std::size_t before = sections_.size();
  const u32 index = find_section(name, group);
  ObjectSection& found = sections_[index];
  const u64 flags = wanted.flags & ~u64{SHF_GROUP};
  if (sections_.size() != before) {
    found.type = wanted.type;
    found.flags = flags;
    found.entry_size = static_cast<u64>(entry_size);
    if (!group.empty()) symbols_.find(group);
  } else if (has_flags && (found.flags != flags || found.type != wanted.type)) {
    return cursor.fail(0, line.size(), fmt::format("the section '{}' was of another type or had other flags", name));
  }
  switch_section(index);
  return true;
}

template <u8 binding>
bool Assembler::set_binding(text::Cursor& cursor) {
  do {
    std::string name;
    cursor.skip_spaces();
    const std::size_t start = cursor.at();
    if (!parse_symbol_name(cursor, name)) return false;
    const u32 index = symbols_.find(name);
    Symbol& symbol = symbols_[index];
    // A weak symbol stays so when it is made global.
    const bool keeps_weak = binding == STB_GLOBAL && symbol.binding == STB_WEAK;
    if (binding == STB_LOCAL && symbol.binding.value_or(STB_LOCAL) != STB_LOCAL)
      return cursor.fail(start, cursor.at() - start, "'" + name + "' is global already");
    if (!keeps_weak) symbol.binding = binding;
    symbols_.note(index);
  } while (cursor.take(','));
  return expect_end(cursor);
}
template bool Assembler::set_binding<STB_LOCAL>(text::Cursor&);
template bool Assembler::set_binding<STB_GLOBAL>(text::Cursor&);
template bool Assembler::set_binding<STB_WEAK>(text::Cursor&);

template <u8 visibility>
bool Assembler::set_visibility(text::Cursor& cursor) {
  do {
    std::string name;
    if (!parse_symbol_name(cursor, name)) return false;
    const u32 index = symbols_.find(name);
    symbols_[index].visibility = visibility;
    symbols_.note(index);
  } while (cursor.take(','));
  return expect_end(cursor);
}
template bool Assembler::set_visibility<STV_HIDDEN>(text::Cursor&);
template bool Assembler::set_visibility<STV_PROTECTED>(text::Cursor&);
template bool Assembler::set_visibility<STV_INTERNAL>(text::Cursor&);

/// `.type name, @function`: also with %, # or quotes, or STT_FUNC.
bool Assembler::set_type(text::Cursor& cursor) {
  std::string name, type;
  if (!parse_symbol_name(cursor, name)) return false;
  cursor.take(',');
  const char mark = cursor.peek();
  cursor.skip_spaces();
  const std::size_t start = cursor.at();
  if (mark == '"') {
    if (!parse_string(cursor, type)) return false;
  } else {
    if (mark == '@' || mark == '%' || mark == '#') cursor.go_to(start + 1);
    const std::size_t type_at = cursor.at();
    while (text::is_name_character(cursor.peek_after(0))) cursor.go_to(cursor.at() + 1);
    type = cursor.text_from(type_at);
  }
  const auto* found = std::find_if(std::begin(symbol_types), std::end(symbol_types), [&](const SymbolType& row) {
    return row.name == type || (!row.other.empty() && row.other == type);
  });
  if (found == std::end(symbol_types)) {
    return cursor.fail(start, cursor.at() - start, "unknown type of a symbol",
                       "@function, @object, @notype, @tls_object, @common");
  }
  if (!expect_end(cursor)) return false;
  const u32 index = symbols_.find(name);
  symbols_[index].type = found->type;
  symbols_.note(index);
  return true;
}

bool Assembler::set_size(text::Cursor& cursor) {
  std::string name;
  if (!parse_symbol_name(cursor, name) || !expect_comma(cursor)) return false;
  text::Value value;
  cursor.skip_spaces();
  const std::size_t start = cursor.at();
  if (!parse_value(cursor, value)) return false;
  const Location at = reader_.locate(start, cursor.at() - start);
  if (!expect_end(cursor)) return false;
  Symbol& symbol = symbols_[symbols_.find(name)];
  symbol.size = static_cast<u64>(value.integer);
  symbol.size_expression = value.later;
  if (value.later != 0) sizes_.push_back({symbols_.find(name), at});
  return true;
}

/// `.comm name, size[, alignment]`: the alignment is a power of two, as LLVM reads it on this target.
template <bool is_local>
bool Assembler::common(text::Cursor& cursor) {
  std::string name;
  cursor.skip_spaces();
  const std::size_t start = cursor.at();
  i64 size = 0, power = 0;
  if (!parse_symbol_name(cursor, name)) return false;
  const std::size_t length = cursor.at() - start;
  if (!expect_comma(cursor) || !parse_number(cursor, size)) return false;
  if (cursor.take(',') && !parse_number(cursor, power)) return false;
  if (!expect_end(cursor)) return false;
  if (size < 0 || power < 0 || power > 20)
    return cursor.fail(start, length, "the size must not be negative, the alignment a power of two from 0 to 20");
  const i64 alignment = i64{1} << power;
  const u32 index = symbols_.find(name);
  Symbol& symbol = symbols_[index];
  if (symbol.state != Symbol::State::undefined) return cursor.fail(start, length, "'" + name + "' is defined twice");
  symbols_.note(index);
  const bool is_in_zeros = is_local || symbol.binding == STB_LOCAL;
  if (is_in_zeros) {
    const u32 zeros = find_section(".bss");
    if (section_symbols_[zeros] == no_symbol) section_symbols_[zeros] = symbols_.add_section(".bss", zeros);
    ObjectSection& section = sections_[zeros];
    section.alignment = std::max<u64>(section.alignment, static_cast<u64>(alignment));
    if (!has_room(cursor, static_cast<u64>(size))) return false;
    const u64 mask = static_cast<u64>(alignment) - 1;
    Symbol& target = symbols_[index];
    target.state = Symbol::State::label;
    target.type = STT_OBJECT;
    target.size = static_cast<u64>(size);
    target.section = zeros;
    target.offset = (section.zero_bytes + mask) & ~mask;
    section.zero_bytes = target.offset + static_cast<u64>(size);
    return true;
  }
  symbol.state = Symbol::State::common;
  symbol.offset = symbol.size = static_cast<u64>(size);
  symbol.alignment = static_cast<u64>(alignment);
  symbol.type = STT_OBJECT;
  if (!symbol.binding) symbol.binding = STB_GLOBAL;
  return true;
}
template bool Assembler::common<false>(text::Cursor&);
template bool Assembler::common<true>(text::Cursor&);

bool Assembler::set(text::Cursor& cursor) {
  std::string name;
  cursor.skip_spaces();
  const std::size_t start = cursor.at();
  return parse_symbol_name(cursor, name) && expect_comma(cursor) && assign(cursor, name, start, true);
}

bool Assembler::equiv(text::Cursor& cursor) {
  std::string name;
  cursor.skip_spaces();
  const std::size_t start = cursor.at();
  return parse_symbol_name(cursor, name) && expect_comma(cursor) && assign(cursor, name, start, false);
}

/// Texts of .ident stand one after the other in .comment, each ended by NUL, with a NUL before the first.
bool Assembler::ident(text::Cursor& cursor) {
  std::string text;
  if (!parse_string(cursor, text) || !expect_end(cursor)) return false;
  const bool is_first = section_by_name_.find(std::string(".comment") + '\0') == section_by_name_.end();
  const u32 comment = find_section(".comment");
  ObjectSection& section = sections_[comment];
  if (is_first) {
    section.flags = SHF_MERGE | SHF_STRINGS;
    section.entry_size = 1;
    section.bytes += '\0';
    section_symbols_[comment] = symbols_.add_section(".comment", comment);
  }
  if (!has_room(cursor, text.size() + 1)) return false;
  section.bytes += text;
  section.bytes += '\0';
  return true;
}

/// `.file "name"` names the source, which LLVM keeps out of AMD GPU objects; with a number it is debug information.
bool Assembler::file(text::Cursor& cursor) {
  if (cursor.peek() != '"') return pass_over(cursor);
  std::string name;
  return parse_string(cursor, name) && expect_end(cursor);
}

bool Assembler::address_significance(text::Cursor& cursor) {
  out_.object.has_address_significance = true;
  return expect_end(cursor);
}

bool Assembler::significant_symbol(text::Cursor& cursor) {
  std::string name;
  if (!parse_symbol_name(cursor, name) || !expect_end(cursor)) return false;
  const u32 index = symbols_.find(name);
  symbols_.note(index);
  significant_.push_back(index);
  return true;
}

/// Directives that say nothing about the code: a note at the end tells what was left out.
bool Assembler::pass_over(text::Cursor& cursor) {
  text::Cursor start(cursor.line());
  const std::string name(start.take_identifier());
  if (std::find(passed_over_.begin(), passed_over_.end(), name) == passed_over_.end()) passed_over_.push_back(name);
  return true;
}

}  // namespace gfxisa::assembler
