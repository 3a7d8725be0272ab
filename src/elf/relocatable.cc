#include <elf.h>
#include <fmt/format.h>

#include <cstring>
#include <map>

#include "elf/elf_file.h"
#include "elf/object_file.h"
#include "elf/string_table.h"

namespace gfxisa {

namespace {

constexpr u32 section_type_addrsig = 0x6fff4c03;  // SHT_LLVM_ADDRSIG
constexpr std::size_t most_sections = 0xff00;     // SHN_LORESERVE: beyond it ELF needs an extra table

/// Order of the file: header, contents, groups, symbols, relocations, string table, section headers.
class RelocatableWriter {
 public:
  explicit RelocatableWriter(const ObjectFile& object) : object_(object) {}

  Result<std::string> write() {
    if (object_.sections.size() * 3 + 4 >= most_sections)
      return Error{fmt::format("{} sections are too many for one file", object_.sections.size()), ""};
    number_sections();
    name_everything();
    out_.assign(sizeof(Elf64_Ehdr), '\0');
    write_contents();
    write_groups();
    write_symbols();
    write_relocations();
    write_significant_symbols();
    write_strings_and_headers();
    return std::move(out_);
  }

 private:
  struct Header {
    std::string name;
    Elf64_Shdr row{};
  };

  u32 add_header(std::string name, u32 type, u64 flags, u64 alignment) {
    Header header{std::move(name)};
    header.row.sh_type = type;
    header.row.sh_flags = flags;
    header.row.sh_addralign = alignment;
    headers_.push_back(std::move(header));
    return static_cast<u32>(headers_.size() - 1);
  }

  /// A group stands before its first section, relocations behind the section they are of.
  void number_sections() {
    add_header("", SHT_NULL, 0, 0);
    strings_at_ = add_header(".strtab", SHT_STRTAB, 0, 1);
    for (const ObjectSection& section : object_.sections) {
      Group* group = section.group.empty() ? nullptr : &group_of(section.group);
      const u64 flags = section.flags | (group == nullptr ? 0 : u64{SHF_GROUP});
      const u32 index = add_header(section.name, section.type, flags, section.alignment);
      headers_[index].row.sh_entsize = section.entry_size;
      indices_.push_back(index);
      if (group != nullptr) group->members.push_back(index);
      if (section.relocations.empty()) continue;
      const u32 relocations =
          add_header(".rela" + section.name, SHT_RELA, group == nullptr ? u64{SHF_INFO_LINK} : u64{SHF_GROUP}, 8);
      headers_[relocations].row.sh_entsize = sizeof(Elf64_Rela);
      headers_[relocations].row.sh_info = index;
      if (group != nullptr) group->members.push_back(relocations);
    }
    if (object_.has_address_significance) add_header(".llvm_addrsig", section_type_addrsig, SHF_EXCLUDE, 1);
    symbols_at_ = add_header(".symtab", SHT_SYMTAB, 0, 8);
  }

  struct Group {
    u32 header = 0;
    std::vector<u32> members;
  };
  Group& group_of(const std::string& signature) {
    const auto [found, is_new] = groups_.try_emplace(signature);
    if (is_new) {
      found->second.header = add_header(".group", SHT_GROUP, 0, 4);
      headers_[found->second.header].row.sh_entsize = 4;
      group_order_.push_back(signature);
    }
    return found->second;
  }

  void name_everything() {
    for (const Header& header : headers_) strings_.add(header.name);
    for (const ObjectSymbol& symbol : object_.symbols) {
      if (symbol.type != STT_SECTION) strings_.add(symbol.name);
    }
    strings_.finish();
  }

  void align(u64 alignment) { out_.resize((out_.size() + alignment - 1) / alignment * alignment); }

  void write_contents() {
    for (std::size_t i = 0; i < object_.sections.size(); ++i) {
      const ObjectSection& section = object_.sections[i];
      align(section.alignment);
      Elf64_Shdr& row = headers_[indices_[i]].row;
      row.sh_offset = out_.size();
      row.sh_size = section.size();
      if (section.has_bytes()) out_ += section.bytes;
    }
  }

  void write_groups() {
    for (const std::string& signature : group_order_) {
      const Group& group = groups_[signature];
      align(4);
      Elf64_Shdr& row = headers_[group.header].row;
      row.sh_offset = out_.size();
      append_value(out_, u32{GRP_COMDAT});
      for (const u32 member : group.members) append_value(out_, member);
      row.sh_size = out_.size() - row.sh_offset;
      row.sh_link = symbols_at_;
      for (std::size_t i = 0; i < object_.symbols.size(); ++i) {
        if (object_.symbols[i].name == signature) row.sh_info = static_cast<u32>(i + 1);
      }
    }
  }

  u16 section_index(const ObjectSymbol& symbol) const {
    switch (symbol.section) {
      case section_undefined:
        return SHN_UNDEF;
      case section_absolute:
        return SHN_ABS;
      case section_common:
        return SHN_COMMON;
      case section_lds:
        return 0xff00;  // SHN_AMDGPU_LDS
      default:
        return static_cast<u16>(indices_[symbol.section]);
    }
  }

  void write_symbols() {
    align(8);
    Elf64_Shdr& row = headers_[symbols_at_].row;
    row.sh_offset = out_.size();
    append_value(out_, Elf64_Sym{});
    u32 first_global = 1;
    for (const ObjectSymbol& symbol : object_.symbols) {
      Elf64_Sym entry{};
      entry.st_name = symbol.type == STT_SECTION ? 0 : strings_.offset(symbol.name);
      entry.st_info = ELF64_ST_INFO(symbol.binding, symbol.type);
      entry.st_other = symbol.visibility;
      entry.st_shndx = section_index(symbol);
      entry.st_value = symbol.value;
      entry.st_size = symbol.size;
      append_value(out_, entry);
      first_global += symbol.binding == STB_LOCAL;
    }
    row.sh_size = out_.size() - row.sh_offset;
    row.sh_entsize = sizeof(Elf64_Sym);
    row.sh_link = strings_at_;
    row.sh_info = first_global;
  }

  void write_relocations() {
    for (std::size_t i = 0; i < object_.sections.size(); ++i) {
      const ObjectSection& section = object_.sections[i];
      if (section.relocations.empty()) continue;
      align(8);
      Elf64_Shdr& row = headers_[indices_[i] + 1].row;
      row.sh_offset = out_.size();
      for (const ObjectRelocation& relocation : section.relocations) {
        Elf64_Rela entry{};
        entry.r_offset = relocation.offset;
        const u64 symbol = relocation.symbol == no_symbol ? 0 : relocation.symbol + 1;
        entry.r_info = ELF64_R_INFO(symbol, static_cast<u64>(relocation.type));
        entry.r_addend = relocation.addend;
        append_value(out_, entry);
      }
      row.sh_size = out_.size() - row.sh_offset;
      row.sh_link = symbols_at_;
    }
  }

  void write_significant_symbols() {
    if (!object_.has_address_significance) return;
    Elf64_Shdr& row = headers_[symbols_at_ - 1].row;
    row.sh_offset = out_.size();
    row.sh_link = symbols_at_;
    for (const u32 symbol : object_.significant_symbols) {
      u32 rest = symbol + 1;
      do {
        out_ += static_cast<char>((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
        rest >>= 7;
      } while (rest != 0);
    }
    row.sh_size = out_.size() - row.sh_offset;
  }

  void write_strings_and_headers() {
    Elf64_Shdr& strings = headers_[strings_at_].row;
    strings.sh_offset = out_.size();
    strings.sh_size = strings_.bytes().size();
    out_ += strings_.bytes();
    align(8);
    const u64 headers_at = out_.size();
    for (Header& header : headers_) {
      header.row.sh_name = strings_.offset(header.name);
      append_value(out_, header.row);
    }
    Elf64_Ehdr header = elf_header(object_, ET_REL);
    header.e_shoff = headers_at;
    header.e_shnum = static_cast<u16>(headers_.size());
    header.e_shstrndx = static_cast<u16>(strings_at_);
    std::memcpy(out_.data(), &header, sizeof header);
  }

  const ObjectFile& object_;
  std::string out_;
  std::vector<Header> headers_;
  std::vector<u32> indices_;  ///< header of each section
  std::map<std::string, Group> groups_;
  std::vector<std::string> group_order_;
  StringTable strings_;
  u32 strings_at_ = 0, symbols_at_ = 0;
};

}  // namespace

Elf64_Ehdr elf_header(const ObjectFile& object, u16 type) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_ident[EI_OSABI] = os_amdhsa;
  header.e_ident[EI_ABIVERSION] = static_cast<u8>(object.version - 2);  // 2, 3, 4 stand for V4, V5, V6
  header.e_type = type;
  header.e_machine = machine_amdgpu;
  header.e_version = EV_CURRENT;
  header.e_flags = object.target.elf_flags();
  header.e_ehsize = sizeof(Elf64_Ehdr);
  header.e_shentsize = sizeof(Elf64_Shdr);
  return header;
}

Result<std::string> write_relocatable(const ObjectFile& object) { return RelocatableWriter(object).write(); }

}  // namespace gfxisa
