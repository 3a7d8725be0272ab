#include "core/integer.h"

#include <algorithm>

#include "base/two_over_pi.h"

namespace gfxisa::core {
namespace {

u128 magnitude(i128 value) { return value < 0 ? u128{0} - static_cast<u128>(value) : static_cast<u128>(value); }

unsigned count_ones(u128 value) {
  return static_cast<unsigned>(__builtin_popcountll(static_cast<u64>(value)) +
                               __builtin_popcountll(static_cast<u64>(value >> 64)));
}

unsigned leading_zeros(u128 value, unsigned width) {
  unsigned count = 0;
  while (count < width && !(value >> (width - 1 - count) & 1)) ++count;
  return count;
}

unsigned trailing_zeros(u128 value, unsigned width) {
  unsigned count = 0;
  while (count < width && !(value >> count & 1)) ++count;
  return count;
}

u128 reversed(u128 value, unsigned width) {
  u128 out = 0;
  for (unsigned i = 0; i < width; ++i) out |= (value >> i & 1) << (width - 1 - i);
  return out;
}

/// Division by school rules on magnitudes, so that no combination of signs can trap.
u128 divided(u128 a, u128 b, Type type, bool remainder) {
  if (b == 0) return 0;
  if (type.kind != TypeKind::signed_) return remainder ? a % b : a / b;
  const i128 x = wide_signed(a, type.bits), y = wide_signed(b, type.bits);
  const u128 result = remainder ? magnitude(x) % magnitude(y) : magnitude(x) / magnitude(y);
  const bool negative = remainder ? x < 0 : (x < 0) != (y < 0);
  return negative ? u128{0} - result : result;
}

bool below(u128 a, u128 b, Type type) {
  if (type.kind != TypeKind::signed_) return a < b;
  return wide_signed(a, type.bits) < wide_signed(b, type.bits);
}

u128 shifted_right(u128 a, u128 count, Type type) {
  const bool fills = type.kind == TypeKind::signed_ && (a >> (type.bits - 1) & 1);
  if (count >= type.bits) return fills ? ~u128{0} : 0;
  const unsigned n = static_cast<unsigned>(count);
  const u128 fill = fills ? ~u128{0} << (type.bits - n) : 0;
  return (a >> n) | (n != 0 ? fill : 0);
}

u128 high_product(u128 a, u128 b, Type type) {
  if (type.kind == TypeKind::signed_) {
    const i128 product = wide_signed(a, type.bits) * wide_signed(b, type.bits);
    return static_cast<u128>(product) >> type.bits;
  }
  return (a * b) >> type.bits;
}

std::optional<u128> arithmetic(Op op, Type type, const Arguments& arguments) {
  const auto& [a, b, c, unused] = arguments.values;
  switch (op) {
    case Op::add:
      return a + b;
    case Op::sub:
      return a - b;
    case Op::mul:
      return a * b;
    case Op::div:
      return divided(a, b, type, false);
    case Op::rem:
      return divided(a, b, type, true);
    case Op::bit_and:
      return a & b;
    case Op::bit_or:
      return a | b;
    case Op::bit_xor:
      return a ^ b;
    case Op::bit_not:
      return ~a;
    case Op::neg:
      return u128{0} - a;
    case Op::shl:
      return b >= type.bits ? 0 : a << static_cast<unsigned>(b);
    case Op::shr:
      return shifted_right(a, b, type);
    case Op::min:
      return below(b, a, type) ? b : a;
    case Op::max:
      return below(a, b, type) ? b : a;
    case Op::abs:
      return magnitude(wide_signed(a, type.bits));
    case Op::mul_hi:
      return high_product(a, b, type);
    default:
      return std::nullopt;
  }
}

/// Operations whose arguments have another type than the result.
std::optional<u128> across_types(Op op, const Arguments& arguments, u64 immediate) {
  const auto& [a, b, c, unused] = arguments.values;
  const Type from = arguments.types[0];
  const unsigned width = from.bits;
  switch (op) {
    case Op::eq:
      return a == b;
    case Op::ne:
      return a != b;
    case Op::lt:
      return below(a, b, from);
    case Op::le:
      return !below(b, a, from);
    case Op::carry: {
      const u128 sum = (a + b) & wide_ones(width);
      return sum < a || ((sum + c) & wide_ones(width)) < sum;
    }
    case Op::popcount:
      return count_ones(a);
    case Op::clz:
      return leading_zeros(a, width);
    case Op::ctz:
      return trailing_zeros(a, width);
    case Op::reverse:
      return reversed(a, width);
    case Op::two_over_pi:
      return gfxisa::two_over_pi(static_cast<u32>(a));
    case Op::select:
      return a ? b : c;
    case Op::extract:
      return immediate >= 128 ? 0 : a >> immediate;
    case Op::concat:
      return (arguments.types[1].bits >= 128 ? 0 : a << arguments.types[1].bits) | b;
    case Op::zext:
    case Op::trunc:
    case Op::bitcast:
      return a;
    case Op::sext:
      return static_cast<u128>(wide_signed(a, width));
    default:
      return std::nullopt;
  }
}

}  // namespace

u128 constant_value(const Node& node) {
  const bool fills = node.type.kind == TypeKind::signed_;
  const u128 value = fills ? static_cast<u128>(i128{static_cast<i64>(node.immediate)}) : u128{node.immediate};
  return value & wide_ones(node.type.bits);
}

std::optional<u128> integer_value(Op op, Type type, const Arguments& arguments, u64 immediate) {
  if (type.bits == 0 || type.bits > 128 || arguments.types[0].bits > 128) return std::nullopt;
  std::optional<u128> value = arithmetic(op, type, arguments);
  if (!value && arguments.types[0].bits != 0) value = across_types(op, arguments, immediate);
  if (value) *value &= wide_ones(type.bits);
  return value;
}

}  // namespace gfxisa::core
