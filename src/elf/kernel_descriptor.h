// The 64-byte kernel descriptor: what the hardware is told before the first instruction of a kernel.
#pragma once
#include <span>

#include "base/types.h"

namespace gfxisa {

inline constexpr unsigned kernel_descriptor_bytes = 64;

/// Fields as the descriptor holds them; bit positions in compute_pgm_rsrc1/2/3 and kernel_code_properties are those of
/// the AMDHSA ABI. Accessors exist where the meaning depends on the generation.
struct KernelDescriptor {
  u32 group_segment_bytes = 0;    ///< static LDS of a workgroup
  u32 private_segment_bytes = 0;  ///< scratch of one lane
  u32 kernarg_bytes = 0;
  i64 entry_offset = 0;  ///< from the descriptor's own address to the first instruction
  u32 rsrc1 = 0, rsrc2 = 0, rsrc3 = 0;
  u16 properties = 0;
  u16 preload = 0;  ///< [6:0] dwords of kernel arguments preloaded to SGPRs, [15:7] offset in dwords

  // Which user SGPRs are set up, in this order.
  bool wants_private_segment_buffer() const { return properties & 1; }     ///< 4 SGPRs
  bool wants_dispatch_ptr() const { return properties >> 1 & 1; }          ///< 2
  bool wants_queue_ptr() const { return properties >> 2 & 1; }             ///< 2
  bool wants_kernarg_ptr() const { return properties >> 3 & 1; }           ///< 2
  bool wants_dispatch_id() const { return properties >> 4 & 1; }           ///< 2
  bool wants_flat_scratch_init() const { return properties >> 5 & 1; }     ///< 2
  bool wants_private_segment_size() const { return properties >> 6 & 1; }  ///< 1
  bool is_wave32() const { return properties >> 10 & 1; }                  ///< only where the chip has a choice
  bool uses_dynamic_stack() const { return properties >> 11 & 1; }

  unsigned user_register_count() const { return rsrc2 >> 1 & 0x1f; }  ///< SGPRs before those of the workgroup
  bool wants_scratch() const { return rsrc2 & 1; }                    ///< scratch wave offset SGPR, or just scratch
  bool wants_workgroup_id(unsigned axis) const { return rsrc2 >> (7 + axis) & 1; }
  bool wants_workgroup_info() const { return rsrc2 >> 10 & 1; }
  unsigned work_item_id_axes() const { return (rsrc2 >> 11 & 3) + 1; }  ///< 1: x, 2: x y, 3: x y z

  unsigned vector_register_units() const { return (rsrc1 & 0x3f) + 1; }  ///< of 4, 8 or 16 registers
  unsigned float_round_32() const { return rsrc1 >> 12 & 3; }
  unsigned float_round_16_64() const { return rsrc1 >> 14 & 3; }
  unsigned float_denorm_32() const { return rsrc1 >> 16 & 3; }
  unsigned float_denorm_16_64() const { return rsrc1 >> 18 & 3; }
  bool dx10_clamp() const { return rsrc1 >> 21 & 1; }  ///< gfx12: another meaning, clamp is always on
  bool ieee_mode() const { return rsrc1 >> 23 & 1; }   ///< gfx12: another meaning, IEEE is always on
  bool fp16_overflow() const { return rsrc1 >> 26 & 1; }
  bool wgp_mode() const { return rsrc1 >> 29 & 1; }
  /// First AccVGPR in the unified file of gfx90a and later CDNA, in registers.
  /// CDNA 5: how many named barriers a workgroup has; they come in fours.
  u32 named_barriers() const { return (rsrc3 >> 14 & 7) * 4; }
  unsigned accum_offset() const { return ((rsrc3 & 0x3f) + 1) * 4; }
};

/// Reads the descriptor from its 64 bytes (`bytes` must hold that many).
KernelDescriptor read_kernel_descriptor(std::span<const u8> bytes);

}  // namespace gfxisa
