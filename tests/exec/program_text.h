// Short programs for tests of the engine: assembled by the project's own assembler.
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../hex.h"
#include "codec/encode.h"
#include "exec/snippet.h"
#include "text/assemble.h"

namespace gfxisa {

/// Code of instructions separated by `;`, or as bytes in memory order: `hex 01 39 00 7f`. Fails the test on what does not assemble.
inline std::vector<u8> assemble_program(std::string_view arch, std::string_view text, unsigned wave_size = 32) {
  const int chip = find_chip(arch);
  EXPECT_GE(chip, 0) << arch;
  std::vector<u8> code;
  for (std::size_t start = 0; chip >= 0 && start < text.size();) {
    const std::size_t end = std::min(text.find(';', start), text.size());
    std::string line(text.substr(start, end - start));
    start = end + 1;
    line.erase(0, line.find_first_not_of(' '));
    if (line.starts_with("hex ")) {
      const std::vector<u8> bytes = bytes_of(line.substr(4));
      code.insert(code.end(), bytes.begin(), bytes.end());
      continue;
    }
    TextOptions options;
    options.wave_size = wave_size;
    const auto instruction = assemble_line(static_cast<unsigned>(chip), line, options);
    EXPECT_TRUE(instruction) << line << ": " << (instruction ? "" : instruction.error().message);
    if (!instruction) return {};
    code.resize(code.size() + instruction->size);
    append_bytes(*instruction, code.data() + code.size() - instruction->size);
  }
  return code;
}

/// A snippet of that program, ready to set registers and run.
inline std::unique_ptr<exec::Snippet> make_snippet(std::string_view arch, std::string_view text, unsigned wave_size = 32) {
  exec::SnippetOptions options;
  options.chip = static_cast<unsigned>(std::max(0, find_chip(arch)));
  options.wave_size = wave_size;
  options.max_instructions = 100000;
  return std::make_unique<exec::Snippet>(options, assemble_program(arch, text, wave_size));
}

inline void set(exec::Snippet& snippet, std::string_view assignment) {
  const auto done = snippet.set(assignment);
  EXPECT_TRUE(done) << assignment << ": " << (done ? "" : done.error().message);
}

/// Word 0 of a register's lane.
inline u32 lane_of(const exec::Snippet& snippet, std::string_view reg, u32 lane = 0) {
  const auto image = snippet.read(reg);
  EXPECT_TRUE(image) << reg;
  return image ? image->values[lane * image->words] : 0;
}

inline std::string text_of(const exec::Snippet& snippet, std::string_view reg) {
  const auto image = snippet.read(reg);
  return image ? exec::register_line(reg, *image) : image.error().message;
}

}  // namespace gfxisa
