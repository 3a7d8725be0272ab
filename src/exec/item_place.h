// What kernels of bodies with arrays and parts of slots use besides kernel_support.h: matrix operations.
#pragma once
#include "exec/kernel_support.h"

/// Before an innermost loop over elements of arrays: compilers are to make vectors of its rounds, and not to write it
/// out first, after which they would make vectors of the rounds of the loop around it.
#if defined(__clang__)
#define GFXISA_ROUNDS _Pragma("clang loop unroll(disable)")
#else
#define GFXISA_ROUNDS _Pragma("GCC unroll 1")
#endif

namespace gfxisa::exec::GFXISA_LEVEL {

/// The host's control word for IEEE 754: to nearest even, denormals kept.
inline constexpr u32 ieee_control = 0x1f80;

/// Value of the modifier field with this number: eight of them share an immediate, from the last one down.
inline u32 modifier_field(const Step* step, unsigned number) {
  return static_cast<u32>(step->immediates[max_immediates - 1 - number / 8] >> number % 8 * 8 & 0xff);
}

/// Any NaN as the default one.
template <class T>
inline T one_nan(T a) {
  return nan(a) ? default_nan<T>() : a;
}

/// Room for a value that is the same in all lanes: sources of this kind have up to two words.
struct SpreadValue {
  static constexpr u32 most_words = 2;
  u32 words[most_words][64];
};
[[gnu::noinline]] inline u8* spread_out(const u8* from, const OperandRef& ref, SpreadValue& value) {
  const u32 stride = ref.is_scalar ? 4 : ref.row_stride;
  for (u32 number = 0; number < SpreadValue::most_words; ++number) {
    u32 word = 0;
    if (number < ref.rows) std::memcpy(&word, from + number * stride, 4);
    for (u32 lane = 0; lane < 64; ++lane) value.words[number][lane] = word;
  }
  return reinterpret_cast<u8*>(&value);
}

/// A slot of a wave body cut into parts of so many bits, which may cross words. Lanes lie side by side, so that a loop
/// over lanes becomes vectors; what is the same for all lanes is spread out first.
class ItemPlace {
 public:
  [[gnu::always_inline]] ItemPlace(const Wave& wave, const OperandRef& ref, SpreadValue& spread)
      : base_(wave.bases[ref.space] + ref.offset), word_bytes_(ref.row_stride) {
    const bool is_row = !ref.is_scalar && (wave.wave_size() == 32 || ref.half_stride == half_row_bytes);
    if (is_row) return;
    base_ = spread_out(base_, ref, spread);
    word_bytes_ = sizeof spread.words[0];
  }

  template <unsigned Bits>
  auto read(std::size_t lane, u32 number) const {
    if constexpr (Bits == 64) {
      return static_cast<u64>(word(lane, 2 * number + 1)) << 32 | word(lane, 2 * number);
    } else if constexpr (Bits == 32) {
      return word(lane, number);
    } else if constexpr (32 % Bits == 0) {
      return word(lane, number / (32 / Bits)) >> number % (32 / Bits) * Bits & ((1u << Bits) - 1);
    } else {
      const u32 first = number * Bits;
      const bool crosses = first % 32 + Bits > 32;
      const u64 high = crosses ? word(lane, first / 32 + 1) : 0;
      return static_cast<u32>((high << 32 | word(lane, first / 32)) >> first % 32) & ((1u << Bits) - 1);
    }
  }

  template <unsigned Bits, class T>
  void write(std::size_t lane, u32 number, T value) const {
    if constexpr (Bits == 64) {
      set_word(lane, 2 * number, static_cast<u32>(value));
      set_word(lane, 2 * number + 1, static_cast<u32>(static_cast<u64>(value) >> 32));
    } else if constexpr (Bits == 32) {
      set_word(lane, number, value);
    } else {
      const u32 first = number * Bits, shift = first % 32;
      const u64 ones = u64{(1u << Bits) - 1} << shift, bits = u64{static_cast<u32>(value)} << shift;
      set_word(lane, first / 32, (word(lane, first / 32) & ~static_cast<u32>(ones)) | static_cast<u32>(bits));
      if (32 % Bits == 0 || shift + Bits <= 32) return;
      const u32 next = first / 32 + 1;
      set_word(lane, next, (word(lane, next) & ~static_cast<u32>(ones >> 32)) | static_cast<u32>(bits >> 32));
    }
  }

 private:
  u8* place(std::size_t lane, u32 number) const { return base_ + std::size_t{number} * word_bytes_ + lane * 4; }
  u32 word(std::size_t lane, u32 number) const {
    u32 value;
    std::memcpy(&value, place(lane, number), 4);
    return value;
  }
  void set_word(std::size_t lane, u32 number, u32 value) const { std::memcpy(place(lane, number), &value, 4); }

  u8* base_;
  u32 word_bytes_;
};

}  // namespace gfxisa::exec::GFXISA_LEVEL
