// Rows of files that hold what public bug reports are about (text/reports.txt, exec/reports.txt):
//     KIND TARGETS INPUT => EXPECTED
// TARGETS are targets, generations of encodings (gfx10), those and later ones (gfx10+) or all, with commas between;
// /64 asks for waves of 64 lanes. Each target gives a row of its own. Lines that begin with # are comments.
#pragma once
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "inst/instruction.h"
#include "inst/tables.h"
#include "text/disassemble.h"

namespace gfxisa {

struct ReportRow {
  std::string place;  ///< file:line: target
  std::string kind, input, expected;
  unsigned chip = 0;
  unsigned wave_size = 32;
};

/// The chips that a name stands for; empty when it is none.
inline std::vector<unsigned> chips_named(std::string_view name) {
  if (const int chip = find_chip(name); chip >= 0) return {static_cast<unsigned>(chip)};
  const auto generation = [](std::string_view epoch) { return std::atoi(std::string(epoch.substr(3)).c_str()); };
  const bool is_open = name.ends_with('+');
  if (is_open) name.remove_suffix(1);
  std::vector<unsigned> chips;
  for (unsigned chip = 0; chip < tables().chips.size(); ++chip) {
    const std::string_view epoch = tables().text(tables().chips[chip].epoch);
    const bool is_later = is_open && name.starts_with("gfx") && generation(epoch) > generation(name);
    if (name == "all" || name == epoch || is_later) chips.push_back(chip);
  }
  return chips;
}

inline void add_rows(std::vector<ReportRow>& rows, const std::string& place, const std::string& line) {
  std::istringstream in(line);
  ReportRow row;
  std::string targets;
  in >> row.kind >> targets;
  std::getline(in >> std::ws, row.input);
  if (const auto arrow = row.input.find(" => "); arrow != std::string::npos) {
    row.expected = row.input.substr(arrow + 4);
    row.input.resize(arrow);
  }
  std::istringstream list(targets);
  for (std::string name; std::getline(list, name, ',');) {
    row.place = place + ": " + name;
    const bool is_wide = name.ends_with("/64");
    const auto chips = chips_named(is_wide ? name.substr(0, name.size() - 3) : name);
    EXPECT_FALSE(chips.empty()) << row.place;
    for (const unsigned chip : chips) {
      row.chip = chip;
      row.wave_size = wave_size_of(chip, {is_wide ? 64u : 0u});
      rows.push_back(row);
      rows.back().place += chips.size() > 1 ? " " + std::string(tables().text(tables().chips[chip].name)) : "";
    }
  }
}

/// The rows of a file below tests/.
inline std::vector<ReportRow> read_reports(const std::string& name) {
  std::ifstream file(GFXISA_SOURCE_DIR "/tests/" + name);
  std::vector<ReportRow> rows;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (!line.empty() && line[0] != '#') add_rows(rows, name + ":" + std::to_string(number), line);
  }
  return rows;
}

}  // namespace gfxisa
