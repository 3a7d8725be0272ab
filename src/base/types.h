// Number types of fixed width and the few helpers everything uses.
#pragma once
#include <cstddef>
#include <cstdint>

namespace gfxisa {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using u128 = unsigned __int128;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using i128 = __int128;
using f32 = float;
using f64 = double;

/// The low `count` bits set; all of them when count is 64 or more.
constexpr u64 low_ones(unsigned count) { return count >= 64 ? ~u64{0} : (u64{1} << count) - 1; }

/// `width` bits of `word` from bit `low` up. low + width <= 128.
constexpr u64 bits_of(u128 word, unsigned low, unsigned width) {
  return static_cast<u64>(word >> low) & low_ones(width);
}

/// The low `width` bits of `value` as a two's complement number. 1 <= width <= 64.
constexpr i64 sign_extend(u64 value, unsigned width) {
  const unsigned unused = 64 - width;
  return static_cast<i64>(value << unused) >> unused;
}

}  // namespace gfxisa
