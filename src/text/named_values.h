// Names that stand for numbers inside immediates: hardware registers, messages, wait counters. One table each, for
// disassembler and assembler alike.
#pragma once
#include <span>
#include <string_view>

#include "base/types.h"

namespace gfxisa::text {

/// Sets of chips, one bit a chip by name (not by index, so that the order in the spec is free).
using Chips = u16;
enum ChipBit : Chips {
  cdna1 = 1 << 0,
  cdna2 = 1 << 1,
  cdna3 = 1 << 2,
  cdna4 = 1 << 3,
  cdna5 = 1 << 4,
  rdna1 = 1 << 5,
  rdna2 = 1 << 6,
  rdna3 = 1 << 7,
  rdna35 = 1 << 8,
  rdna4 = 1 << 9,
};
inline constexpr Chips gfx9 = cdna1 | cdna2 | cdna3 | cdna4;
inline constexpr Chips gfx10 = rdna1 | rdna2;
inline constexpr Chips gfx11 = rdna3 | rdna35;
inline constexpr Chips gfx12 = rdna4 | cdna5;
inline constexpr Chips any_chip = 0x3ff;

/// The bit of a chip index of the tables; 0 when its name is none of the ten.
Chips chip_bit(unsigned chip);

struct NamedValue {
  u32 value;
  std::string_view name;
  Chips chips = any_chip;
};

/// The name of a value on a chip; empty when it has none.
std::string_view name_of(std::span<const NamedValue> table, Chips chip, u32 value);
/// The row of a name on a chip; nullptr when there is none.
const NamedValue* find_name(std::span<const NamedValue> table, Chips chip, std::string_view name);

std::span<const NamedValue> hardware_registers();
std::span<const NamedValue> messages();

/// How a message's operation is written.
enum class MessageKind : u8 { plain, geometry, geometry_done, system };
MessageKind message_kind(Chips chip, u32 message);
std::span<const NamedValue> message_operations(MessageKind kind);

std::span<const NamedValue> delay_instructions();  ///< instid0, instid1
std::span<const NamedValue> delay_skips();

/// A counter or other part of an immediate: NAME(value).
struct ImmediatePart {
  std::string_view name;
  u8 low, width;
  u8 high_low = 0, high_width = 0;  ///< upper bits elsewhere (vmcnt on gfx9)
  Chips chips = any_chip;

  u32 max() const { return (1u << (width + high_width)) - 1; }
  u32 get(u32 word) const;
  u32 set(u32 word, u32 value) const;
};
std::span<const ImmediatePart> wait_counters();
std::span<const ImmediatePart> dependency_counters();

/// Where an export goes: NAME, or NAME0 and up.
struct ExportTarget {
  std::string_view name;
  u32 first, count;  ///< count 0: one, without a number
  Chips chips = any_chip;
};
std::span<const ExportTarget> export_targets();

std::span<const NamedValue> gpr_index_modes();  ///< bits
std::span<const NamedValue> versions();         ///< of s_version, in [7:0]
std::span<const NamedValue> version_flags();    ///< bits
std::span<const NamedValue> scopes();
std::span<const NamedValue> image_dimensions();
std::span<const NamedValue> sdwa_selections();
std::span<const NamedValue> sdwa_unused();
std::span<const NamedValue> matrix_formats();
std::span<const NamedValue> matrix_scales();
std::span<const NamedValue> matrix_scale_formats();

}  // namespace gfxisa::text
