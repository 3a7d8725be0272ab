#include "base/two_over_pi.h"

#include <array>

namespace gfxisa {
namespace {

constexpr unsigned kept_bits = 1201;
constexpr unsigned words = 48;  // one of them before the point: room for kept_bits and what rounding loses

/// A fixed-point number below 2^32, the word before the point first.
using Fixed = std::array<u32, words>;

void divide(Fixed& number, u32 divisor) {
  u64 rest = 0;
  for (u32& word : number) {
    rest = rest << 32 | word;
    word = static_cast<u32>(rest / divisor);
    rest %= divisor;
  }
}

void add(Fixed& number, const Fixed& other) {
  u64 carry = 0;
  for (unsigned i = words; i-- > 0; carry >>= 32) {
    carry += u64{number[i]} + other[i];
    number[i] = static_cast<u32>(carry);
  }
}

void subtract(Fixed& number, const Fixed& other) {
  u64 borrow = 0;
  for (unsigned i = words; i-- > 0;) {
    const u64 difference = u64{number[i]} - other[i] - borrow;
    number[i] = static_cast<u32>(difference);
    borrow = difference >> 63;
  }
}

/// `factor` times the arc tangent of 1 / `x`, by its series.
Fixed arc_tangent(u32 factor, u32 x) {
  Fixed power{factor}, sum{};
  divide(power, x);
  for (u32 n = 1; power != Fixed{}; n += 2) {
    Fixed term = power;
    divide(term, n);
    if (n % 4 == 1) {
      add(sum, term);
    } else {
      subtract(sum, term);
    }
    divide(power, x * x);
  }
  return sum;
}

using Digits = std::array<u64, kept_bits / 64 + 3>;

/// Machin's formula for pi, and 2 divided by it bit by bit.
Digits digits() {
  Fixed pi = arc_tangent(16, 5);
  subtract(pi, arc_tangent(4, 239));
  Fixed rest{2};
  Digits result{};
  for (unsigned bit = 0; bit < kept_bits; ++bit) {
    add(rest, rest);
    if (rest < pi) continue;
    subtract(rest, pi);
    result[bit / 64] |= u64{1} << (63 - bit % 64);
  }
  return result;
}

}  // namespace

u64 two_over_pi(u32 from) {
  static const Digits bits = digits();
  if (from >= kept_bits) return 0;
  const u64 high = bits[from / 64] << from % 64;
  return from % 64 == 0 ? high : high | bits[from / 64 + 1] >> (64 - from % 64);
}

}  // namespace gfxisa
