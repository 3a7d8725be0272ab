// What llvm-mc says about instruction words (scripts/make_golden.py) is what we say.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <vector>

#include "../hex.h"
#include "codec/decode.h"
#include "text/assemble.h"
#include "text/disassemble.h"

namespace gfxisa {
namespace {

constexpr const char* chips[] = {"cdna1", "cdna2", "cdna3", "cdna4",   "cdna5",
                                 "rdna1", "rdna2", "rdna3", "rdna3.5", "rdna4"};

/// scripts/make_golden.py says what the kinds mean.
struct Row {
  char kind = ' ';
  TextOptions options;
  std::vector<u8> bytes;
  std::string hex, text;
};

Row parse_row(const std::string& line) {
  Row row;
  std::istringstream in(line);
  std::string kind;
  in >> kind >> row.hex;
  row.kind = kind.back();
  if (kind.size() > 1) row.options.wave_size = 64;
  row.bytes = bytes_of(row.hex);
  std::getline(in >> std::ws, row.text);
  return row;
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
    const Decoded decoded = decode(chip(), row.bytes, row.options.wave_size);
    const bool is_valid = decoded && decoded.instruction.size == row.bytes.size();
    const std::string text = is_valid ? to_text(decoded.instruction, row.options) : "<invalid>";
    if (row.kind == '!') {
      // Whatever it is, its text stands for the same bytes.
      if (!is_valid) continue;
      const auto again = assemble_line(chip(), text, row.options);
      EXPECT_EQ(again ? hex_of(*again) : again.error().message, row.hex) << text;
    } else {
      EXPECT_EQ(text, row.kind == 'x' ? "<invalid>" : row.text) << row.hex;
    }
  }
}

TEST_P(Golden, Assemble) {
  for (const Row& row : rows_) {
    if (row.kind != '=') continue;
    const auto instruction = assemble_line(chip(), row.text, row.options);
    EXPECT_EQ(instruction ? hex_of(*instruction) : instruction.error().message, row.hex) << row.text;
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, Golden, testing::ValuesIn(chips), [](const testing::TestParamInfo<const char*>& info) {
  std::string name = info.param;
  std::erase(name, '.');
  return name;
});

}  // namespace
}  // namespace gfxisa
