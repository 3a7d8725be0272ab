// A few instructions run on one wave, or on the waves of one workgroup, whose registers are set before and read after:
// `gfxisa exec`.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "exec/global_sync.h"
#include "exec/interpreter.h"
#include "exec/program.h"
#include "machine/wave.h"

namespace gfxisa::exec {

/// What a register holds: `words` words a lane, lane by lane; a scalar has one lane.
struct RegisterImage {
  bool is_vector = false;
  bool is_bit = false;     ///< SCC
  bool is_memory = false;  ///< words of memory instead of lanes
  unsigned words = 1;
  std::vector<u32> values;

  u32 lanes() const { return words == 0 ? 0 : static_cast<u32>(values.size() / words); }
  u64 low64(u32 lane) const { return values[lane * words] | (words > 1 ? u64{values[lane * words + 1]} << 32 : 0); }
};

struct SnippetOptions {
  unsigned chip = 0;
  unsigned wave_size = 32;
  u32 lds_bytes = 65536;
  u32 scratch_bytes = 65536;  ///< one lane
  u32 mode = 0x3f0;           ///< nearest even, denormals kept, DX10_CLAMP, IEEE
  u64 max_instructions = 1u << 26;
  unsigned waves = 1;  ///< of the workgroup
};

/// The waves' registers start at 0, EXEC with all lanes on; the data share and a buffer of 64 KiB are zero. Execution
/// ends at s_endpgm or behind the last instruction.
class Snippet {
 public:
  Snippet(const SnippetOptions& options, std::span<const u8> code);
  Snippet(const Snippet&) = delete;
  Snippet& operator=(const Snippet&) = delete;

  Wave& wave(unsigned number = 0) { return waves_[number]; }
  /// Memory that the program may touch; empty at first.
  MemoryMap& memory() { return memory_; }
  std::span<u8> lds() { return lds_; }

  /// Sets a register of the first wave from values of its width: one for all lanes, or one a lane (scalars: exactly
  /// one).
  Result<bool> set(std::string_view reg, std::span<const u64> values);
  /// `v0=1,2,3`, `s[0:1]=0x10`, `v5=1.5f`; words from a byte on of the data share or the buffer: `lds[16]=1,2`,
  /// `mem[0]=1.5f`; the buffer's address: `s[0:1]=mem`, `v[0:1]=mem+64`.
  Result<bool> set(std::string_view assignment);
  /// A register, or words of the data share or the buffer by the first and last one's bytes: `lds[0:12]`, `mem[4]`.
  Result<RegisterImage> read(std::string_view reg, unsigned wave = 0) const;

  /// Runs all waves to the end; a fault says why one did not get there.
  Fault run();
  /// What stopped it, with the instruction: `v_foo v0, v1 at 0x8: access to ...`.
  std::string describe(const Fault& fault) const;

 private:
  struct Place;
  struct Words;
  Result<Words> find_words(std::string_view name) const;
  Result<u64> value_of(std::string_view text, u32 bits) const;
  Fault run_turn(Wave& wave, HostControl& control);
  Result<Place> find(std::string_view reg) const;
  void set_words(const Place& place, u32 lane, u64 value);

  SnippetOptions options_;
  std::vector<u8> code_;
  Program program_;
  std::vector<Wave> waves_;
  GlobalSync sync_;
  Workgroup workgroup_;
  MemoryMap memory_;
  std::vector<u8> lds_;
  std::unique_ptr<u8[]> scratch_;
  std::vector<u8> buffer_;
};

/// `15`, `0xf`, `-1`, `1.5f`, `1.5h`, `1.5d` as bits of a register of `bits` bits (16 to 64).
Result<u64> parse_register_value(std::string_view text, u32 bits);
/// `s0 = 0x0000000f`, `scc = 1`, `v5 = [0x00000000, ...]`.
std::string register_line(std::string_view name, const RegisterImage& image);

}  // namespace gfxisa::exec
