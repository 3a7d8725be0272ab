#include "exec/statistics.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "codec/decode.h"
#include "exec/access.h"
#include "exec/program.h"
#include "exec/step_builder.h"

namespace gfxisa::exec {
namespace {

enum class Where { nowhere, memory, scalar_memory, data_share };

/// By the encoding: its name says what memory it reaches.
Where reached_by(std::string_view encoding) {
  const auto has = [&](std::string_view part) { return encoding.find(part) != std::string_view::npos; };
  if (encoding == "DS" || encoding == "VDS") return Where::data_share;
  if (has("SMEM")) return Where::scalar_memory;
  const bool is_vector = has("FLAT") || has("GLOBAL") || has("SCRATCH") || has("BUF");
  return is_vector ? Where::memory : Where::nowhere;
}

/// 32 lanes are served together: the bank with the most different words decides how long it takes.
u32 extra_cycles(const Wave& wave, const Step& step, unsigned half, u32 offset) {
  std::array<std::array<u32, 32>, 32> words;
  std::array<u32, 32> used{};
  const u64 exec = wave.exec() >> (half * 32);
  for (u32 lane = 0; lane < 32; ++lane) {
    if ((exec >> lane & 1) == 0) continue;
    const u32 word = (read_lane(wave, &step, 0, half * 32 + lane, 0) + offset) / 4, bank = word % 32;
    const auto end = words[bank].begin() + used[bank];
    if (std::find(words[bank].begin(), end, word) == end) words[bank][used[bank]++] = word;
  }
  const u32 most = *std::max_element(used.begin(), used.end());
  return most > 1 ? most - 1 : 0;
}

/// The first input of an instruction of the data share is its address, but for those without one.
bool has_address(const InstructionRow& row) {
  const Tables& all = tables();
  for (unsigned s = 0; s < row.slot_count; ++s) {
    const SlotRow& slot = all.slots[row.first_slot + s];
    if (slot.is_named || slot.access == Access::imm || slot.access == Access::out) continue;
    return all.text(slot.name) == "addr";
  }
  return false;
}

void add_access(MemoryCount& count, std::string_view name, u64 executed, u64 bytes) {
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  const bool is_load = has("_load") || has("_read"), is_store = has("_store") || has("_write");
  if (is_load) count.loads += executed, count.loaded_bytes += bytes;
  if (is_store) count.stores += executed, count.stored_bytes += bytes;
  if (!is_load && !is_store && bytes != 0) count.atomics += executed, count.atomic_bytes += bytes;
}

std::vector<NamedCount> sorted(const std::map<std::string_view, u64>& counts) {
  std::vector<NamedCount> result;
  for (const auto& [name, count] : counts) result.push_back({name, count});
  std::stable_sort(result.begin(), result.end(),
                   [](const NamedCount& a, const NamedCount& b) { return a.count > b.count; });
  return result;
}

}  // namespace

void Statistics::start(const Program& program) {
  program_ = &program;
  counters_.resize(program.code().size() / 4 + 1);
}

void Statistics::before(const Wave& wave, const Step& step) {
  Counter& counter = counters_[step.code_offset / 4];
  const u64 exec = wave.exec();
  ++counter.executed;
  counter.lanes += wave.wave_size();
  counter.lanes_on += static_cast<u64>(std::popcount(exec));
  counter.all += exec == wave.all_lanes();
  counter.none += exec == 0;
  if (step.semantics == no_semantics || step.input_count == 0) return;
  const FormRow& form = tables().forms[step.form];
  if (reached_by(tables().text(tables().encodings[form.encoding].name)) != Where::data_share) return;
  if (!has_address(tables().instructions[form.instruction])) return;
  for (unsigned half = 0; half < wave.wave_size() / 32; ++half)
    counter.conflicts += extra_cycles(wave, step, half, static_cast<u32>(immediate(&step, 0)));
}

StatisticsReport Statistics::report() const {
  StatisticsReport report;
  if (program_ == nullptr) return report;
  std::map<std::string_view, u64> mnemonics, categories;
  for (std::size_t word = 0; word < counters_.size(); ++word) {
    const Counter& counter = counters_[word];
    if (counter.executed == 0 || word * 4 >= program_->code().size()) continue;
    const Decoded decoded = decode(program_->chip(), program_->code().subspan(word * 4), program_->wave_size());
    if (!decoded) continue;
    const InstructionRow& row = decoded.instruction.row();
    const std::string_view name = tables().text(row.name);
    report.instructions += counter.executed;
    mnemonics[tables().text(decoded.instruction.form_row().mnemonic)] += counter.executed;
    categories[tables().text(row.topic)] += counter.executed;
    report.bank_conflicts += counter.conflicts;
    const Where where = reached_by(tables().text(decoded.instruction.encoding().name));
    const u64 bytes = access_bytes(name);
    if (where == Where::scalar_memory)
      add_access(report.scalar_memory, name, counter.executed, counter.executed * bytes);
    if (where == Where::memory) add_access(report.memory, name, counter.executed, counter.lanes_on * bytes);
    if (where == Where::data_share) add_access(report.data_share, name, counter.executed, counter.lanes_on * bytes);
    if (!name.starts_with("v_") && where != Where::memory && where != Where::data_share) continue;
    report.vector_instructions += counter.executed;
    report.lanes += counter.lanes;
    report.lanes_on += counter.lanes_on;
    report.all_lanes += counter.all;
    report.no_lanes += counter.none;
    report.some_lanes += counter.executed - counter.all - counter.none;
  }
  report.mnemonics = sorted(mnemonics);
  report.categories = sorted(categories);
  return report;
}

}  // namespace gfxisa::exec
