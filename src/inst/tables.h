// The shape of the generated tables: what decoder, encoder, text, pages and engine know about the instruction sets.
//
// Everything is a constant array made by src/gen at build time; no constructor runs at start. A row refers to other
// rows by index. Strings are indices into one pool of NUL-terminated text, so that rows stay small.
#pragma once
#include <array>
#include <span>
#include <string_view>

#include "base/types.h"

namespace gfxisa {

inline constexpr unsigned chip_count = 10;

/// Index into the string pool, where a text has its length in two bytes before it and a NUL behind.
using Text = u32;
inline constexpr u32 text_length_bytes = 2;

enum class CodeClass : u8 { none, sgpr, vgpr, agpr, trap, integer, real, literal, literal64, special, dpp, dpp8, sdwa };

/// Whether a code says that a word follows: a literal's, DPP's or SDWA's.
constexpr bool selects_suffix(CodeClass cls) {
  return cls == CodeClass::literal || cls == CodeClass::literal64 || cls == CodeClass::dpp || cls == CodeClass::dpp8 ||
         cls == CodeClass::sdwa;
}

/// Tuples of scalar registers begin at a multiple of two, from three registers on of four.
constexpr u32 tuple_alignment(CodeClass cls, u32 register_count) {
  if (cls != CodeClass::sgpr && cls != CodeClass::trap) return 1;
  return register_count <= 1 ? 1 : register_count == 2 ? 2 : 4;
}

/// Register codes: 512 that fields of 9 bits reach, then those of accumulation registers, which a field names by a
/// vector register's code and a bit elsewhere (Style::acc); on CDNA 5 of vector registers that end a group begun below.
inline constexpr u32 register_code_count = 768;
inline constexpr u32 accumulator_distance = 256;

/// The meaning of one register code on one chip. `value`: number of the register (sgpr, vgpr, trap), the
/// integer, the float's f32 bits, or for a special the position within its pair (0 = low, 1 = high).
struct CodeRow {
  CodeClass cls = CodeClass::none;
  i32 value = 0;
  Text name = 0;
  bool is_even = false;  ///< a group of these registers begins at an even number
};

/// How far into its tuple a register lies that is named as the tuple's first: hardware takes no notice of the low bits.
constexpr u32 tuple_place(const CodeRow& row, u32 register_count) {
  return static_cast<u32>(row.value) & (tuple_alignment(row.cls, register_count) - 1);
}

/// `joined` is an immediate over several neighbouring fields (offset over offset1 and offset0): it owns no bits of a
/// layout.
enum class FieldRole : u8 { constant, opcode, reserved, operand, modifier, joined };

/// How a modifier is written, or how an immediate operand is; one enumerator a style named in the spec (styles.inc).
enum class Style : u8 {
#define GFXISA_STYLE(name, meaning) name,
#include "inst/styles.inc"
#undef GFXISA_STYLE
};

/// Bits of an encoding on one chip. `low` counts from bit 0 of the encoding's (or suffix's) own first word.
struct FieldRow {
  Text name;
  u8 low;
  u8 width;
  FieldRole role;
  Style style;
  u16 kind;        ///< operand: index in operand_kinds; no_kind for immediates and modifiers
  u64 constant;    ///< constant: the bits; modifier: the default; opcode: place of its bits in the opcode
  u32 first_slot;  ///< range of texts. Operand: the slots it may hold; acc: those whose registers it speaks of
  u8 slot_count;
};
inline constexpr u16 no_kind = 0xffff;

struct OperandKindRow {
  Text name;
  Text about;
  u16 offset;  ///< register code = the field's value * scale + offset
  u8 bits;
  u16 classes;        ///< one bit a CodeClass
  u32 first_special;  ///< range of special_names: the only specials allowed; empty = all
  u16 special_count;
  u8 scale = 1;  ///< 2 or 4 where a field counts aligned groups of registers (sbase, srsrc)
};

/// Whether a kind takes accumulation registers alone: its field names them by the codes of vector registers.
constexpr bool is_accumulator_kind(const OperandKindRow& kind) {
  return (kind.classes >> static_cast<u32>(CodeClass::agpr) & 1) != 0 &&
         (kind.classes >> static_cast<u32>(CodeClass::vgpr) & 1) == 0;
}

/// How an operand of 16 bits in a word's field names a register: whole, as the half that bit 7 of the number says, or
/// as the lower half, the only one that can be named. Halves are those of v0 to v127.
enum class Halves : u8 { none, numbered, lower };

/// Whether a word holds one instruction, or is seen as one of the two it holds (VOPD).
enum class Share : u8 { whole, first, second };

/// Fields that code asks for by name, for every instruction; of each encoding the tables say where they are.
#define GFXISA_KNOWN_FIELDS(X) \
  X(neg) X(abs) X(opsel) X(scope) X(sve) X(glc) X(sc0) X(th) X(s0) X(s1) X(sd) X(vdst) X(en) X(compr)
enum class KnownField : u8 {
#define GFXISA_KNOWN_FIELD(name) name,
  GFXISA_KNOWN_FIELDS(GFXISA_KNOWN_FIELD)
#undef GFXISA_KNOWN_FIELD
      count
};

/// An encoding on one chip. `mask`/`match` hold its fixed bits (words 0 and 1), without the opcode.
struct EncodingRow {
  Text name, title, about, mnemonic_suffix;
  u64 mask, match;
  u16 first_field, field_count;  ///< range of fields
  u8 bits;                       ///< 32, 64, 96, 128 or 160
  u8 opcode_field;               ///< index relative to first_field; 0xff when it has none
  u8 opcode_high_field;          ///< a second field with the upper bits of the opcode; 0xff when it has none
  bool is_suffix;
  u8 selects_field;   ///< suffix: index of the host field by name is looked up by `selects_name`
  Text selects_name;  ///< suffix: field name or `literal`
  u16 selects_value;
  u32 first_form;  ///< range of form_of_opcode: opcode -> form index + 1, 0 for none
  u32 opcode_count;
  u32 suffixes;  ///< bit i: encodings[first_encoding of chip + i] is a suffix that may follow; suffixes come first
  u64 high_mask, high_match;  ///< likewise of words 2 and 3
  std::array<u32, 5> base;    ///< the words with all operands 0: fixed bits and the modifiers' defaults
  u8 literal_field;           ///< index of the field that always holds a literal (relative to first_field), 0xff none
  u8 base_field;              ///< index of the field with a scalar base (Style::saddr), 0xff none
  bool has_accumulators;      ///< some field has Style::acc
  u16 first_syntax, syntax_count;  ///< range of syntax_items
  u16 first_stage, stage_count;    ///< range of stages, in the order they are applied
  u16 address_kernel;              ///< index in exec::KernelSet::addresses; 0xffff none
  Text address_source;             ///< the address line as written; 0 none
  Share share;
  Halves halves;
  u8 literal_bits;                                                    ///< suffix: 32 or 64 for a literal, else 0
  std::array<u8, static_cast<std::size_t>(KnownField::count)> known;  ///< relative to first_field, 0xff none
};

/// A read or write stage of an encoding for one data format.
struct StageRow {
  Text stage;
  u8 format;  ///< index in data_formats, or stage_lanes
  bool is_write;
  u8 argument_count;
  std::array<Text, 4> argument_field;    ///< fields of the encoding
  std::array<bool, 4> argument_indexed;  ///< bit i of the field belongs to source operand i
  u16 kernel;                            ///< index in exec::KernelSet::stages
};

/// What a stage applies to when that is no data format: the number of a lane, mapped to that of the lane it reads.
inline constexpr u8 stage_lanes = 0xff;

/// An item of the syntax: a slot (operand) or a field (modifier) by name.
struct SyntaxItem {
  Text name;
  bool is_slot;
};

enum class Access : u8 { out, in, inout, imm };

/// A slot of an instruction, in the order the family declares them.
struct SlotRow {
  Text name;
  Text note;
  Access access;
  u8 format;         ///< index in data_formats; no_format for immediates
  u16 bits;          ///< width of the value; 0 for a mask (one bit a lane: the wave's size in bits)
  bool is_returned;  ///< an out that is there only when the instruction returns a value (see returns_value)
  bool is_named;     ///< scc, exec, vcc, pc, m0, mode; or an imm that is a modifier field: no operand
  Style style;       ///< imm: how it is written
  bool is_tile;      ///< `bits` are those of a lane among 32; among 64 it holds half of them
  u16 chips;         ///< one bit a chip: a slot may differ from chip to chip
};

inline constexpr u8 no_format = 0xff;

struct DataFormatRow {
  Text name, kind, text;
  u16 bits;
};

/// Where one slot of a form lives.
struct OperandRow {
  u8 slot;               ///< index relative to the instruction's first slot
  u8 field;              ///< index relative to the encoding's first field; 0xff when implied
  u16 kind;              ///< operand kind (after `via`), no_kind for immediates
  u16 implied_code;      ///< register code when field is 0xff
  u8 sized_by = 0xff;    ///< field of the encoding that holds the format of its elements; the width is for 8 bits
  u16 count = 0;         ///< index in counts + 1, where fields say how many registers it is; 0: as the slot's bits say
  u8 further_count = 0;  ///< fields for its registers after the first
  bool takes_rest = false;       ///< the last of them begins a run of all registers that are left
  bool is_list = false;          ///< only for more registers than one: a shorter encoding does for one
  std::array<u8, 12> further{};  ///< those fields, relative to the encoding's first
};

/// How many registers an operand is. Fields of the encoding, the first in the lowest bits, make an index into
/// count_values; there are as many rows of values as groups of registers.
struct CountRow {
  Text source;  ///< as written
  u8 field_count;
  std::array<u8, 4> low, width;
  u8 group_count;
  bool is_least;    ///< the assembler takes more, too
  u8 fewest, most;  ///< over all values that exist
  u8 shown;         ///< where the fields do not go together; 0: the fewest, or as many as have fields
  u32 first_value;
};
/// A value this large says that the fields do not go together.
inline constexpr u8 no_count = 64;

/// The code of a constant, which never counts.
inline constexpr u8 no_free_scalar = 128;

/// An instruction in one encoding on one chip.
struct FormRow {
  Text mnemonic;    ///< as on this chip, without suffix
  u16 instruction;  ///< index in instructions
  u16 encoding;     ///< index in encodings
  u16 opcode;
  u32 first_operand;  ///< range of operands, in syntax order first; slots not in the syntax follow
  u8 operand_count;
  u8 syntax_operands;              ///< the first so many are written
  bool has_sized;                  ///< a field holds the format of some operand's elements (OperandRow::sized_by)
  bool has_counts;                 ///< fields say of some operand how many registers it is
  bool takes_suffix;               ///< mnemonic gets the encoding's suffix in text
  bool is_preferred;               ///< the assembler tries it before shorter ones
  u8 most_scalars;                 ///< scalar values that it may read; 0: not said
  u8 scalar_sources;               ///< operands that may be scalar values, without DPP or SDWA behind the word
  u8 free_scalar;                  ///< code of a register that is not counted, or no_free_scalar
  bool reads_vcc;                  ///< though no operand is it
  bool has_unread_lanes;           ///< DPP or SDWA may follow though the form has no source that would come from it
  u32 without;                     ///< like EncodingRow::suffixes: suffixes this form does not take
  u16 first_syntax, syntax_count;  ///< modifiers (and operands) in order: family's override or the encoding's
  u16 semantics;                   ///< index in semantics; no_semantics
  u16 first_check;                 ///< range of checks: what the decoder looks at in the word's operand fields
  u8 check_count;
  u16 first_suffix;  ///< in form_suffixes: a row for each suffix that the form takes, in the order of their bits
};
inline constexpr u16 no_semantics = 0xffff;

/// What is special about a suffix behind a form: the values its fields may have, and what of it is written.
struct FormSuffixRow {
  u16 first_check;  ///< range of checks, of fields in the suffix
  u8 check_count;
  u16 first_syntax, syntax_count;
};

/// What the decoder checks of one operand field. A field in which every value is legal has none.
inline constexpr u8 no_operand = 0xff, fixed_field = 0xfe;
/// Without a scalar base; where the value is returned; with a word of DPP behind; where a bit says that the field names
/// the result (`sd`); in waves of 64 lanes, of which the latter may be the condition too.
enum class CheckWhen : u8 { always, without_base, returned, with_dpp, named, wave64, named_wave64 };
struct CheckRow {
  u8 low, width;
  u8 operand;  ///< index in the form's operands; fixed_field: a field that has one value in this form; no_operand:
               ///< any other field
  CheckWhen when;
  u8 scale;  ///< register code = value * scale + offset
  u16 offset;
  u16 legal;  ///< index in legal_values
};

/// One bit a value of an operand field (0..511): whether the kind, at a width, on a chip, takes it.
using LegalValues = std::array<u64, 8>;
inline bool allows(const LegalValues& values, u64 value) {
  return value < 512 && (values[value / 64] >> value % 64 & 1) != 0;
}

enum class BodyKind : u8 { scalar, lane, wave };
enum class Fidelity : u8 { exact, approximate, none };

struct PtxRow {
  u16 chips;  ///< one bit a chip
  Text name;
  u8 relation;  ///< 0 same, 1 near, 2 partial, 3 none
  Text why;
};

/// One member of a family: what is the same on every chip.
struct InstructionRow {
  Text name;  ///< canonical mnemonic
  Text family, topic, about, describe;
  Text file;
  u32 line;
  u32 first_slot;
  u8 slot_count;
  u32 first_note;
  u8 note_count;  ///< ranges of texts
  u32 first_open;
  u8 open_count;
  u32 first_related;
  u8 related_count;
  u32 first_example;
  u8 example_count;
  u32 first_only;
  u8 only_count;  ///< gfx targets
  u32 first_ptx;
  u8 ptx_count;
  Fidelity fidelity;
  Text fidelity_why;
};

/// Which hardware register a body reads or writes: none, MODE, or the one that the instruction's operand names.
enum class HardwareRegister : u8 { none, mode, named };

/// A body and its compiled form's number. `flags` say what the engine must prepare.
struct SemanticsRow {
  u16 instruction;
  BodyKind kind;
  u8 input_count;  ///< sources of the kernel (see exec/kernel_abi.h)
  u8 output_count;
  u8 immediate_count;
  u8 float_mode;     ///< 0 none, 1 f32, 2 f16/f64, 3 both: which MODE fields it obeys
  bool has_effects;  ///< touches memory, LDS, barriers, messages
  bool writes_pc;
  bool reads_exec;       ///< what it does depends on which lanes are on
  bool ends_wave;        ///< what follows is reached from elsewhere
  bool sets_banks;       ///< chooses the high bits of vector register numbers
  bool names_registers;  ///< reaches registers by numbers counted from an operand's
  HardwareRegister reads_register, writes_register;
  Text source;     ///< the body's text
  u32 first_blob;  ///< serialised tree: range of tree_words
  u32 blob_words;
};

struct ChipRow {
  Text name, title, epoch;
  u32 first_target;
  u8 target_count;  ///< ranges of texts
  u32 first_manual;
  u8 manual_count;
  u8 waves;  ///< bit 0: wave32, bit 1: wave64
  u16 first_encoding, encoding_count;
  u32 first_form, form_count;         ///< sorted by encoding, opcode
  u32 first_name, name_count;         ///< range of name_index: sorted by mnemonic text
  u32 first_code;                     ///< register_code_count CodeRows
  u32 first_root;                     ///< 512 roots: by bits [31:23] of the first word, where its candidates start
  std::array<u16, 5> first_register;  ///< by CodeClass of sgpr, vgpr, agpr, trap: the code of register 0
};

/// A mnemonic (or alias) of a chip and a form that has it; sorted by text, aliases after names.
struct NameRow {
  Text name;
  u32 form;
  bool is_alias;
};

inline constexpr u16 no_candidate = 0xffff;

/// Encodings of a chip that the decoder need not tell apart: the same fixed bits, and the opcode in the same place.
struct DecodeGroupRow {
  u64 mask, match;
  u64 high_mask, high_match;              ///< words 2 and 3
  u8 opcode_low, opcode_width;            ///< width 0: no opcode
  u8 opcode_high_low, opcode_high_width;  ///< upper bits of an opcode in two pieces; width 0: none
  u8 bits;                                ///< of the shortest of its encodings
  Share share;
  u32 first_form, opcode_count;  ///< range of form_of_opcode
};

/// All tables. Defined in generated code.
struct Tables {
  const char* pool;
  std::span<const ChipRow> chips;
  std::span<const CodeRow> codes;
  std::span<const OperandKindRow> operand_kinds;
  std::span<const Text> special_names;
  std::span<const EncodingRow> encodings;
  std::span<const FieldRow> fields;
  std::span<const SyntaxItem> syntax_items;
  std::span<const StageRow> stages;
  std::span<const DataFormatRow> data_formats;
  std::span<const InstructionRow> instructions;  ///< sorted by name
  std::span<const SlotRow> slots;
  std::span<const FormRow> forms;
  std::span<const FormSuffixRow> form_suffixes;
  std::span<const OperandRow> operands;
  std::span<const CountRow> counts;
  std::span<const u8> count_values;
  std::span<const u32> form_of_opcode;
  std::span<const NameRow> name_index;
  std::span<const Text> texts;
  std::span<const PtxRow> ptx;
  std::span<const SemanticsRow> semantics;
  std::span<const u64> tree_words;
  std::span<const u16> roots;       ///< indices in candidates
  std::span<const u16> candidates;  ///< lists of decode_groups, most fixed bits first, each ended by no_candidate
  std::span<const DecodeGroupRow> decode_groups;
  std::span<const CheckRow> checks;
  std::span<const LegalValues> legal_values;

  std::string_view text(Text index) const {
    const char* entry = pool + index;
    const std::size_t length = static_cast<u8>(entry[0]) | static_cast<std::size_t>(static_cast<u8>(entry[1])) << 8;
    return {entry + text_length_bytes, length};
  }
  const char* c_string(Text index) const { return pool + index + text_length_bytes; }
};
extern const Tables generated_tables;
inline const Tables& tables() { return generated_tables; }

}  // namespace gfxisa
