// Running a grid: workgroups on all cores, registers set up as the hardware does, faults as values.
#pragma once
#include <array>
#include <atomic>
#include <string>
#include <vector>

#include "base/result.h"
#include "elf/code_object.h"
#include "elf/kernarg.h"
#include "machine/memory_map.h"
#include "machine/wave.h"

namespace gfxisa::exec {

class GlobalSync;
class Program;
class Surroundings;
class Observer;

/// How a kernel wants its registers, whatever the file said it in.
struct LaunchConfig {
  unsigned chip = 0;
  unsigned wave_size = 32;
  const Program* program = nullptr;
  u64 entry_offset = 0;  ///< from the program's start
  LaunchSize size;
  u64 kernarg_address = 0;
  u32 lds_bytes = 0;      ///< static and dynamic
  u32 scratch_bytes = 0;  ///< one lane
  u32 mode = 0;
  KernelDescriptor descriptor;     ///< which registers to set up
  u64 dispatch_address = 0;        ///< AQL packet, for those that ask
  u64 queue_address = 0;           ///< of the AQL queue
  u64 dispatch_id = 0;             ///< number of the packet in its queue
  unsigned threads = 0;            ///< 0: all cores
  u64 max_instructions = ~u64{0};  ///< of one wave
  const Surroundings* surroundings = nullptr;
  const std::atomic<bool>* is_cancelled = nullptr;  ///< set by others to have the dispatch end early
  bool is_cooperative = false;                      ///< workgroups wait for each other: all are resident at once
  GlobalSync* sync = nullptr;                       ///< its global wave sync; nullptr: one of its own
  std::vector<Observer*> observers;                 ///< if there are any, the dispatch has one thread
  bool stops_at_fault = false;                      ///< the first fault ends the dispatch, not only its workgroup
};

/// What a run was.
struct LaunchReport {
  u64 waves = 0;
  u64 instructions = 0;  ///< wave instructions executed
  double seconds = 0;
  u64 faults = 0;     ///< workgroups that stopped at a fault
  Fault first_fault;  ///< of the workgroup with the lowest number among those seen
  std::array<u32, 3> fault_workgroup{};
  u32 fault_wave = 0;
  std::string note;  ///< what is odd about the kernel; empty: nothing
};

/// Runs all workgroups and comes back when they have ended. A workgroup with a fault stops; the others run on.
LaunchReport dispatch(const LaunchConfig& config, MemoryMap memory);

/// MODE as a kernel descriptor asks for it.
u32 initial_mode(const KernelDescriptor& descriptor, unsigned chip);

}  // namespace gfxisa::exec
