// Code decoded for execution: an array of steps, and a map from code offsets to them.
#pragma once
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "base/types.h"
#include "exec/kernel_abi.h"
#include "exec/level/lane_handlers.h"
#include "exec/step.h"

namespace gfxisa::exec {

/// A read or write stage in effect: the kernel and its arguments.
struct StageUse {
  LaneKernel kernel = nullptr;
  u8 operand = 0;  ///< number of the input or output slot
  u8 argument_count = 0;
  std::array<u32, 4> arguments{};
  u8 old_argument = 0xff;  ///< argument that is not a constant but what the destination register held
  u32 off_in_modes = 0;    ///< bits of MODE, any of which turns the stage off
};

/// How a memory instruction forms its addresses: the encoding's address line as a kernel over vaddr, saddr, has_saddr
/// and the rest (model::StageBody), its result being input slot 0's two rows of the instruction's own kernel.
struct AddressUse {
  LaneKernel kernel = nullptr;
  u8 operand = 0;  ///< number of the input slot that holds the address
  bool has_vaddr = false, has_saddr = false, is_scratch = false;
  bool is_signed = false;          ///< CDNA 5: beside a scalar base the vector part is signed
  u8 scale = 1;                    ///< what the vector part is multiplied by
  u8 base = 0xff, soffset = 0xff;  ///< numbers of the input slots of those names; 0xff: none
  OperandRef vaddr, saddr;
  u32 offset = 0, idxen = 0, offen = 0, format = 0;
};

/// What an instruction's modifiers and suffix do around its kernel.
struct Modifiers {
  AddressUse address;  ///< kernel nullptr: none
  std::vector<StageUse> reads, writes;
  bool moves_lanes = false;          ///< DPP: input 0 of lane l comes from lane source_lane[l]
  std::array<u8, 64> source_lane{};  ///< 64 and above: no lane
  u64 enabled_lanes = ~u64{0};       ///< lanes the row and bank masks let write
  bool fetch_inactive = false;       ///< lanes that are off may be read
  bool bound_control = false;        ///< no lane: 0 is read; else the lane's result is not written

  bool is_used() const { return address.kernel != nullptr || !reads.empty() || !writes.empty() || moves_lanes; }
};

/// Vector registers that a kernel was given, v0 and up, and AccVGPRs. By the manuals of all generations (in that of
/// RDNA 4 section 3.3.2.2) an instruction with a result beyond them does nothing, and sources beyond them are v0: those
/// of the vector ALU v0 and what follows it, each of a memory instruction v0.
struct VectorLimits {
  u32 vectors = ~u32{0};
  u32 accumulators = 0;  ///< from Program::first_accumulator on
  bool hold(u64 first, u32 count) const;
};

/// The kernel set for this machine's SIMD level (AVX-512, AVX2 or neither); GFXISA_SIMD=baseline|avx2|avx512 chooses a
/// lower one.
const KernelSet& host_kernels();
const HandlerSet& host_handlers();

class Program {
 public:
  /// Decodes `code`, which stays where it is and must outlive the program. Bytes that are no instruction become steps
  /// that fault.
  Program(unsigned chip, unsigned wave_size, std::span<const u8> code, const VectorLimits& limits = {});
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  unsigned chip() const { return chip_; }
  unsigned wave_size() const { return wave_size_; }
  const VectorLimits& limits() const { return limits_; }
  std::span<const u8> code() const { return code_; }
  u64 address() const { return reinterpret_cast<u64>(code_.data()); }
  /// Step at a byte offset; nullptr when no instruction starts there.
  const Step* step_at(u64 offset) const;
  u8* constants() const { return constants_.get(); }
  /// Vector registers the code names, AccVGPRs from `first_accumulator` up counted in.
  u32 vector_registers() const { return vector_registers_; }
  /// Whether instructions in [begin, end), bytes of the code, name registers that the limits do not hold.
  bool names_beyond(const VectorLimits& limits, u64 begin, u64 end) const;
  /// Whether the code sets high bits of vector register numbers.
  bool has_banks() const { return has_banks_; }
  static constexpr u32 first_accumulator = 256;  ///< register number of a0

 private:
  friend class StepBuilder;
  struct Free {
    void operator()(u8* start) const;
  };
  unsigned chip_, wave_size_;
  VectorLimits limits_;
  std::span<const u8> code_;
  std::vector<Step> steps_;
  std::vector<u32> step_of_word_;  ///< by code word: index of its first step + 1; 0 for none
  std::deque<Modifiers> modifiers_;
  std::unique_ptr<u8, Free> constants_;
  u32 vector_registers_ = 0;
  bool has_banks_ = false;
};

}  // namespace gfxisa::exec
