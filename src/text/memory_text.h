// How the parts of an address, and hints about it, are written: `v[2:3], off`, `v2, s[4:5]`, `s4 offset:0x10`,
// `th:TH_LOAD_NT`.
#pragma once
#include <string>
#include <string_view>

#include "text/writer.h"

namespace gfxisa::text {

enum class AddressSpace : u8 { none, flat, global, scratch };
/// Of an encoding of vector memory; none for all others.
AddressSpace address_space(const EncodingRow& encoding);

enum class AccessKind : u8 { load, store, atomic };
/// What a form of vector memory does, by the slots it has.
AccessKind access_kind(const FormRow& form);

/// Whether the address has a part in vector registers, and how many bits of it.
bool has_vector_address(const Instruction& instruction);
u32 vector_address_bits(const Instruction& instruction);

/// The address operand, or `off`.
void append_address(Line& line, unsigned index);
/// The scalar base; false, and nothing written, where none is shown.
std::string scalar_base_text(const Line& line, u64 code);
/// `TH_LOAD_NT`; `kind` and `scope` (0 to 3) choose among the names of a value.
std::string hint_name(AccessKind kind, u64 hint, u64 scope);

/// Slots of scalar registers that hold NULL when they are not written.
inline bool is_optional_group(std::string_view slot) { return slot == "group2" || slot == "group3"; }

/// Whether `slot` is an offset register in whose place a constant may be written.
bool is_optional_offset(const FormRow& form, std::string_view slot);
/// Whether such a register is written (NULL is not).
bool shows_scalar_register(const Line& line, unsigned index);
/// Constants of scalar addresses, which are written in place where no register is.
inline bool is_scalar_offset(Style style) { return style == Style::scalar_offset || style == Style::buffer_offset; }
/// The constant of a scalar address: in place, or as a modifier after a register.
void append_scalar_offset(Line& line, i64 value, bool after_register);

}  // namespace gfxisa::text
