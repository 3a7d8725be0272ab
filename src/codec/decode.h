// Bytes to instructions. Total: any bytes give an instruction or a reason. No allocation; thread-safe.
#pragma once
#include <optional>
#include <span>

#include "inst/instruction.h"

namespace gfxisa {

/// Why bytes are not an instruction.
enum class DecodeFault : u8 {
  none,
  truncated,         ///< fewer bytes than the encoding needs
  unknown_encoding,  ///< no encoding has these fixed bits on this chip
  unknown_opcode,    ///< the encoding has no such opcode on this chip
  bad_operand,       ///< an operand field holds a code its kind does not allow
  bad_suffix,        ///< a suffix this instruction does not take
};
std::string_view describe(DecodeFault fault);

struct Decoded {
  DecodeFault fault = DecodeFault::none;
  u8 fault_operand =
      0;  ///< bad_operand: which; no_operand: a constant that the instruction does not take and that is not 0
  Instruction instruction;  ///< valid when fault is none; for other faults what was known, size = bytes to skip (4 or
                            ///< more, if there are any)
  explicit operator bool() const { return fault == DecodeFault::none; }
};

/// `wave_size`: lanes of the waves that run the code, 0 for what is usual on the chip. Two instructions in the same
/// words exist in waves of 32 only, and of a tile a lane of 64 holds half as much.
Decoded decode(unsigned chip, std::span<const u8> bytes, unsigned wave_size = 0);

/// Whether an encoding shows a whole word or one of two instructions in it.
inline Share share_of(const EncodingRow& encoding) { return encoding.share; }

/// The second of two instructions in the same words (VOPD): its form over the same words and size. None when
/// `instruction` stands alone. The two happen at once: both read before either writes.
std::optional<Instruction> second_of(const Instruction& instruction);

}  // namespace gfxisa
