// Programs whose results other tools got wrong (reports.txt), run as `gfxisa exec` does.
#include <fmt/ranges.h>

#include "../float_bits.h"
#include "../report_rows.h"
#include "program_text.h"

namespace gfxisa {
namespace {

/// What kernels have that ask for nothing else: f32 denormals are flushed, those of f16 and f64 kept; rounding to
/// nearest; DX10_CLAMP; IEEE.
constexpr const char* usual_mode = "mode=0x3c0";

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

/// `v0=1.0f`, `v0=1,2`, `v0=1..3,7`: a register, or words, and values.
struct Assignment {
  std::string place;
  std::vector<std::string> values;

  explicit Assignment(const std::string& text) : place(text.substr(0, text.find('='))) {
    EXPECT_LT(place.size() + 1, text.size()) << text;
    for (const std::string& value : split(text.substr(place.size() + 1), ',')) {
      const std::size_t dots = value.find("..");
      if (dots == std::string::npos)
        values.push_back(value);
      else
        for (int i = std::stoi(value); i <= std::stoi(value.substr(dots + 2)); ++i) values.push_back(std::to_string(i));
    }
  }
  std::string text() const { return fmt::format("{}={}", place, fmt::join(values, ",")); }
};

/// One value is that of all lanes, several are those of the first ones; `nan` is any NaN.
void check(const exec::Snippet& snippet, const Assignment& wanted) {
  const auto image = snippet.read(wanted.place);
  ASSERT_TRUE(image) << image.error().message;
  ASSERT_LE(image->words, 2u) << wanted.place << " is too wide";
  ASSERT_LE(wanted.values.size(), image->lanes()) << wanted.text();
  const bool is_same = wanted.values.size() == 1;
  const u32 width = 32 * image->words;
  for (u32 lane = 0; lane < (is_same ? image->lanes() : wanted.values.size()); ++lane) {
    const std::string& value = wanted.values[is_same ? 0 : lane];
    const u64 actual = image->low64(lane);
    const auto bits = exec::parse_register_value(value == "nan" ? "0" : value, width);
    ASSERT_TRUE(bits) << bits.error().message;
    if (value == "nan" ? is_nan(actual, width) : actual == *bits) continue;
    FAIL() << fmt::format("{} lane {}: 0x{:x}, expected {}", wanted.place, lane, actual, value);
  }
}

/// PROGRAM | SETTINGS => EXPECTATIONS
void run_row(const ReportRow& row) {
  const std::size_t bar = row.input.find(" | ");
  const auto snippet =
      make_snippet(tables().text(tables().chips[row.chip].name), row.input.substr(0, bar), row.wave_size);
  set(*snippet, usual_mode);
  if (bar != std::string::npos)
    for (const std::string& setting : split(row.input.substr(bar + 3), ' ')) set(*snippet, Assignment(setting).text());
  const exec::Fault fault = snippet->run();
  ASSERT_FALSE(fault) << snippet->describe(fault);
  for (const std::string& expectation : split(row.expected, ' ')) check(*snippet, Assignment(expectation));
}

TEST(ReportedPrograms, EachRow) {
  const auto rows = read_reports("exec/reports.txt");
  for (const ReportRow& row : rows) {
    SCOPED_TRACE(row.place + ": " + row.input);
    ASSERT_EQ(row.kind, "run");
    ASSERT_FALSE(row.expected.empty());
    run_row(row);
  }
  EXPECT_GT(rows.size(), 1000u);
}

}  // namespace
}  // namespace gfxisa
