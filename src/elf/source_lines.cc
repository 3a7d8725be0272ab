#include "elf/source_lines.h"

#ifdef GFXISA_WITH_LIBDW
#include <elfutils/libdw.h>
#include <fmt/format.h>
#include <gelf.h>

#include <memory>
#include <string_view>
#endif

namespace gfxisa {

#ifdef GFXISA_WITH_LIBDW
namespace {

struct ElfEnd {
  void operator()(Elf* elf) const { elf_end(elf); }
};
struct DwarfEnd {
  void operator()(Dwarf* dwarf) const { dwarf_end(dwarf); }
};
using ElfHandle = std::unique_ptr<Elf, ElfEnd>;

ElfHandle open_elf(std::span<const u8> file) {
  elf_version(EV_CURRENT);
  // libelf takes a non-const pointer and does not write in read mode.
  return ElfHandle(elf_memory(reinterpret_cast<char*>(const_cast<u8*>(file.data())), file.size()));
}

}  // namespace

bool has_source_lines(std::span<const u8> file) {
  const ElfHandle elf = open_elf(file);
  std::size_t names = 0;
  if (!elf || elf_getshdrstrndx(elf.get(), &names) != 0) return false;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    const char* name = elf_strptr(elf.get(), names, header.sh_name);
    if (name != nullptr && std::string_view(name) == ".debug_line") return true;
  }
  return false;
}

std::string source_line(std::span<const u8> file, u64 address) {
  const ElfHandle elf = open_elf(file);
  if (!elf) return {};
  const std::unique_ptr<Dwarf, DwarfEnd> dwarf(dwarf_begin_elf(elf.get(), DWARF_C_READ, nullptr));
  if (!dwarf) return {};
  Dwarf_Off unit = 0, next = 0;
  std::size_t header_bytes = 0;
  for (; dwarf_nextcu(dwarf.get(), unit, &next, &header_bytes, nullptr, nullptr, nullptr) == 0; unit = next) {
    Dwarf_Die die;
    if (dwarf_offdie(dwarf.get(), unit + header_bytes, &die) == nullptr) continue;
    Dwarf_Line* const line = dwarf_getsrc_die(&die, address);
    if (line == nullptr) continue;
    int number = 0;
    const char* path = dwarf_linesrc(line, nullptr, nullptr);
    if (path == nullptr || dwarf_lineno(line, &number) != 0) continue;
    return number > 0 ? fmt::format("{}:{}", path, number) : std::string(path);
  }
  return {};
}
#else
bool has_source_lines(std::span<const u8>) { return false; }
std::string source_line(std::span<const u8>, u64) { return {}; }
#endif

}  // namespace gfxisa
