// Code as text that assembles to the same bytes: labels, an instruction a line, and what is none, or what an assembler
// would write in another way, as `.long` with the reason.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/decode.h"
#include "text/disassemble.h"

namespace gfxisa {

/// A name for an offset.
struct CodeLabel {
  u64 offset = 0;
  std::string name;
  bool is_data = false;  ///< what follows, up to the next label, is no code
  u64 size = 0;          ///< bytes that belong to it when it is data
};

/// Code and what is known about it.
struct CodeRange {
  unsigned chip = 0;
  std::span<const u8> bytes;
  u64 address = 0;                ///< of the first byte, for the comments
  std::vector<CodeLabel> labels;  ///< sorted by offset
  bool is_data = false;           ///< none of it is code
  /// Text for a comment on the bytes [offset, offset + size), such as a relocation; may be empty.
  std::function<std::string(u64 offset, u64 size)> note;
};

/// A stretch between labels, all code or all data.
struct CodePart {
  u64 start, end;
  bool is_data;
};
std::vector<CodePart> parts_of(const CodeRange& range);

/// Takes pieces of text, whole lines each.
using TextSink = std::function<void(std::string_view)>;

void write_listing(const CodeRange& range, const TextOptions& options, const TextSink& sink);

/// What a decoded instruction's offset in words jumps to: its own address plus what this returns. False for
/// instructions without one.
bool branch_distance(const Instruction& instruction, i64& distance);

/// What about the encoding its text does not say, so that the text assembles to other bytes; empty when it assembles
/// to the same.
std::string not_canonical(const Instruction& instruction, std::string_view text, const TextOptions& options = {});

/// Why bytes are no instruction, with the operand that is at fault.
std::string describe_fault(const Decoded& decoded);

}  // namespace gfxisa
