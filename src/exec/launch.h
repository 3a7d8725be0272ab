// Launching a kernel of a code object: the bridge from files and arguments to a dispatch.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
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

/// A code object decoded for execution. Keeps a program for each executable segment and wave size asked for, and one
/// for each kernel that names more vector registers than its descriptor gives it.
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
  /// What kernels were found to run in: by where they begin and their wave size.
  using Key = std::pair<u64, unsigned>;

  Result<const Program*> program_for(const gfxisa::Kernel& kernel, unsigned wave_size);
  const Program& program_of(const Segment& segment, const gfxisa::Kernel& kernel, unsigned wave_size);

  const CodeObject& object_;
  std::mutex lock_;
  std::map<Key, std::unique_ptr<Program>> of_segments_, of_kernels_;
  std::map<Key, const Program*> chosen_;
};

/// Vector registers that a descriptor asks for, in the units in which the hardware gives them.
VectorLimits vector_limits(const KernelDescriptor& descriptor, unsigned chip, unsigned wave_size);
/// A note on a kernel that runs in a program with limits; empty for others.
std::string note_on_limits(const gfxisa::Kernel& kernel, const Program& program);

/// A fault in words: what, where in the code, the instruction, the lane and the address.
std::string describe_fault(const LaunchReport& report, const CodeObject& object, const gfxisa::Kernel& kernel);

}  // namespace gfxisa::exec
