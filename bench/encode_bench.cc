// How fast lines become instructions, and instructions lines, in the library: the golden file of a generation, line by
// line.
#include <benchmark/benchmark.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "text/assemble.h"

namespace gfxisa {
namespace {

std::vector<std::string> lines_of(const std::string& chip) {
  std::ifstream file(std::string(GFXISA_GOLDEN) + "/" + chip + ".txt");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    std::istringstream in(line);
    std::string kind, bytes, text;
    in >> kind >> bytes;
    std::getline(in >> std::ws, text);
    if (kind == "=") lines.push_back(text);
  }
  return lines;
}

void assemble_golden(benchmark::State& state, const std::string& chip) {
  const std::vector<std::string> lines = lines_of(chip);
  const unsigned number = static_cast<unsigned>(find_chip(chip));
  for (auto _ : state) {
    for (const std::string& line : lines) benchmark::DoNotOptimize(assemble_line(number, line));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<i64>(lines.size()));
}
BENCHMARK_CAPTURE(assemble_golden, rdna3, "rdna3");
BENCHMARK_CAPTURE(assemble_golden, cdna3, "cdna3");

void format_golden(benchmark::State& state, const std::string& chip) {
  std::vector<Instruction> instructions;
  for (const std::string& line : lines_of(chip)) {
    const Result<Instruction> instruction = assemble_line(static_cast<unsigned>(find_chip(chip)), line);
    if (instruction) instructions.push_back(*instruction);
  }
  std::string out;
  for (auto _ : state) {
    out.clear();
    for (const Instruction& instruction : instructions) append_text(out, instruction);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<i64>(instructions.size()));
}
BENCHMARK_CAPTURE(format_golden, rdna3, "rdna3");
BENCHMARK_CAPTURE(format_golden, cdna3, "cdna3");

}  // namespace
}  // namespace gfxisa

BENCHMARK_MAIN();
