#include "elf/object_text.h"

#include <cstring>

#include "elf/elf_file.h"

namespace gfxisa {

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

}  // namespace gfxisa
