// A reference page: everything gfxisa knows about one instruction on one generation, gathered from the tables.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/types.h"

namespace gfxisa {

/// Bits [high:low] of the encoding. Exactly one of the kinds: fixed bits (`bits` in binary), an unassigned run, or a
/// named field.
struct PageField {
  enum class Kind { fixed, unassigned, field };
  Kind kind = Kind::field;
  unsigned high = 0, low = 0;
  std::string name;  ///< fixed: `OP` when it is the opcode, else empty
  std::string bits;  ///< fixed: binary digits
  bool holds_operand = false;
};

struct PageOperand {
  std::string name;    ///< slot
  std::string field;   ///< field of the encoding, or the register that is implied
  std::string access;  ///< read, written, read and written, immediate
  std::string kind;    ///< operand kind
  std::string format;  ///< data format
  std::string size;    ///< `32 bits`, `one bit a lane`
  std::string note;
};

/// A word that may follow an encoding: a literal, DPP, SDWA.
struct PageSuffix {
  std::string name, title, about;
  std::string selected_by;  ///< `SRC0 = 250`, or what a literal is chosen by
  unsigned bits = 0;
  std::vector<PageField> fields;
  std::string example;          ///< a line that assembles to it
  std::string example_why_not;  ///< why there is none
};

/// One way to encode the instruction.
struct PageEncoding {
  std::string name, title, about;
  unsigned bits = 0;
  unsigned opcode = 0;
  std::string identifier;              ///< hex: the encoding with all operand fields 0
  std::vector<PageField> fields;       ///< high to low
  std::vector<PageOperand> operands;   ///< in text order, then what is implied
  std::string example;                 ///< a line that assembles to this form
  std::string example_why_not;         ///< why there is none
  std::string address;                 ///< how the memory address is formed; empty for others
  std::vector<std::string> modifiers;  ///< what is done to operands and results: `neg(NEG) on f32 sources`
  std::vector<PageSuffix> suffixes;
};

/// The example, run: registers and memory before and after.
struct PageRun {
  std::string program;
  std::vector<std::pair<std::string, std::string>> before, after;  ///< place and value
  std::string why_not;                                             ///< why there is no run; then all else is empty
};

/// How another generation encodes the instruction.
struct PageElsewhere {
  std::string chip;  ///< title: RDNA 3.5
  bool exists = false, same = false;
  std::string mnemonic;  ///< when it has another name there
  std::vector<std::string> differences;
};

struct PagePtx {
  std::string name, relation, why;
};

struct Page {
  std::string mnemonic, chip, chip_title, family, category, summary, description;
  std::string official;                    ///< the vendor's sentence, where it was asked for
  std::vector<std::string> behaviour;      ///< sentences that follow from the tables
  std::vector<std::string> reads, writes;  ///< slots, SCC, EXEC, MODE, memory; never empty: `nothing`
  std::string counter;                     ///< the wait counters it raises, or that there is none
  PageRun run;
  std::vector<PageEncoding> encodings;                ///< the first is the one the instruction is known by
  std::vector<PageElsewhere> elsewhere;               ///< every other generation
  std::vector<std::pair<std::string, bool>> targets;  ///< every gfx target of ours: does it have the instruction
  std::vector<std::string> notes, open_points, related, aliases;
  std::string semantics, semantics_kind;  ///< the text that is executed; once a wave, for each lane, ...
  std::string fidelity, fidelity_why;
  std::vector<PagePtx> ptx;
  std::vector<std::string> sources;
};

/// The page of `mnemonic` on chip `chip` (index), or, when `chip` is negative, on the newest generation that has it.
/// Names of any generation are understood. The error names similar mnemonics, or the generations that do have it.
Result<Page> make_page(std::string_view mnemonic, int chip);
/// The pages of all instructions of that name: a generation may have several that their encodings tell apart.
Result<std::vector<Page>> make_pages(std::string_view mnemonic, int chip);

/// For a terminal or a pipe, `width` columns. `colour` adds escapes.
std::string render_text(const Page& page, unsigned width = 100, bool colour = false);
/// One JSON object, stable keys.
std::string render_json(const Page& page);
/// Likewise; the second page and those after it are its `variants`.
std::string render_json(const std::vector<Page>& pages);

/// Mnemonics similar to `name`, best first, at most `count`. Searches all generations, or one.
std::vector<std::string> similar_mnemonics(std::string_view name, int chip, unsigned count);

}  // namespace gfxisa
