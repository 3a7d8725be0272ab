// What llvm-mc says about instruction words (scripts/make_golden.py) is what we say.
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

constexpr const char* chips[] = {"cdna1", "cdna2", "cdna3", "cdna4",   "cdna5",
                                 "rdna1", "rdna2", "rdna3", "rdna3.5", "rdna4"};

struct Row {
  char kind = ' ';
  std::vector<u8> bytes;
  std::string hex, text;
};

Row parse_row(const std::string& line) {
  Row row;
  std::istringstream in(line);
  in >> row.kind >> row.hex;
  for (std::size_t i = 0; i + 1 < row.hex.size(); i += 2) {
    row.bytes.push_back(static_cast<u8>(std::stoul(row.hex.substr(i, 2), nullptr, 16)));
  }
  std::getline(in >> std::ws, row.text);
  return row;
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

class Golden : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    std::ifstream file(GFXISA_SOURCE_DIR "/tests/golden/" + std::string(GetParam()) + ".txt");
    for (std::string line; std::getline(file, line);) rows_.push_back(parse_row(line));
    ASSERT_GT(rows_.size(), 1000u);
  }
  unsigned chip() const { return static_cast<unsigned>(find_chip(GetParam())); }

  std::vector<Row> rows_;
};

TEST_P(Golden, Disassemble) {
  for (const Row& row : rows_) {
    const Decoded decoded = decode(chip(), row.bytes);
    const bool is_valid = decoded && decoded.instruction.size == row.bytes.size();
    if (row.kind == 'x')
      EXPECT_FALSE(is_valid) << row.hex << ' ' << to_text(decoded.instruction);
    else if (!is_valid)
      ADD_FAILURE() << row.hex << " is not invalid: " << row.text;
    else
      EXPECT_EQ(to_text(decoded.instruction), row.text) << row.hex;
  }
}

TEST_P(Golden, Assemble) {
  for (const Row& row : rows_) {
    if (row.kind != '=') continue;
    const auto instruction = assemble_line(chip(), row.text);
    if (!instruction)
      ADD_FAILURE() << row.text << ": " << instruction.error().message;
    else
      EXPECT_EQ(hex_of(*instruction), row.hex) << row.text;
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, Golden, testing::ValuesIn(chips), [](const testing::TestParamInfo<const char*>& info) {
  std::string name = info.param;
  std::erase(name, '.');
  return name;
});

}  // namespace
}  // namespace gfxisa
