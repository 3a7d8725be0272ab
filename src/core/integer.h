// The integer operations of the tree on plain numbers: constant folding and the reference evaluator compute with them.
#pragma once
#include <array>
#include <optional>

#include "core/core.h"

namespace gfxisa::core {

/// The low `width` bits set, for width 0..128.
constexpr u128 wide_ones(unsigned width) { return width >= 128 ? ~u128{0} : (u128{1} << width) - 1; }
/// The low `width` bits of `value` as a two's complement number, for width 1..128.
constexpr i128 wide_signed(u128 value, unsigned width) {
  const unsigned unused = 128 - width;
  return static_cast<i128>(value << unused) >> unused;
}
/// The value of a `constant` node.
u128 constant_value(const Node& node);

/// Types and values of a node's arguments; values have no bits above their width.
struct Arguments {
  std::array<Type, 4> types;
  std::array<u128, 4> values{};
};

/// The value of an integer operation (from `add` to `trunc`, `bitcast` included), without bits above the width of
/// `type`; none for any other operation.
std::optional<u128> integer_value(Op op, Type type, const Arguments& arguments, u64 immediate);

}  // namespace gfxisa::core
