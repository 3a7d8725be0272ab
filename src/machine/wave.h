// One wave: its registers and where it stands.
//
// Registers are one block of memory, 64-byte aligned:
//
//   scalar file   u32[320], indexed by register code: 0..105 SGPRs, 106/107 VCC, 108..123 trap registers, M0, 126/127
//   EXEC. So VCC,
//                 M0 and EXEC are ordinary places. Codes from 128 up are not register codes here but places for values
//                 that are made when asked for (see FileSlot).
//   vector file   a row a register: 32 lanes of u32 (128 bytes), twice that in a wave of 64; low lanes first. AccVGPRs
//   follow.
#pragma once
#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "base/types.h"
#include "machine/fault.h"
#include "machine/memory_map.h"
#include "machine/workgroup.h"

namespace gfxisa::exec {

struct Step;
class Program;

inline constexpr unsigned scalar_file_words = 320, register_codes = 128;
inline constexpr unsigned half_row_bytes = 128;  ///< 32 lanes of u32

/// Places of the scalar file above the register codes.
enum FileSlot : u32 {
  code_vcc = 106,
  code_exec = 126,
  slot_scc = 132,  ///< special sources, two words each, refreshed by a step before their reader
  slot_vccz = 134,
  slot_execz = 136,
  slot_shared_base = 138,  ///< apertures: constant for a launch, the 64-bit address
  slot_shared_limit = 140,
  slot_private_base = 142,
  slot_private_limit = 144,
  slot_scratch_base = 146,  ///< flat scratch base
  slot_scaled = 148,        ///< a scalar offset times its scale, made by a step before its reader
  slot_sink = 160,          ///< up to 32 words: what is written to NULL
  slot_addresses = 192,     ///< two rows: the addresses that a body of a whole wave uses, made before it
};

/// How MODE's float fields map to the host's MXCSR: one value for f32, one for f16 and f64.
struct FloatControl {
  u32 f32 = 0, f64 = 0;
};

/// A wave's scratch. One lane's bytes lie side by side: lane l has [base + l * lane_bytes, ...). Or, where programs
/// reach scratch through buffer descriptors as well, words of the lanes do: word w of lane l is at base + (w * lanes +
/// l) * 4.
struct Scratch {
  u8* base = nullptr;
  u32 lane_bytes = 0;
  bool is_interleaved = false;
};

/// What a wave that stands still waits for in the global wave sync.
struct SyncWait {
  enum class Kind : u8 { none, barrier, count } kind = Kind::none;
  u32 id = 0;
  u32 phase = 0;  ///< of the barrier that is to be over
};

class Wave {
 public:
  /// A wave with `vector_registers` VGPRs (AccVGPRs counted with them), all zero.
  Wave(unsigned wave_size, unsigned vector_registers)
      : wave_size_(wave_size), row_bytes_(wave_size / 32 * half_row_bytes), vector_registers_(vector_registers) {
    const std::size_t bytes = scalar_file_words * 4 + std::size_t{vector_registers} * row_bytes_;
    storage_.reset(static_cast<u8*>(::operator new (bytes, std::align_val_t{64})));
    std::memset(storage_.get(), 0, bytes);
    bases[0] = storage_.get();
  }

  /// Back to how it was made: registers zero, nothing run; the windows stay. Of the vector registers the first `used`
  /// ones, since the others are still zero, or nothing that a right program reads.
  void reset(u32 used) {
    std::memset(storage_.get(), 0, row_offset(std::min(used, vector_registers_)));
    scc = 0;
    status_bits = 0;
    executed = 0;
    barrier_phase = named_phase = joined_barrier = 0;
    has_ended = has_stored = false;
    is_waiting = waits_for_named = false;
    sync_wait = {};
    fault = {};
  }

  unsigned wave_size() const { return wave_size_; }
  unsigned row_bytes() const { return row_bytes_; }
  unsigned vector_registers() const { return vector_registers_; }
  u64 all_lanes() const { return wave_size_ == 64 ? ~u64{0} : 0xffffffffu; }

  u32* scalar_file() { return reinterpret_cast<u32*>(bases[0]); }
  const u32* scalar_file() const { return reinterpret_cast<const u32*>(bases[0]); }
  /// Offset of a vector register's row from bases[0].
  u32 row_offset(u32 reg) const { return scalar_file_words * 4 + reg * row_bytes_; }
  u32* row(u32 reg) { return reinterpret_cast<u32*>(bases[0] + row_offset(reg)); }
  const u32* row(u32 reg) const { return reinterpret_cast<const u32*>(bases[0] + row_offset(reg)); }

  u64 exec() const { return pair(code_exec) & all_lanes(); }
  u64 vcc() const { return pair(code_vcc) & all_lanes(); }
  u64 pair(u32 code) const {
    u64 value;
    std::memcpy(&value, scalar_file() + code, 8);
    return value;
  }
  void set_pair(u32 code, u64 value) { std::memcpy(scalar_file() + code, &value, 8); }
  void set_exec(u64 value) {
    if (wave_size_ == 64)
      set_pair(code_exec, value);
    else
      scalar_file()[code_exec] = static_cast<u32>(value);
  }
  void set_vcc(u64 value) {
    if (wave_size_ == 64)
      set_pair(code_vcc, value);
    else
      scalar_file()[code_vcc] = static_cast<u32>(value);
  }

  /// Whether the barrier that the wave waits at is not complete.
  bool is_blocked() const { return is_waiting && awaited().phase == awaited_phase(); }
  /// Leaves the barrier that the wave waited at.
  void stop_waiting() {
    if (!std::exchange(is_waiting, false)) return;
    (waits_for_named ? named_phase : barrier_phase) = awaited().phase;
  }

  /// Records a fault. Of an instruction's faults the lowest lane's first one counts, in whatever order lanes are done.
  void fail(FaultKind kind, u64 address, u32 bytes, u32 lane, u32 number = 0) {
    if (fault && fault.lane <= lane) return;
    fault.kind = kind;
    fault.address = address;
    fault.bytes = bytes;
    fault.lane = lane;
    fault.number = number;
  }

  /// [0] this wave's registers, [1] the program's constants: an operand is one of the two and an offset.
  u8* bases[2] = {nullptr, nullptr};
  u32 scc = 0;
  u32 mode = 0;
  u32 m0_code = 124;  ///< M0's register code on this chip (124 before gfx11, then 125)
  u32 status_bits = 0;
  FloatControl control;     ///< MXCSR values for `mode`
  u32 current_control = 0;  ///< MXCSR now

  u64 code_base = 0;  ///< address of the program's first byte
  const Program* program = nullptr;
  const Step* next = nullptr;  ///< where to go on when suspended; nullptr after the end
  Workgroup* workgroup = nullptr;
  const MemoryMap* memory = nullptr;
  /// The ranges of the last load and store; of the loads before, from another; of the last load of scalars.
  MemoryWindow load_window, store_window, other_window, scalar_window;
  Scratch scratch;
  u64 shared_aperture = 0, private_aperture = 0;  ///< [63:32] of flat addresses that mean LDS and scratch
  u8 private_lane_shift = 0;  ///< flat addresses of scratch have the lane's number from this bit on; 0: they have not
  u64 executed = 0;           ///< instructions, synthetic steps not counted
  u32 barrier_phase = 0;      ///< the phase of the workgroup's barrier that this wave's next wait waits to be over
  u32 named_phase = 0;        ///< the same of the named barrier it has joined
  u32 joined_barrier = 0;     ///< number of that barrier; 0: none
  u32 number = 0;             ///< within the workgroup
  bool has_ended = false;
  bool has_stored = false;       ///< to memory, since its last wait for what is in flight
  bool is_waiting = false;       ///< at a barrier
  bool waits_for_named = false;  ///< at the named one
  SyncWait sync_wait;
  Fault fault;

 private:
  const Barrier& awaited() const { return waits_for_named ? workgroup->named[joined_barrier - 1] : workgroup->barrier; }
  u32 awaited_phase() const { return waits_for_named ? named_phase : barrier_phase; }

  struct Free {
    void operator()(u8* start) const { ::operator delete (start, std::align_val_t{64}); }
  };
  unsigned wave_size_, row_bytes_, vector_registers_;
  std::unique_ptr<u8, Free> storage_;
};

}  // namespace gfxisa::exec
