// What a dispatch executed: instructions by mnemonic and category, memory, conflicts in the data share, lanes on.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "exec/observer.h"

namespace gfxisa::exec {

/// Operations on one kind of memory.
struct MemoryCount {
  u64 loads = 0, stores = 0, atomics = 0;                    ///< wave instructions
  u64 loaded_bytes = 0, stored_bytes = 0, atomic_bytes = 0;  ///< of all lanes together
};

struct NamedCount {
  std::string_view name;
  u64 count = 0;
};

struct StatisticsReport {
  u64 instructions = 0;
  std::vector<NamedCount> mnemonics, categories;  ///< most frequent first, then by name
  /// Instructions that work on lanes, by how many of these were on.
  u64 vector_instructions = 0, all_lanes = 0, some_lanes = 0, no_lanes = 0;
  u64 lanes_on = 0, lanes = 0;  ///< of the vector instructions together
  MemoryCount memory, scalar_memory, data_share;
  /// Cycles beyond the first in which lanes of one access wait for a bank: 32 banks of four bytes, 32 lanes at a time.
  u64 bank_conflicts = 0;
};

class Statistics : public Observer {
 public:
  void start(const Program& program) override;
  void before(const Wave& wave, const Step& step) override;
  void after(const Wave&, const Step&) override {}

  StatisticsReport report() const;

 private:
  struct Counter {
    u64 executed = 0, lanes_on = 0, lanes = 0, all = 0, none = 0, conflicts = 0;
  };
  const Program* program_ = nullptr;
  std::vector<Counter> counters_;  ///< by word of the code
};

}  // namespace gfxisa::exec
