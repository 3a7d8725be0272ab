// The syntax tree of a spec file: what was written, with positions, before any name is resolved.
// docs/spec-language.md describes the text; src/lang/parser.h makes this tree; src/model gives it meaning.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.h"

namespace gfxisa::lang {

/// A word of the text with its place. The text may hold list names in braces: `v_add_{T}`.
struct Word {
  std::string text;
  Location at;
};

/// A set of generations as written: `gfx9`, `gfx10+`, `gfx9-cdna1`, `rdna3.5`. Empty means all.
struct Set {
  std::vector<Word> items;
  bool empty() const { return items.empty(); }
};

/// Free text (`about`, `note`, ...); paragraphs are separated by a newline character.
struct Text {
  std::string text;
  Location at;
};

// ---------------------------------------------------------------------------------------------- expressions

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

/// kinds and what they use:
///   number   text as written, value (magnitude; the sign is a unary)
///   real     text as written, real
///   name     text: `a`, `T`, `fcmp.{C}`, `pc.next`
///   unary    text: - ~ !            args[0]
///   binary   text: + - ... || &&    args[0], args[1]
///   select   c ? x : y              args[0..2]
///   slice    x[hi:lo]               args[0..2] = x, hi, lo
///   index    x[i]                   args[0..1]
///   call     text: callee name      args
struct Expression {
  enum class Kind { number, real, name, unary, binary, select, slice, index, call };
  Kind kind;
  Location at;
  std::string text;
  u64 value = 0;
  double real = 0;
  std::vector<ExpressionPtr> args;
};

// ------------------------------------------------------------------------------------------------ statements

struct Statement;
using Block = std::vector<Statement>;

///   let      name = value
///   assign   target = value      (target: name, slice or index expression)
///   branch   if value: body else other
///   loop     for name in first..last: body; or for name in TEXT (`active`, `lanes`), where `name_set` is TEXT
///   effect   value is a call
///   result   `= value`, last line of an indented fn
struct Statement {
  enum class Kind { let, assign, branch, loop, effect, result };
  Kind kind;
  Location at;
  std::string name;
  std::string name_set;
  ExpressionPtr target;
  ExpressionPtr value;
  ExpressionPtr first, last;
  Block body;
  Block other;
};

/// `exec`, `exec lane`, `exec wave`, on a set.
struct Body {
  enum class Kind { scalar, lane, wave };
  Kind kind;
  bool is_ieee;  ///< floats do not obey MODE
  Set on;
  Block block;
  Location at;
  std::string source;  ///< the text as written, without the indentation common to its lines; pages show it
};

// ---------------------------------------------------------------------------------------------------- blocks

struct Chip {
  Word name;
  Text title;
  std::vector<Word> targets;
  std::vector<Word> waves;
  std::vector<Text> manuals;
};

struct Epoch {
  Word name;
  Set chips;
  Set knows;  ///< earlier epochs whose mnemonics assemblers still take
};

struct Format {
  Word name;
  u32 bits;
  Word kind;
  Text text;
};

struct Code {
  u32 first, last;
  Word cls;
  Word name;             ///< special: its name; others: empty
  double value = 0;      ///< integer: value of the first code; float: the value
  i64 step = 1;          ///< integer: from code to code
  bool is_even = false;  ///< vgpr, agpr: groups of registers begin at an even number
  Set on;
  Location at;
};

struct KindClass {
  Word cls;
  std::vector<Word> only;  ///< `special:a,b`, `vgpr:odd`
};
struct OperandKind {
  Word name;
  u32 bits;
  std::vector<KindClass> classes;
  u32 scale = 1;  ///< the register code is the field's value * scale + offset
  u32 offset = 0;
  Text about;
  Set on;
};

/// The longest word there is: image instructions with thirteen address registers.
inline constexpr u32 most_encoding_bits = 160;

/// One line of bits of an encoding.
struct BitLine {
  enum class Kind { constant, opcode, reserved, operand, modifier };
  Kind kind;
  Location at;
  u32 high, low;
  u64 constant = 0;             ///< constant: its value; modifier: its default; opcode: how far its bits are shifted
  Word name;                    ///< operand, modifier: the field
  Word type;                    ///< operand: operand kind, `imm` or `simm`; modifier: style
  std::vector<Word> slots;      ///< operand: `is d a`
  bool is_zero_unused = false;  ///< `else 0`: operand: where the family declares none of the slots; modifier: where a
                                ///< form does not take it
  Word unless;                  ///< modifier: `else 0 unless opsel`; empty text when none
  Word via;          ///< modifier: operand kind whose codes it takes; operand: `dpp src_vgpr`, the kind that it is
                     ///< of with a word of DPP behind it; empty text when none
  u64 via_bits = 0;  ///< modifier: width of what the code names
  Set on;
};

/// `read neg(neg[i]) on f16 f32`: stage, arguments as written, types.
struct StageLine {
  Word stage;
  std::vector<ExpressionPtr> arguments;
  std::vector<Word> types;
  Set on;
  Location at;
};

struct AddressLine {
  Word slot;
  ExpressionPtr value;
  Set on;
};

struct ImpliedLine {
  Word slot;
  Word reg;
  Set on;
};

struct SyntaxLine {
  std::vector<Word> items;
  Set on;
  Location at;
};

/// `of VOP1 VOP2 on SET`: encodings that a suffix may follow.
struct Hosts {
  std::vector<Word> encodings;
  Set on;
};

/// An encoding, or (when `is_suffix`) a word that follows one.
/// `widest 32 on gfx10+`: a suffix follows instructions with operands of up to so many bits.
struct WidestLine {
  u32 bits;
  Set on;
};

/// `halves numbered on gfx11`: how operands of 16 bits name registers.
struct HalvesLine {
  Word way;
  Set on;
};

/// `scalars 1 besides m0 for b64 on gfx9`: how many scalar values an instruction reads at most, not counting a
/// register.
struct ScalarsLine {
  u32 most = 0;
  Word besides;              ///< empty text when all count
  std::vector<Word> values;  ///< family: only members with one of these values of the lists; empty: all
  Set on;
  Location at;
};

struct Encoding {
  Word name;
  u32 bits;
  Word like;  ///< encoding whose lines it has where it gives none itself; empty text when none
  bool is_suffix = false;
  std::vector<Hosts> hosts;  ///< suffix: the head line's, then one for each `of` line
  Set on;
  Text title, about;
  Word selects_field;  ///< suffix: field name, or `literal`
  u64 selects_value = 0;
  Word mnemonic_suffix;  ///< `_e64`; empty text when none
  std::vector<WidestLine> widest;
  std::vector<HalvesLine> halves;
  std::vector<ScalarsLine> scalars;
  std::vector<BitLine> bit_lines;
  std::vector<ImpliedLine> implied;
  std::vector<SyntaxLine> syntax;
  std::vector<StageLine> reads, writes;
  std::vector<AddressLine> addresses;
};

struct Promote {
  Word from, to;
  u32 step;
  std::vector<Word> without;  ///< modifiers that promoted forms do not take
  Set on;
  Location at;
};

struct Function {
  Word name;
  bool is_stage = false;
  std::vector<Word> parameters;
  Block block;  ///< lets, then one result; of a procedure other statements
};

struct ListValue {
  Word text;    ///< {T}
  Word second;  ///< {T'}; same as text when not given
  Word third;   ///< {T''}; same as second when not given
};
/// `with NAME: text...`: a further text for each value of a list.
struct ListColumn {
  Word name;
  std::vector<Word> texts;
};
struct List {
  Word name;
  std::vector<ListValue> values;
  std::vector<ListColumn> columns;
};

struct NameLine {
  Set on;
  Word name;
};

struct Slot {
  /// field: the value of the encoding's modifier field of that name; returned: out, where the encoding asks for it;
  /// exchanged: in, and likewise out.
  enum class Access { out, in, inout, imm, field, returned, exchanged };
  Word name;
  Access access;
  Word type;
  Word via;       ///< operand kind that replaces the encoding's; empty text when none
  Word sized_by;  ///< field that says how wide the elements are; empty text when none
  Set on;
  Text note;
};

/// `+ C * 8` in a cell: the value's index in a list, times a number.
struct CellTerm {
  Word list;
  u32 factor = 1;
};
struct Cell {
  bool exists = false;
  u32 number = 0;
  std::vector<CellTerm> plus;
  Location at;
};
struct OpcodeRow {
  Word label;                  ///< value of the last list; empty text when the row has none
  Word part_first, part_last;  ///< `f..o` of another list; empty texts when it covers all
  std::vector<Cell> cells;
  Location at;
};
struct OpcodeTable {
  Word encoding;
  std::vector<Set> columns;
  std::vector<OpcodeRow> rows;
};

struct Except {
  Set on;
  std::vector<Word> values;
};

struct Ptx {
  Set on;
  std::string name;  ///< empty with relation none
  enum class Relation { same, near, partial, none } relation;
  std::string relation_column;  ///< `{T'}`: the relation's word is a column of a list
  Text why;
};
/// `same`, `near`, `partial`, `none`.
bool relation_named(std::string_view word, Ptx::Relation& relation);

struct Fidelity {
  enum class Kind { exact, approximate, none } kind = Kind::exact;
  Text why;
};

/// `without SET: DPP16 VOP3 opsel`: suffixes, promotions and modifiers that the encodings would give but the hardware
/// does not have; `takes SET: clamp`: modifiers that it has beyond those. `for u16`: only members with one of these
/// values of the lists.
struct Without {
  Set on;
  std::vector<Word> names, values;
};

/// `field gds = 1 on SET`: a field of the encoding that has one value in this family, or one of several; `field saddr
/// via saddr_any 64`: one that takes other codes.
struct FieldLine {
  Word field;
  std::vector<u64> values;
  Word via;       ///< operand kind; empty text when the field has certain values
  Word via_bits;  ///< width of what the code names
  Set on;
};

/// The most registers that an operand of a count can be.
inline constexpr u32 most_registers = 63;

/// `count addr = coordinates(dim, a16)`: how many registers a slot is, by fields of the encoding. Several expressions
/// are groups of registers, each in a field of its own where the slot has several.
struct Count {
  Word slot;
  bool is_least = false;  ///< `>=`: the assembler takes more, too
  std::vector<ExpressionPtr> groups;
  u32 otherwise = 0;  ///< `else N`: the number shown where the fields do not go together; 0: the fewest there can be
  Set on;
  Location at;
};

struct Family {
  Word name;
  std::vector<List> lists;
  std::vector<NameLine> names, aliases;
  Text about, describe;
  std::vector<Text> notes, opens;
  std::vector<Ptx> ptx;
  std::vector<Word> related;
  std::vector<Word> only_targets;
  Fidelity fidelity;
  std::vector<Slot> slots;
  std::vector<OpcodeTable> tables;
  std::vector<Except> excepts;
  std::vector<ScalarsLine> scalars;
  std::vector<Without> withouts, takes;
  std::vector<Without>
      prefers;  ///< `prefer SET: VOPD3_X for bf16`: encodings that the assembler tries before shorter ones
  std::vector<FieldLine> fields;
  std::vector<Count> counts;
  std::vector<SyntaxLine> syntax;
  std::vector<Text> examples;
  std::vector<Body> bodies;
};

/// Everything in one file, in the order written within each kind.
struct File {
  u32 source = 0;
  Text topic;
  std::vector<Chip> chips;
  std::vector<Epoch> epochs;
  std::vector<Format> formats;
  std::vector<Code> codes;
  std::vector<OperandKind> kinds;
  std::vector<Encoding> encodings;
  std::vector<Promote> promotes;
  std::vector<Function> functions;
  std::vector<Family> families;
};

}  // namespace gfxisa::lang
