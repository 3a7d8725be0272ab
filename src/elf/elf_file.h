// What the writers of ELF files share.
#pragma once
#include <elf.h>

#include <string>

#include "base/types.h"
#include "elf/object_file.h"

namespace gfxisa {

inline constexpr u16 machine_amdgpu = 224;       // EM_AMDGPU
inline constexpr u8 os_amdhsa = 64;              // ELFOSABI_AMDGPU_HSA
inline constexpr u32 note_amdgpu_metadata = 32;  // NT_AMDGPU_METADATA

template <class T>
void append_value(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// The header of an object's file, without what depends on the layout.
Elf64_Ehdr elf_header(const ObjectFile& object, u16 type);

}  // namespace gfxisa
