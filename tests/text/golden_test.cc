// What llvm-mc says about scalar instruction words (scripts/make_golden.py) is what we say.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <vector>

#include "codec/decode.h"
#include "codec/encode.h"
#include "text/assemble.h"
#include "text/disassemble.h"

namespace gfxisa {
namespace {

// In the order of the file's bits.
constexpr const char* chips[] = {"cdna1", "cdna2", "cdna3", "cdna4",   "cdna5",
                                 "rdna1", "rdna2", "rdna3", "rdna3.5", "rdna4"};

struct Row {
  unsigned chips = 0;
  char kind = ' ';
  std::vector<u8> bytes;
  std::string hex, text;
};

Row parse_row(const std::string& line) {
  Row row;
  std::istringstream in(line);
  in >> std::hex >> row.chips >> row.kind >> row.hex;
  for (std::size_t i = 0; i + 1 < row.hex.size(); i += 2) {
    row.bytes.push_back(static_cast<u8>(std::stoul(row.hex.substr(i, 2), nullptr, 16)));
  }
  std::getline(in >> std::ws, row.text);
  return row;
}

const std::vector<Row>& rows() {
  static const std::vector<Row> all = [] {
    std::vector<Row> result;
    std::ifstream file(GFXISA_SOURCE_DIR "/tests/golden/scalar.txt");
    for (std::string line; std::getline(file, line);) result.push_back(parse_row(line));
    return result;
  }();
  return all;
}

std::string hex_of(const Instruction& instruction) {
  u8 bytes[max_words * 4] = {};
  append_bytes(instruction, bytes);
  std::string hex;
  for (unsigned i = 0; i < instruction.size; ++i) {
    constexpr char digits[] = "0123456789abcdef";
    hex += digits[bytes[i] >> 4];
    hex += digits[bytes[i] & 15];
  }
  return hex;
}

class Golden : public testing::TestWithParam<unsigned> {
 protected:
  unsigned chip() const { return static_cast<unsigned>(find_chip(chips[GetParam()])); }
  bool has(const Row& row) const { return (row.chips >> GetParam() & 1) != 0; }
};

TEST_P(Golden, Disassemble) {
  ASSERT_GT(rows().size(), 1000u);
  unsigned count = 0;
  for (const Row& row : rows()) {
    if (!has(row)) continue;
    ++count;
    const Decoded decoded = decode(chip(), row.bytes);
    const bool is_valid = decoded && decoded.instruction.size == row.bytes.size();
    if (row.kind == 'x')
      EXPECT_FALSE(is_valid) << row.hex << ' ' << to_text(decoded.instruction);
    else if (!is_valid)
      ADD_FAILURE() << row.hex << " is not invalid: " << row.text;
    else
      EXPECT_EQ(to_text(decoded.instruction), row.text) << row.hex;
  }
  EXPECT_GT(count, 1000u);
}

TEST_P(Golden, Assemble) {
  for (const Row& row : rows()) {
    if (!has(row) || row.kind != '=') continue;
    const auto instruction = assemble_line(chip(), row.text);
    if (!instruction)
      ADD_FAILURE() << row.text << ": " << instruction.error().message;
    else
      EXPECT_EQ(hex_of(*instruction), row.hex) << row.text;
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, Golden, testing::Range(0u, 10u), [](const testing::TestParamInfo<unsigned>& info) {
  std::string name = chips[info.param];
  std::erase(name, '.');
  return name;
});

}  // namespace
}  // namespace gfxisa
