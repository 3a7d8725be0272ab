// The reference evaluator: runs a body slowly and plainly. It is the second opinion on generated kernels, so it shares
// nothing with them: floats are done in integers (soft_float.h), lanes one after another.
#pragma once
#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "base/result.h"
#include "core/core.h"

namespace gfxisa::core {

/// Up to 512 bits, low word first.
using WideValue = std::array<u64, 8>;
u128 low_bits(const WideValue& value);
WideValue wide_value(u128 value);

enum class Space : u8 { memory, data_share, scalar };

/// Something a body did besides assigning: Op and its arguments, in order.
struct Effect {
  Op op;
  std::array<u64, 4> arguments{};
};

/// What a body runs on. The callbacks may be empty: reading then gives 0, and writing is dropped.
struct Environment {
  u32 mode = 0xf0;  ///< MODE register: rounding [3:0], denormals [7:4], DX10_CLAMP [8]
  u32 wave_size = 32;
  u32 lane = 0;  ///< lane bodies: which lane this is
  u64 exec = ~u64{0};
  u64 next_pc = 0;
  std::vector<WideValue> slots;  ///< by slot number: on entry, and after run() as the body left it
  /// Wave bodies: [slot][lane], for slots that are read or written by lane. Missing slots and lanes are 0.
  std::vector<std::vector<u128>> lanes;
  std::vector<Effect> effects;  ///< appended to

  std::function<WideValue(Space, u64 address, unsigned bits, u32 lane)> load;
  std::function<void(Space, u64 address, unsigned bits, u128 value, u32 lane)> store;
  std::function<u32(u32 number)> read_sgpr;
  std::function<u32(u32 number, u32 lane)> read_vgpr;
  std::function<u32(u32 slot)> register_number;
  std::function<u32(i32 barrier, u32 question)> read_barrier;
  std::function<u32(u32 id, u32 offset, u32 size)> read_hwreg;
  std::function<u64()> clock;
  /// 32-bit words of a slot's lane, for the parts of slots that are wider than a value.
  std::function<u32(u32 slot, u32 lane, u32 word)> read_word;
  std::function<void(u32 slot, u32 lane, u32 word, u32 value)> write_word;
};

/// Runs the body once. Total: a malformed body gives an error. A lane body is run once a lane.
Result<bool> run(const Body& body, Environment& environment);

/// The value of an operation on given arguments under a MODE; floats and integers alike, none for operations that are
/// not functions of their arguments. Used by run() and by tests.
std::optional<u128> value_of_operation(Op op, Type type, u64 immediate, const std::array<Type, 4>& types,
                                       const std::array<u128, 4>& values, u32 mode);

}  // namespace gfxisa::core
