// An AMD GPU object file as an assembler makes it: sections, symbols, relocations; and its two forms as ELF, to be
// linked and linked.
#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "elf/target.h"

namespace gfxisa {

/// R_AMDGPU_*, from the AMDGPU chapter of LLVM's user guide.
enum class RelocationType : u8 {
  none = 0,
  abs32_lo = 1,
  abs32_hi = 2,
  abs64 = 3,
  rel32 = 4,
  rel64 = 5,
  abs32 = 6,
  gotpcrel = 7,
  gotpcrel32_lo = 8,
  gotpcrel32_hi = 9,
  rel32_lo = 10,
  rel32_hi = 11,
  relative64 = 13,
  rel16 = 14,
};

inline constexpr u32 no_symbol = 0xffffffff;

struct ObjectRelocation {
  u64 offset = 0;  ///< within the section
  RelocationType type = RelocationType::none;
  u32 symbol = no_symbol;  ///< index in ObjectFile::symbols
  i64 addend = 0;
};

struct ObjectSection {
  std::string name;
  u32 type = 1;  ///< SHT_*
  u64 flags = 0;
  u64 entry_size = 0, alignment = 1;
  std::string bytes;
  u64 zero_bytes = 0;  ///< of SHT_NOBITS
  std::vector<ObjectRelocation> relocations;
  std::string group;  ///< signature of its COMDAT group; empty: none

  bool has_bytes() const { return type != 8; }
  u64 size() const { return has_bytes() ? bytes.size() : zero_bytes; }
};

/// Where a symbol lives when in no section.
inline constexpr u32 section_undefined = 0xffffffff, section_absolute = 0xfffffffe, section_common = 0xfffffffd,
                     section_lds = 0xfffffffc;

struct ObjectSymbol {
  std::string name;
  u32 section = section_undefined;  ///< index in ObjectFile::sections, or one of the above
  u64 value = 0, size = 0;
  u8 binding = 0;     ///< STB_*
  u8 type = 0;        ///< STT_*
  u8 visibility = 0;  ///< STV_*
};

struct ObjectFile {
  TargetId target;
  unsigned version = 6;  ///< of the code object
  std::vector<ObjectSection> sections;
  std::vector<ObjectSymbol> symbols;  ///< local ones first
  bool has_address_significance = false;
  std::vector<u32> significant_symbols;  ///< .addrsig_sym
};

/// ELF of type REL, laid out as LLVM does it, byte for byte.
Result<std::string> write_relocatable(const ObjectFile& object);

/// ELF of type DYN: what a loader takes. Every symbol must be defined.
Result<std::string> write_linked(const ObjectFile& object);

}  // namespace gfxisa
