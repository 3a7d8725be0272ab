// An ELF file as its section headers describe it: what a disassembler lists. Nothing is loaded or relocated; see
// code_object.h for that.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/types.h"

namespace gfxisa {

inline constexpr u16 elf_machine_amdgpu = 224;  // EM_AMDGPU

/// A section with its bytes in the file; none for sections that are only room in memory.
struct ParsedSection {
  std::string name;
  u32 type = 0;   ///< SHT_*
  u64 flags = 0;  ///< SHF_*
  u64 address = 0;
  u64 alignment = 1;
  u32 index = 0;  ///< number of its header
  std::span<const u8> bytes;

  bool is_code() const;
  bool is_data() const;  ///< bytes of the program that are no code
};

/// A defined symbol. `offset` counts from the start of its section.
struct ParsedSymbol {
  std::string name;
  u64 offset = 0, size = 0;
  u32 section = 0;  ///< ParsedSection::index
  bool is_function = false, is_object = false, is_global = false;
};

/// A relocation of a relocatable object: where, which, and against what.
struct ParsedRelocation {
  u64 offset = 0;
  u32 section = 0;  ///< ParsedSection::index of the section it changes
  u32 type = 0;
  std::string symbol;
  i64 addend = 0;
};

/// A 64-bit little-endian ELF file. Spans point into the bytes that were read.
struct ParsedElf {
  u16 machine = 0;
  bool is_relocatable = false;
  std::string target;           ///< AMD GPU objects: gfx1100; empty when the flags name none of ours
  std::string target_id;        ///< with features: gfx90a:sramecc+:xnack-
  bool has_xnack_mask = false;  ///< XNACK is on or may be
  unsigned version = 0;         ///< AMD GPU objects: version of the code object, 0 when unknown
  std::vector<ParsedSection> sections;
  std::vector<ParsedSymbol> symbols;  ///< sorted by section, offset; each name and place once
  std::vector<ParsedRelocation> relocations;

  const ParsedSection* find_section(std::string_view name) const;
  const ParsedSection* section_at(u32 index) const;
};

/// `bytes` must outlive the result.
Result<ParsedElf> parse_elf(std::span<const u8> bytes);

/// Name of an AMD GPU relocation: R_AMDGPU_REL32_LO.
std::string relocation_name(u32 type);

}  // namespace gfxisa
