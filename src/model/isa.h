// The instruction sets with every name resolved and every family expanded: what the generator and the checks read.
//
// Built by build_isa() from the syntax trees of all spec files. Indices refer to the vectors of Isa. Nothing here
// depends on the order of files.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "core/core.h"
#include "lang/syntax.h"

namespace gfxisa::model {

/// One bit a chip, by index in Isa::chips.
using ChipSet = u32;

struct Chip {
  std::string name, title;
  std::vector<std::string> targets;
  std::vector<u32> waves;
  std::vector<std::string> manuals;
  u32 epoch = 0;
};

struct Epoch {
  std::string name;
  ChipSet chips = 0;
  ChipSet known = 0;  ///< earlier chips whose mnemonics assemblers still take
};

struct Format {
  std::string name, kind, text;
  u32 bits = 0;
};

enum class CodeClass : u8 { sgpr, vgpr, agpr, trap, integer, real, literal, literal64, special, dpp, dpp8, sdwa };

struct Code {
  u32 first = 0, last = 0;
  CodeClass cls{};
  std::string name;
  double value = 0;
  i64 step = 1;
  bool is_even = false;  ///< vgpr, agpr: groups begin at an even number
  ChipSet chips = 0;
};

struct OperandKind {
  std::string name, about;
  u32 bits = 0, scale = 1, offset = 0;  ///< code = field * scale + offset
  u32 classes = 0;                      ///< one bit a CodeClass
  std::vector<std::string> specials;    ///< the only specials allowed (`exec_lo`: that half); empty = all
  bool takes_odd = false;               ///< groups of vector registers may begin at an odd number on every chip
  ChipSet chips = 0;                    ///< one name may have several rows, on different chips
};

/// `joined` is an immediate over several neighbouring fields (offset over offset1 and offset0): it owns no bits.
enum class FieldRole : u8 { constant, opcode, reserved, operand, modifier, joined };

/// A run of bits of an encoding on some chips.
struct Field {
  FieldRole role{};
  std::string name;
  u32 low = 0, width = 0;
  u64 constant = 0;             ///< constant: the bits; modifier: the default; opcode: place of its bits in the opcode
  std::string style;            ///< modifier: style; operand: `imm`, `simm` or the operand kind's name
  std::optional<u32> kind;      ///< operand: index of the operand kind, none for imm and simm; modifier: the kind whose
                                ///< codes it takes
  std::optional<u32> dpp_kind;  ///< operand: the kind with a word of DPP behind it, where that is another one
  u32 bits = 0;                 ///< modifier with a kind: width of what the code names
  std::vector<std::string> slots;
  bool is_zero_unused =
      false;           ///< operand: 0 where the instruction has none of the slots; modifier: where it is not taken
  std::string unless;  ///< modifier: a form that takes this one does not look at the bits instead
  ChipSet chips = 0;
};

/// A slot that always is one register or one inline constant.
struct Implied {
  std::string slot, reg;  ///< reg: a special register, or an integer
  ChipSet chips = 0;
  u32 code = 0;  ///< register code of `reg` on these chips; one row a code
};

struct SyntaxOrder {
  std::vector<std::string> items;
  ChipSet chips = 0;
};

/// A stage function or an address line, typed. Engines compile them like lane bodies; equal ones are shared.
///   stage:   slots d (out) and one input a parameter: the operand, then u32 arguments (field values)
///   address: slots addr (out u64) and the inputs vaddr u64, saddr u64, has_saddr b1, offset i32 (sign-extended),
///            scratch u64 (this lane's scratch base), base b128 and soffset u32 (slots of the family), idxen b1,
///            offen b1 and format u32 (fields), in this order
/// What does not come from a lane (arguments, all of an address but vaddr and scratch) is uniform.
struct StageBody {
  std::string name;    ///< of the stage; of the encoding for an address
  std::string format;  ///< data format of the operand; `half`, `any`: the whole register word as b32 of operands of
                       ///< 16, of up to 32 bits; `lanes`: maps a lane's number to the lane it reads
  core::Body body;
};

struct Stage {
  std::string function;
  std::vector<std::string>
      arguments;              ///< field names, of the encoding or (suffix) its host; `old`: what the destination held
  std::vector<bool> indexed;  ///< `neg[i]`: for source operand i bit i of the field, or the field src<i>_neg
  std::vector<std::string> types;  ///< data formats (`half`, `any` unfolded), or `lanes`
  std::vector<u32> bodies;         ///< one a type: index in Isa::stage_bodies
  ChipSet chips = 0;
};

struct Address {
  std::string slot;
  std::string source;  ///< as written, for pages
  u32 body = 0;        ///< index in Isa::address_bodies
  ChipSet chips = 0;
};

/// An encoding that a suffix may follow.
struct Host {
  u32 encoding = 0;
  ChipSet chips = 0;
};

/// How operands of 16 bits in a word name registers: bit 7 of the number says which half, or only lower halves have a
/// name. Both halves are those of v0 to v127.
struct Halves {
  bool has_upper = false;
  ChipSet chips = 0;
};

/// The most bits that operands of an instruction may have which a suffix follows.
struct Widest {
  u32 bits = 0;
  ChipSet chips = 0;
};

/// How many scalar values (registers, the literal) an instruction reads at most, not counting a register.
struct Scalars {
  u32 most = 0;
  std::string besides;  ///< empty when all count
  ChipSet chips = 0;
};

/// An encoding or a suffix word.
struct Encoding {
  std::string name, title, about;
  u32 bits = 0;
  ChipSet chips = 0;
  bool is_suffix = false;
  std::vector<Host> hosts;    ///< suffix: encodings it follows
  std::string selects_field;  ///< suffix: field, or `literal`
  u64 selects_value = 0;
  std::string mnemonic_suffix;
  std::vector<Field> fields;  ///< from high to low
  std::vector<Implied> implied;
  std::vector<SyntaxOrder> syntax;
  std::vector<Stage> reads, writes;
  std::vector<Address> addresses;
  std::vector<Halves> halves;
  std::vector<Widest> widest;
  std::vector<Scalars> scalars;
};

enum class Access : u8 { out, in, inout, imm };

struct Slot {
  std::string name;
  Access access{};
  std::string type;  ///< data format, `mask`, or the style of an imm
  std::string note;
  std::optional<u32> via;    ///< operand kind that replaces the encoding's
  bool is_returned = false;  ///< an out that is there only when the encoding's return bit (glc, sc0, th) asks
  std::string sized_by;      ///< field that holds the format of the elements; empty when the width is fixed
  ChipSet chips = 0;
  bool is_field = false;  ///< an imm that is the modifier field of its name
};

/// How many registers a slot is, by fields of the encoding.
struct Count {
  std::string slot;
  bool is_least = false;            ///< the assembler takes more, too
  std::string source;               ///< as written, list names replaced
  std::vector<std::string> fields;  ///< those the bodies read, as u32; 0 where an encoding has none of that name;
                                    ///< an operand field is 1 where it has it
  u32 otherwise = 0;                ///< what is shown where the fields do not go together; 0: the fewest
  std::vector<core::Body> groups;   ///< one a group of registers, with slots d (out u32) and the fields
  ChipSet chips = 0;
};

struct Ptx {
  std::string name;
  lang::Ptx::Relation relation{};
  std::string why;
  ChipSet chips = 0;
};

/// A field of the encoding that has certain values in this instruction, or takes the codes of another kind.
struct FieldRule {
  std::string field;
  std::vector<u64> values;
  std::optional<u32> kind;
  u32 bits = 0;  ///< width of what the code names
  ChipSet chips = 0;
};

/// What a family says of a modifier or suffix of its encodings, against what the types of its operands give.
struct ModifierRule {
  std::string field;  ///< or the suffix's name
  bool is_taken = false;
  ChipSet chips = 0;
};

/// A rule of this name is about the encoding's suffix of mnemonics (`_e64`).
inline constexpr std::string_view mnemonic_suffix_rule = "mnemonic";

/// A body, its chips and its tree; several instructions never share one.
struct Semantics {
  ChipSet chips = 0;
  std::string source;  ///< the text as written, list names replaced
  core::Body body;
};

/// One member of a family: `s_bfe_u32`.
struct Instruction {
  std::string name;                                    ///< the family's name with the lists filled in
  u32 family = 0;                                      ///< index in Isa::families
  std::vector<std::string> list_values;                ///< one a list, in the family's order
  std::vector<std::pair<ChipSet, std::string>> names;  ///< other mnemonics
  std::vector<std::pair<ChipSet, std::string>> aliases;
  std::string about, describe, topic;
  std::vector<std::string> notes, opens, related, examples, only_targets;
  std::vector<Ptx> ptx;
  lang::Fidelity::Kind fidelity{};
  std::string fidelity_why;
  std::vector<Slot> slots;
  std::vector<Count> counts;
  std::vector<SyntaxOrder> syntax;  ///< overrides
  std::vector<Host> without;        ///< suffixes this instruction does not take (Host::encoding is the suffix)
  std::vector<Host> preferred;      ///< encodings that the assembler tries before shorter ones
  std::vector<FieldRule> fields;
  std::vector<ModifierRule> modifiers;
  std::vector<Scalars> scalars;  ///< instead of its encodings'
  std::vector<Semantics> semantics;
  std::string file;  ///< `scalar/bitfield.isa`
  u32 line = 0;

  const std::string& name_on(u32 chip) const {
    for (const auto& [chips, other] : names) {
      if (chips >> chip & 1) return other;
    }
    return name;
  }
};

/// An instruction in one encoding on one chip. Promoted opcodes are forms like any other.
struct Form {
  u32 instruction = 0;
  u32 encoding = 0;
  u32 chip = 0;
  u32 opcode = 0;
  bool promoted = false;
  std::vector<std::string> without;  ///< modifiers that the promotion does not give
};

struct Family {
  std::string name;
  Location at;
};

struct Isa {
  std::vector<Chip> chips;
  std::vector<Epoch> epochs;
  std::vector<Format> formats;
  std::vector<Code> codes;
  std::vector<OperandKind> kinds;
  std::vector<Encoding> encodings;
  std::vector<const lang::Function*> functions;  ///< fns and stages
  std::vector<StageBody> stage_bodies, address_bodies;
  std::vector<Family> families;
  std::vector<Instruction> instructions;    ///< sorted by name
  std::vector<Form> forms;                  ///< sorted by chip, encoding, opcode
  std::vector<lang::Word> unknown_related;  ///< words of `related` lines that name no instruction

  /// The operand kind named like kinds[kind] that holds on `chip`; `kind` itself when none does. Slot::via needs this.
  u32 kind_on(u32 kind, u32 chip) const {
    for (u32 i = 0; i < kinds.size(); ++i) {
      if (kinds[i].name == kinds[kind].name && (kinds[i].chips >> chip & 1) != 0) return i;
    }
    return kind;
  }
};

/// The values of a Count in an encoding: for each group one a combination of the fields that the encoding has, the
/// first field in the lowest bits of the index.
struct CountTable {
  std::vector<const Field*> fields;
  std::vector<std::vector<u8>> groups;
  u32 otherwise = 0;
};
CountTable count_table(const Count& count, const Encoding& encoding, u32 chip);
/// How many fields of their own the registers fill at most.
u32 most_fields(const CountTable& table);
/// The count of an instruction's slot on a chip, or nullptr.
const Count* count_of(const Instruction& instruction, const std::string& slot, u32 chip);

/// The fields that hold a slot's registers after the first: those `is addr[1]`, `is addr[2]`, ... The last of them may
/// hold all that are left (`is addr[4..]`).
struct FurtherFields {
  std::vector<const Field*> fields;
  bool takes_rest = false;
};
FurtherFields further_fields(const Encoding& encoding, const std::string& slot, u32 chip);

/// Resolves and checks everything; on errors the result is incomplete and `diagnostics` says why. `files` must outlive
/// the result.
Isa build_isa(const std::vector<lang::File>& files, const Sources& sources, Diagnostics& diagnostics);

}  // namespace gfxisa::model
