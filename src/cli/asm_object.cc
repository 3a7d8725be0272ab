#include "cli/asm_object.h"

#include <elf.h>

#include <cstring>

#include "elf/code_object.h"
#include "inst/instruction.h"

namespace gfxisa::cli {
namespace {

constexpr u16 machine_amdgpu = 224;
constexpr u8 abi_amdgpu_hsa = 64;
constexpr u8 abi_version_5 = 3;  ///< of code object version 5
constexpr u32 processor_count = 256;

std::string_view target_of_arch(std::string_view arch) {
  if (arch.starts_with("gfx")) return arch;
  const int chip = find_chip(arch);
  if (chip < 0) return {};
  return tables().text(tables().texts[tables().chips[static_cast<std::size_t>(chip)].first_target]);
}

u32 flags_of_arch(std::string_view arch) {
  const std::string_view target = target_of_arch(arch);
  for (u32 flags = 1; flags < processor_count; ++flags) {
    if (target_of_flags(flags) == target) return flags;
  }
  return 0;
}

template <class T>
void append(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

Elf64_Shdr section(u32 name, u32 type, u64 flags, u64 offset, u64 size, u64 alignment) {
  Elf64_Shdr header{};
  header.sh_name = name;
  header.sh_type = type;
  header.sh_flags = flags;
  header.sh_offset = offset;
  header.sh_size = size;
  header.sh_addralign = alignment;
  return header;
}

}  // namespace

std::string make_object(std::string_view arch, std::string_view code) {
  static constexpr char names[] = "\0.text\0.shstrtab";
  constexpr u64 code_at = 256;  // where kernels like their first instruction
  const u64 names_at = code_at + code.size();
  const u64 headers_at = (names_at + sizeof names + 7) / 8 * 8;
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_ident[EI_OSABI] = abi_amdgpu_hsa;
  header.e_ident[EI_ABIVERSION] = abi_version_5;
  header.e_type = ET_REL;
  header.e_machine = machine_amdgpu;
  header.e_version = EV_CURRENT;
  header.e_shoff = headers_at;
  header.e_flags = flags_of_arch(arch);
  header.e_ehsize = sizeof(Elf64_Ehdr);
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 3;
  header.e_shstrndx = 2;
  std::string out;
  append(out, header);
  out.resize(code_at);
  out += code;
  out.append(names, sizeof names);
  out.resize(headers_at);
  append(out, Elf64_Shdr{});
  append(out, section(1, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code_at, code.size(), code_at));
  append(out, section(7, SHT_STRTAB, 0, names_at, sizeof names, 1));
  return out;
}

}  // namespace gfxisa::cli

namespace gfxisa::cli {
namespace {

/// A structure of the file at an offset; empty when it is not all there.
template <class T>
std::optional<T> structure_at(std::span<const u8> bytes, u64 offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return {};
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::optional<std::span<const u8>> contents_of(std::span<const u8> bytes, const Elf64_Shdr& section) {
  if (section.sh_offset > bytes.size() || section.sh_size > bytes.size() - section.sh_offset) return {};
  return bytes.subspan(section.sh_offset, section.sh_size);
}

}  // namespace

std::optional<ObjectText> text_of_object(std::span<const u8> bytes) {
  const auto header = structure_at<Elf64_Ehdr>(bytes, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
    return {};
  if (header->e_type != ET_REL || header->e_machine != machine_amdgpu) return {};
  for (u64 i = 0; i < header->e_shnum; ++i) {
    const auto section = structure_at<Elf64_Shdr>(bytes, header->e_shoff + i * sizeof(Elf64_Shdr));
    if (!section) return {};
    if (section->sh_type != SHT_PROGBITS || (section->sh_flags & SHF_EXECINSTR) == 0 || section->sh_size == 0) continue;
    const auto code = contents_of(bytes, *section);
    if (!code) return {};
    return ObjectText{std::string(target_of_flags(header->e_flags)), *code};
  }
  return {};
}

}  // namespace gfxisa::cli
