// Launching a kernel of a code object: the bridge from files and arguments to a dispatch.
#pragma once
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "elf/code_object.h"
#include "elf/kernarg.h"
#include "exec/dispatch.h"
#include "exec/program.h"

namespace gfxisa::exec {

/// Memory of the host that a kernel may use beside its code object's own.
struct GuestRange {
  const void* start = nullptr;
  u64 bytes = 0;
  bool is_writable = true;
};

struct LaunchOptions {
  unsigned threads = 0;            ///< 0: all cores
  u64 max_instructions = ~u64{0};  ///< of one wave
  std::vector<Observer*> observers;
};

/// What of a launch is not in the kernel: as an AQL packet says it.
struct LaunchNeeds {
  LaunchSize size;
  u64 lds_bytes = 0;      ///< static and dynamic
  u32 scratch_bytes = 0;  ///< of one lane
  u64 kernarg_address = 0;
};

/// A code object decoded for execution. Keeps a program for each executable segment and wave size asked for.
class LoadedCode {
 public:
  /// `object` must outlive this.
  explicit LoadedCode(const CodeObject& object) : object_(object) {}

  /// What dispatch() wants for a kernel, except for memory and what has defaults; the program is decoded when it is
  /// needed for the first time. Several threads may call this.
  Result<LaunchConfig> configure(const gfxisa::Kernel& kernel, const LaunchNeeds& needs);

  /// Runs a kernel. An error when the launch itself is wrong; what happens on the device is in the report.
  Result<LaunchReport> launch(const gfxisa::Kernel& kernel, const LaunchSize& size,
                              std::span<const std::vector<u8>> arguments, std::span<const GuestRange> memory,
                              const LaunchOptions& options = {});

 private:
  Result<const Program*> program_for(const gfxisa::Kernel& kernel, unsigned wave_size);

  struct Entry {
    u64 segment_offset;
    unsigned wave_size;
    std::unique_ptr<Program> program;
  };
  const CodeObject& object_;
  std::mutex lock_;
  std::vector<Entry> programs_;
};

/// A fault in words: what, where in the code, the instruction, the lane and the address.
std::string describe_fault(const LaunchReport& report, const CodeObject& object, const gfxisa::Kernel& kernel);

}  // namespace gfxisa::exec
