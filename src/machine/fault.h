// What stops a wave against its will. A value: it is recorded in the wave and reported by whoever launched it.
#pragma once
#include <string>
#include <string_view>

#include "base/types.h"

namespace gfxisa::exec {

enum class FaultKind : u8 {
  none,
  bad_address,      ///< memory that was not given to the guest
  outside_lds,      ///< an access beyond the workgroup's data share
  read_only,        ///< a store to memory that may only be read
  misaligned,       ///< an atomic at an address that is not a multiple of its size
  bad_instruction,  ///< bytes that are no instruction
  not_executable,   ///< an instruction without semantics here
  end_of_code,      ///< ran past the last instruction, or branched outside the code
  bad_register,     ///< a register beyond what the wave has
  other_banks,  ///< a branch that comes with other high bits of register numbers than the code before its target sets
  trap,         ///< s_trap
  halted,       ///< s_sethalt, and nobody is there to let the wave go on
  too_many_instructions,
  deadlock,  ///< all waves of a workgroup wait at a barrier that cannot complete
};

constexpr std::string_view describe(FaultKind kind) {
  switch (kind) {
    case FaultKind::none:
      return "no fault";
    case FaultKind::bad_address:
      return "access to memory that is not the program's";
    case FaultKind::outside_lds:
      return "access beyond the data share of the workgroup";
    case FaultKind::read_only:
      return "store to read-only memory";
    case FaultKind::misaligned:
      return "misaligned atomic";
    case FaultKind::bad_instruction:
      return "not an instruction";
    case FaultKind::not_executable:
      return "an instruction that cannot be executed here";
    case FaultKind::end_of_code:
      return "execution left the code";
    case FaultKind::bad_register:
      return "a register that the wave does not have";
    case FaultKind::other_banks:
      return "a branch with other high bits of register numbers than the code before its target sets";
    case FaultKind::trap:
      return "trap";
    case FaultKind::halted:
      return "the wave halted, and nobody is there to let it go on";
    case FaultKind::too_many_instructions:
      return "more instructions than --max-instructions allows";
    case FaultKind::deadlock:
      return "a barrier that cannot complete: every wave waits";
  }
  return {};
}

struct Fault {
  FaultKind kind = FaultKind::none;
  u64 address = 0;  ///< of memory, where there is one
  u32 bytes = 0;    ///< size of the access
  u32 lane = 0;
  u64 code_address = 0;  ///< of the instruction
  u32 number = 0;        ///< trap number, register number, ...
  explicit operator bool() const { return kind != FaultKind::none; }
};

}  // namespace gfxisa::exec
