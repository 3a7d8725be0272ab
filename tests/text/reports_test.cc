// Instructions that other tools got wrong (reports.txt).
#include <vector>

#include "../hex.h"
#include "../report_rows.h"
#include "codec/decode.h"
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

void check_row(const ReportRow& row) {
  if (row.kind == "dis") {
    EXPECT_EQ(read(row.chip, row.input), row.expected);
  } else if (row.kind == "no-dis") {
    EXPECT_EQ(read(row.chip, row.input), "<invalid>");
  } else {
    const auto instruction = assemble_line(row.chip, row.input);
    if (row.kind == "asm") {
      EXPECT_EQ(instruction ? hex_of(*instruction) : instruction.error().message, hex_of(bytes_of(row.expected)));
    } else if (instruction) {
      ADD_FAILURE() << "is taken: " << hex_of(*instruction);
    } else {
      const std::string text = instruction.error().message + "; " + instruction.error().hint;
      EXPECT_NE(text.find(row.expected), std::string::npos) << text;
    }
  }
}

TEST(Reports, EachRow) {
  const auto rows = read_reports("text/reports.txt");
  for (const ReportRow& row : rows) {
    SCOPED_TRACE(row.place);
    check_row(row);
  }
  EXPECT_GT(rows.size(), 30u);
}

}  // namespace
}  // namespace gfxisa
