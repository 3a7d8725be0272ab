// Instructions that other tools got wrong (reports.txt).
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <vector>

#include "codec/decode.h"
#include "hex.h"
#include "text/assemble.h"
#include "text/disassemble.h"

namespace gfxisa {
namespace {

/// The text of the bytes, or `<invalid>`.
std::string read(unsigned chip, const std::string& hex) {
  const std::vector<u8> bytes = bytes_of(hex);
  const Decoded decoded = decode(chip, bytes);
  return decoded && decoded.instruction.size == bytes.size() ? to_text(decoded.instruction) : "<invalid>";
}

void check_row(const std::string& kind, unsigned chip, const std::string& input, const std::string& expected) {
  if (kind == "dis") {
    EXPECT_EQ(read(chip, input), expected) << input;
  } else if (kind == "no-dis") {
    EXPECT_EQ(read(chip, input), "<invalid>") << input;
  } else {
    const auto instruction = assemble_line(chip, input);
    if (kind == "asm") {
      EXPECT_EQ(instruction ? hex_of(*instruction) : instruction.error().message, hex_of(bytes_of(expected))) << input;
    } else if (instruction) {
      ADD_FAILURE() << input << " is taken: " << hex_of(*instruction);
    } else {
      const std::string text = instruction.error().message + "; " + instruction.error().hint;
      EXPECT_NE(text.find(expected), std::string::npos) << input << ": " << text;
    }
  }
}

TEST(Reports, EachRow) {
  std::ifstream file(GFXISA_SOURCE_DIR "/tests/text/reports.txt");
  int rows = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream in(line);
    std::string kind, target, rest, expected;
    in >> kind >> target;
    std::getline(in >> std::ws, rest);
    if (const auto arrow = rest.find(" => "); arrow != std::string::npos) {
      expected = rest.substr(arrow + 4);
      rest.resize(arrow);
    }
    const int chip = find_chip(target);
    ASSERT_GE(chip, 0) << line;
    check_row(kind, static_cast<unsigned>(chip), rest, expected);
    ++rows;
  }
  EXPECT_GT(rows, 30);
}

}  // namespace
}  // namespace gfxisa
