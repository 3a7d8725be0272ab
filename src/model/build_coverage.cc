// Every bit of an encoding has exactly one owner on every chip.
#include <bitset>
#include <map>

#include "model/builder.h"

namespace gfxisa::model {

namespace {

std::string bit_text(u32 high, u32 low) {
  return high == low ? "bit " + std::to_string(high) : "bits " + std::to_string(high) + ':' + std::to_string(low);
}

std::string owner_text(const lang::BitLine& bits) {
  switch (bits.kind) {
    case lang::BitLine::Kind::constant:
      return "fixed bits";
    case lang::BitLine::Kind::reserved:
      return "reserved";
    case lang::BitLine::Kind::opcode:
      return "op";
    default:
      return bits.name.text;
  }
}

/// Problems by text, with the chips that have them: one message for all.
using Problems = std::map<std::pair<std::size_t, std::string>, ChipSet>;
constexpr std::size_t whole = 0;

/// A bit line with its chips resolved.
struct Line {
  const lang::BitLine* bits;
  ChipSet chips;
};

void find_overlaps(const std::vector<Line>& lines, u32 chip, Problems& problems) {
  for (std::size_t b = 0; b < lines.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      if ((lines[a].chips & lines[b].chips & (ChipSet{1} << chip)) == 0) continue;
      const u32 low = std::max(lines[a].bits->low, lines[b].bits->low);
      const u32 high = std::min(lines[a].bits->high, lines[b].bits->high);
      if (low > high) continue;
      const std::string text =
          owner_text(*lines[b].bits) + " overlaps " + owner_text(*lines[a].bits) + " in " + bit_text(high, low);
      problems[{b + 1, text}] |= ChipSet{1} << chip;
    }
  }
}

void find_gaps(const std::vector<Line>& lines, u32 bits, u32 chip, Problems& problems) {
  std::bitset<lang::most_encoding_bits> owned;
  for (const Line& line : lines) {
    if ((line.chips >> chip & 1) == 0) continue;
    for (u32 bit = line.bits->low; bit <= line.bits->high && bit < owned.size(); ++bit) owned.set(bit);
  }
  for (u32 high = bits; high-- > 0;) {
    if (owned[high]) continue;
    u32 low = high;
    while (low > 0 && !owned[low - 1]) --low;
    problems[{whole, bit_text(high, low) + (high == low ? " has" : " have") + " no owner"}] |= ChipSet{1} << chip;
    high = low;
  }
}

void find_twins(const std::vector<Line>& lines, u32 chip, Problems& problems) {
  for (std::size_t b = 0; b < lines.size(); ++b) {
    const lang::BitLine& second = *lines[b].bits;
    if (second.kind == lang::BitLine::Kind::constant || second.kind == lang::BitLine::Kind::reserved) continue;
    for (std::size_t a = 0; a < b; ++a) {
      const lang::BitLine& first = *lines[a].bits;
      if ((lines[a].chips & lines[b].chips & (ChipSet{1} << chip)) == 0) continue;
      const bool same = first.kind != lang::BitLine::Kind::constant && first.name.text == second.name.text;
      // An opcode may lie in two pieces.
      if (second.kind == lang::BitLine::Kind::opcode && first.constant != second.constant) continue;
      if (same && first.kind != lang::BitLine::Kind::reserved) {
        problems[{b + 1, "a second field '" + second.name.text + "'"}] |= ChipSet{1} << chip;
      }
    }
  }
}

}  // namespace

void Builder::check_coverage(const Encoding& encoding, const lang::Encoding& source) {
  std::vector<Line> lines;
  for (const lang::BitLine* bits : bit_lines_of(source, encoding.chips)) {
    if (bits->type.text == "joined") continue;  // its parts own the bits
    lines.push_back({bits, resolve(bits->on)});
  }
  Problems problems;
  for (u32 chip = 0; chip < isa_.chips.size(); ++chip) {
    if ((encoding.chips >> chip & 1) == 0) continue;
    find_overlaps(lines, chip, problems);
    find_gaps(lines, encoding.bits, chip, problems);
    find_twins(lines, chip, problems);
  }
  for (const auto& [problem, chips] : problems) {
    const Location at = problem.first == whole ? source.name.at : lines[problem.first - 1].bits->at;
    fail(at, encoding.name + " on " + chip_names(chips) + ": " + problem.second,
         problem.first == whole ? "bits that hold nothing are written: 17:16  reserved" : "");
  }
}

}  // namespace gfxisa::model
