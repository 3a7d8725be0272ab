#include "exec/fidelity.h"

#include <fmt/format.h>

#include <atomic>
#include <map>
#include <memory>
#include <string_view>

#include "exec/descriptor_check.h"
#include "inst/tables.h"

namespace gfxisa::exec {
namespace {

/// One flag an instruction, set by whichever wave is first.
struct Seen {
  std::size_t count = tables().instructions.size();
  std::unique_ptr<std::atomic<bool>[]> flags { new std::atomic<bool>[ count ]() };
};

/// Never destroyed: it is asked while the process exits.
Seen& seen() {
  static Seen* const all = new Seen;
  return *all;
}

}  // namespace

const Step* note_approximate(Wave& wave, const Step* step) {
  std::atomic<bool>& flag = seen().flags[static_cast<std::size_t>(step->immediates[0])];
  if (!flag.load(std::memory_order_relaxed)) flag.store(true, std::memory_order_relaxed);
  return step[1].run(wave, step + 1);  // called from here, so that it is not counted as an instruction
}

std::vector<u32> approximate_instructions() {
  std::vector<u32> out;
  for (u32 i = 0; i < seen().count; ++i) {
    if (seen().flags[i].load(std::memory_order_relaxed)) out.push_back(i);
  }
  return out;
}

namespace {

std::string fidelity_text() {
  std::map<std::string_view, std::vector<std::string_view>> by_reason;
  for (const u32 i : approximate_instructions()) {
    const InstructionRow& row = tables().instructions[i];
    by_reason[tables().text(row.fidelity_why)].push_back(tables().text(row.name));
  }
  if (by_reason.empty()) return {};
  std::vector<std::string> parts;
  for (const auto& [reason, names] : by_reason) parts.push_back(fmt::format("{} ({})", fmt::join(names, " "), reason));
  return fmt::format("not exact: {}", fmt::join(parts, "; "));
}

}  // namespace

std::vector<std::string> run_notes() {
  std::vector<std::string> notes{fidelity_text(), descriptor_text()};
  std::erase_if(notes, [](const std::string& note) { return note.empty(); });
  return notes;
}

}  // namespace gfxisa::exec
