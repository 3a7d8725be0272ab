#include "elf/parsed_elf.h"

#include <elf.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <tuple>

#include "elf/code_object.h"

namespace gfxisa {
namespace {

struct ElfEnd {
  void operator()(Elf* elf) const { elf_end(elf); }
};

// EF_AMDGPU_FEATURE_*_V4: two bits each, 0 not supported, 1 any, 2 off, 3 on.
std::string with_features(std::string target, u32 flags) {
  static constexpr std::array<std::string_view, 4> sramecc{"", "", ":sramecc-", ":sramecc+"};
  static constexpr std::array<std::string_view, 4> xnack{"", "", ":xnack-", ":xnack+"};
  target += sramecc[flags >> 10 & 3];
  target += xnack[flags >> 8 & 3];
  return target;
}

class ElfParser {
 public:
  explicit ElfParser(std::span<const u8> bytes) : bytes_(bytes) {}

  Result<ParsedElf> read() {
    if (bytes_.size() < sizeof(Elf64_Ehdr) || std::memcmp(bytes_.data(), ELFMAG, SELFMAG) != 0)
      return Error{"not an ELF file", ""};
    elf_version(EV_CURRENT);
    // libelf takes a non-const pointer and does not write in read mode.
    elf_.reset(elf_memory(reinterpret_cast<char*>(const_cast<u8*>(bytes_.data())), bytes_.size()));
    if (!elf_) return Error{fmt::format("not a readable ELF file: {}", elf_errmsg(-1)), ""};
    for (const auto step :
         {&ElfParser::read_header, &ElfParser::read_sections, &ElfParser::read_symbols, &ElfParser::read_relocations}) {
      std::string problem = (this->*step)();
      if (!problem.empty()) return Error{std::move(problem), ""};
    }
    return std::move(file_);
  }

 private:
  std::string read_header();
  std::string read_sections();
  std::string read_symbols();
  std::string read_relocations();
  void read_symbol_table(Elf_Scn* table, const GElf_Shdr& header);
  void read_relocation_table(Elf_Scn* table, const GElf_Shdr& header);

  std::span<const u8> bytes_;
  std::unique_ptr<Elf, ElfEnd> elf_;
  ParsedElf file_;
};

std::string ElfParser::read_header() {
  GElf_Ehdr header;
  if (gelf_getehdr(elf_.get(), &header) == nullptr) return fmt::format("bad ELF header: {}", elf_errmsg(-1));
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
    return "not a 64-bit little-endian ELF file";
  file_.machine = header.e_machine;
  file_.is_relocatable = header.e_type == ET_REL;
  if (file_.machine != elf_machine_amdgpu) return {};
  const unsigned abi = header.e_ident[EI_ABIVERSION];
  file_.version = abi >= 2 && abi <= 4 ? abi + 2 : 0;  // 2, 3, 4 stand for V4, V5, V6
  const u32 flags = abi == 1 ? flags_of_version_3(header.e_flags) : header.e_flags;
  file_.target = target_of_flags(flags);
  file_.has_xnack_mask = (flags >> 8 & 1) != 0;
  file_.target_id = with_features(file_.target, flags);
  return {};
}

std::string ElfParser::read_sections() {
  std::size_t names = 0;
  elf_getshdrstrndx(elf_.get(), &names);
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_.get(), section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) return fmt::format("bad section header: {}", elf_errmsg(-1));
    const char* name = elf_strptr(elf_.get(), names, header.sh_name);
    ParsedSection row;
    row.name = name != nullptr ? name : "";
    row.type = header.sh_type;
    row.flags = header.sh_flags;
    row.address = header.sh_addr;
    row.alignment = header.sh_addralign;
    row.index = static_cast<u32>(elf_ndxscn(section));
    if (header.sh_type != SHT_NOBITS && header.sh_type != SHT_NULL) {
      if (header.sh_offset > bytes_.size() || header.sh_size > bytes_.size() - header.sh_offset)
        return fmt::format("section {} reaches beyond the end of the file: truncated?", row.index);
      row.bytes = bytes_.subspan(header.sh_offset, header.sh_size);
    }
    file_.sections.push_back(std::move(row));
  }
  return {};
}

void ElfParser::read_symbol_table(Elf_Scn* table, const GElf_Shdr& header) {
  Elf_Data* data = elf_getdata(table, nullptr);
  const std::size_t count = data == nullptr ? 0 : data->d_size / sizeof(Elf64_Sym);
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr || symbol.st_shndx == SHN_UNDEF) continue;
    const ParsedSection* section = file_.section_at(symbol.st_shndx);
    const char* name = elf_strptr(elf_.get(), header.sh_link, symbol.st_name);
    if (section == nullptr || name == nullptr || *name == '\0') continue;
    const u64 base = file_.is_relocatable ? 0 : section->address;
    if (symbol.st_value < base || symbol.st_value - base > section->bytes.size()) continue;
    const unsigned type = GELF_ST_TYPE(symbol.st_info);
    if (type == STT_SECTION || type == STT_FILE) continue;
    file_.symbols.push_back({name, symbol.st_value - base, symbol.st_size, section->index, type == STT_FUNC,
                             type == STT_OBJECT, GELF_ST_BIND(symbol.st_info) != STB_LOCAL});
  }
}

std::string ElfParser::read_symbols() {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_.get(), section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_entsize == 0) continue;
    if (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM) read_symbol_table(section, header);
  }
  const auto key = [](const ParsedSymbol& s) { return std::tie(s.section, s.offset, s.name); };
  const auto before = [&](const ParsedSymbol& a, const ParsedSymbol& b) { return key(a) < key(b); };
  const auto same = [&](const ParsedSymbol& a, const ParsedSymbol& b) { return key(a) == key(b); };
  std::sort(file_.symbols.begin(), file_.symbols.end(), before);
  file_.symbols.erase(std::unique(file_.symbols.begin(), file_.symbols.end(), same), file_.symbols.end());
  return {};
}

void ElfParser::read_relocation_table(Elf_Scn* table, const GElf_Shdr& header) {
  Elf_Data* data = elf_getdata(table, nullptr);
  Elf_Scn* symbols = elf_getscn(elf_.get(), header.sh_link);
  Elf_Data* symbol_data = symbols == nullptr ? nullptr : elf_getdata(symbols, nullptr);
  GElf_Shdr symbol_header{};
  if (symbols != nullptr) gelf_getshdr(symbols, &symbol_header);
  const std::size_t count = data == nullptr ? 0 : data->d_size / sizeof(Elf64_Rela);
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Rela relocation;
    if (gelf_getrela(data, static_cast<int>(i), &relocation) == nullptr) continue;
    GElf_Sym symbol;
    const int index = static_cast<int>(GELF_R_SYM(relocation.r_info));
    const char* name = symbol_data != nullptr && gelf_getsym(symbol_data, index, &symbol) != nullptr
                           ? elf_strptr(elf_.get(), symbol_header.sh_link, symbol.st_name)
                           : nullptr;
    file_.relocations.push_back({relocation.r_offset, header.sh_info, static_cast<u32>(GELF_R_TYPE(relocation.r_info)),
                                 name != nullptr ? name : "", relocation.r_addend});
  }
}

std::string ElfParser::read_relocations() {
  if (!file_.is_relocatable) return {};
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_.get(), section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_entsize == 0) continue;
    if (header.sh_type == SHT_RELA) read_relocation_table(section, header);
  }
  std::sort(file_.relocations.begin(), file_.relocations.end(),
            [](const auto& a, const auto& b) { return std::tie(a.section, a.offset) < std::tie(b.section, b.offset); });
  return {};
}

}  // namespace

bool ParsedSection::is_code() const { return type == SHT_PROGBITS && (flags & SHF_EXECINSTR) != 0 && !bytes.empty(); }

bool ParsedSection::is_data() const {
  return type == SHT_PROGBITS && (flags & SHF_ALLOC) != 0 && (flags & SHF_EXECINSTR) == 0 && !bytes.empty();
}

const ParsedSection* ParsedElf::find_section(std::string_view name) const {
  const auto found =
      std::find_if(sections.begin(), sections.end(), [&](const ParsedSection& s) { return s.name == name; });
  return found == sections.end() ? nullptr : &*found;
}

const ParsedSection* ParsedElf::section_at(u32 index) const {
  const auto found =
      std::find_if(sections.begin(), sections.end(), [&](const ParsedSection& s) { return s.index == index; });
  return found == sections.end() ? nullptr : &*found;
}

Result<ParsedElf> parse_elf(std::span<const u8> bytes) { return ElfParser(bytes).read(); }

std::string relocation_name(u32 type) {
  static constexpr std::array<std::string_view, 15> names{
      "NONE",          "ABS32_LO",      "ABS32_HI", "ABS64",    "REL32", "REL64",      "ABS32", "GOTPCREL",
      "GOTPCREL32_LO", "GOTPCREL32_HI", "REL32_LO", "REL32_HI", "12",    "RELATIVE64", "REL16"};
  return type < names.size() ? fmt::format("R_AMDGPU_{}", names[type]) : fmt::format("relocation {}", type);
}

}  // namespace gfxisa
