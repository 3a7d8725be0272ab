// Rows of 32 lanes: moving bits to lanes and back, blending. Part of a SIMD level: everything is in its namespace.
#pragma once
#include <immintrin.h>

#include <cstring>

#include "exec/kernel_abi.h"

namespace gfxisa::exec::GFXISA_LEVEL {

using Row = u32[lanes_per_call];

/// Scratch rows of one call.
struct Rows {
  alignas(64) Row in[max_rows];
  alignas(64) Row out[max_rows];
};

inline void copy_row(u32* __restrict to, const u32* __restrict from) { std::memcpy(to, from, sizeof(Row)); }

#if defined(__AVX512F__) && defined(__AVX512DQ__)

inline void spread(u32* row, u32 value) {
  const __m512i all = _mm512_set1_epi32(static_cast<int>(value));
  _mm512_store_si512(row, all);
  _mm512_store_si512(row + 16, all);
}

/// Bits to lanes of all ones or zero.
inline void expand_mask(u32* row, u32 bits) {
  _mm512_store_si512(row, _mm512_movm_epi32(static_cast<__mmask16>(bits)));
  _mm512_store_si512(row + 16, _mm512_movm_epi32(static_cast<__mmask16>(bits >> 16)));
}

/// Lanes of all ones or zero to bits.
inline u32 pack_mask(const u32* row) {
  const u32 low = _mm512_movepi32_mask(_mm512_load_si512(row)),
            high = _mm512_movepi32_mask(_mm512_load_si512(row + 16));
  return low | high << 16;
}

/// Lanes of `active` from `from` into `to`.
inline void blend(u32* to, const u32* from, u32 active) {
  _mm512_mask_store_epi32(to, static_cast<__mmask16>(active), _mm512_load_si512(from));
  _mm512_mask_store_epi32(to + 16, static_cast<__mmask16>(active >> 16), _mm512_load_si512(from + 16));
}

#else

inline constexpr struct BitOfLane {
  alignas(64) u32 bit[lanes_per_call];
  constexpr BitOfLane() : bit() {
    for (unsigned lane = 0; lane < lanes_per_call; ++lane) bit[lane] = u32{1} << lane;
  }
} bit_of_lane;

inline void spread(u32* row, u32 value) {
  for (unsigned lane = 0; lane < lanes_per_call; ++lane) row[lane] = value;
}

inline void expand_mask(u32* row, u32 bits) {
  for (unsigned lane = 0; lane < lanes_per_call; ++lane) {
    row[lane] = (bits & bit_of_lane.bit[lane]) == bit_of_lane.bit[lane] ? ~u32{0} : 0;
  }
}

inline u32 pack_mask(const u32* row) {
  const auto* from = reinterpret_cast<const __m128i*>(row);
  u32 bits = 0;
  for (unsigned half = 0; half < 2; ++half) {
    const __m128i low = _mm_packs_epi32(_mm_load_si128(from + half * 4), _mm_load_si128(from + half * 4 + 1));
    const __m128i high = _mm_packs_epi32(_mm_load_si128(from + half * 4 + 2), _mm_load_si128(from + half * 4 + 3));
    bits |= static_cast<u32>(_mm_movemask_epi8(_mm_packs_epi16(low, high))) << (half * 16);
  }
  return bits;
}

inline void blend(u32* __restrict to, const u32* __restrict from, u32 active) {
  alignas(64) Row mask;
  expand_mask(mask, active);
  for (unsigned lane = 0; lane < lanes_per_call; ++lane)
    to[lane] = (to[lane] & ~mask[lane]) | (from[lane] & mask[lane]);
}

#endif

}  // namespace gfxisa::exec::GFXISA_LEVEL
