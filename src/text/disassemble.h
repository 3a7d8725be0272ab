// Instructions to LLVM-style text.
#pragma once
#include <cstring>
#include <string>
#include <string_view>

#include "inst/instruction.h"

namespace gfxisa {

struct TextOptions {
  unsigned wave_size = 0;  ///< 32 or 64; 0: the chip's default (32 where it has it)
};

/// Lanes of a wave, by the options or else by what the chip has.
unsigned wave_size_of(unsigned chip, const TextOptions& options);

/// Appends the text of `instruction` to `out`: `s_bfe_u32 s0, s1, s2`.
void append_text(std::string& out, const Instruction& instruction, const TextOptions& options = {});
std::string to_text(const Instruction& instruction, const TextOptions& options = {});

/// What the text of an instruction depends on besides the options, as the key of a memo.
class InstructionKey {
 public:
  explicit InstructionKey(const Instruction& instruction) : size_(sizeof instruction.form + instruction.size) {
    std::memcpy(key_, &instruction.form, sizeof instruction.form);
    std::memcpy(key_ + sizeof instruction.form, instruction.words.data(), sizeof instruction.words);
  }
  std::string_view view() const { return {key_, size_}; }

 private:
  char key_[sizeof(u32) * (1 + max_words)];
  std::size_t size_;
};

}  // namespace gfxisa
