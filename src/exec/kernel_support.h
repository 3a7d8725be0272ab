// What generated kernels use besides the operations themselves. Included by generated code only; everything stands in
// the namespace of the SIMD level, like lane_ops.h.
#pragma once
#include "base/two_over_pi.h"
#include "exec/access.h"
#include "exec/kernel_abi.h"
#include "exec/lane_ops_math.h"
#include "exec/level/lane_memory.h"

namespace gfxisa::exec::GFXISA_LEVEL {

template <class T>
inline T* row(T* start) {
  return static_cast<T*>(__builtin_assume_aligned(start, 64));
}

inline u32 first_lane_of(u64 lanes) { return lanes == 0 ? 0u : static_cast<u32>(__builtin_ctzll(lanes)); }

/// `mask` with the bits of this call's lanes from a row of 0 and 1; lanes that are off get 0.
inline u64 with_half(u64 mask, const LaneCall& call, const u32* row_of_bits) {
  u32 bits = 0;
  for (u32 i = 0; i < lanes_per_call; ++i) bits |= (row_of_bits[i] & 1u) << i;
  const u64 half = u64{0xffffffffu} << call.first_lane;
  return (mask & ~half) | static_cast<u64>(bits & call.active) << call.first_lane;
}

// --------------------------------------------------------------------------------------- scalar operands

inline u64 read_mask(const Wave& wave, const Step* step, unsigned input) {
  return wave.wave_size() == 32 ? read_scalar<u32>(wave, step, input) : read_scalar<u64>(wave, step, input);
}
inline void write_mask(Wave& wave, const Step* step, unsigned output, u64 value) {
  if (wave.wave_size() == 32) {
    write_scalar<u32>(wave, step, output, static_cast<u32>(value));
  } else {
    write_scalar<u64>(wave, step, output, value);
  }
}
template <unsigned Words>
inline u128 read_wide(const Wave& wave, const Step* step, unsigned input) {
  u32 words[Words];
  read_scalar_words<Words>(wave, step, input, words);
  return joined_words < u128, Words < 4 ? Words : 4 > (words);
}
template <unsigned Words>
inline void write_wide(Wave& wave, const Step* step, unsigned output, u128 value) {
  u32 words[Words] = {};
  for (unsigned i = 0; i < Words && i < 4; ++i) words[i] = static_cast<u32>(value >> (32 * i));
  write_scalar_words<Words>(wave, step, output, words);
}

/// All lanes of an input as they were, for bodies that write lanes while they read others.
template <unsigned Words>
class LaneSnapshot {
 public:
  LaneSnapshot(const Wave& wave, const Step* step, unsigned input) {
    for (u32 lane = 0; lane < wave.wave_size(); ++lane) {
      for (unsigned i = 0; i < Words; ++i) words_[i][lane] = read_lane(wave, step, input, lane, i);
    }
  }
  u32 word(u32 lane, unsigned i) const { return words_[i][lane]; }

 private:
  u32 words_[Words][64];
};

// -------------------------------------------------------------------------------------------------- MODE

/// The host's control word for operations of which not all obey the same fields of MODE. Rounding: 0 as MODE says for
/// the class, 1 to nearest even, 2 up, 3 down, 4 to zero. Classes: 1 f32, 2 f16 and f64.
template <unsigned Rounding, unsigned RoundingClass, unsigned InputClass, unsigned OutputClass>
inline u32 float_control(u32 mode) {
  constexpr u32 of_mode[4] = {0x0000, 0x4000, 0x2000, 0x6000};
  constexpr u32 fixed[5] = {0, 0x0000, 0x4000, 0x2000, 0x6000};
  const u32 rounding = Rounding != 0 ? fixed[Rounding] : of_mode[mode >> (RoundingClass == 1 ? 0 : 2) & 3];
  const u32 keeps_inputs = mode >> (InputClass == 1 ? 4 : 6) & 1;
  const u32 keeps_outputs = mode >> (OutputClass == 1 ? 5 : 7) & 1;
  return 0x1f80u | rounding | (keeps_inputs != 0 ? 0u : 0x0040u) | (keeps_outputs != 0 ? 0u : 0x8000u);
}

/// Sets the control word for a block. The empty assembly keeps loads and stores, and so the arithmetic between them,
/// inside.
class FloatControlScope {
 public:
  explicit FloatControlScope(u32 control) : before_(__builtin_ia32_stmxcsr()) {
    __builtin_ia32_ldmxcsr(control);
    asm volatile("" ::: "memory");
  }
  ~FloatControlScope() {
    asm volatile("" ::: "memory");
    __builtin_ia32_ldmxcsr(before_);
  }
  FloatControlScope(const FloatControlScope&) = delete;
  FloatControlScope& operator=(const FloatControlScope&) = delete;

 private:
  u32 before_;
};

/// `f()` under a control word. Not inlined, and its captures in memory, so that nothing of it moves out of the block.
template <class F>
[[gnu::noinline]] auto out_of_line(const F& f) {
  asm volatile("" ::"r"(&f) : "memory");
  return f();
}
template <class F>
inline auto under(u32 control, const F& f) {
  const FloatControlScope scope(control);
  return out_of_line(f);
}

}  // namespace gfxisa::exec::GFXISA_LEVEL
