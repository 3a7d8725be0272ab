// Loads and stores of 32 lanes at once. One look-up says whether all of them lie in one piece of memory; then lanes
// side by side are moved as vectors and the others without further questions. Lanes that lie in several pieces, outside
// all, or at addresses that mean something else than memory go one by one through exec/access.h, which knows about
// faults. Part of a SIMD level: everything is in its namespace.
#pragma once
#include <algorithm>
#include <atomic>

#include "exec/access.h"
#include "exec/level/rows.h"

/// Before a loop over lanes: no iteration depends on another. Rows may still be one and the same (a destination that is
/// also a source), which is why the rows are not `__restrict`: within an iteration the order of loads and stores must
/// stand.
#if defined(__clang__)
#define GFXISA_VECTORISE _Pragma("clang loop vectorize(assume_safety) interleave(disable)")
#else
#define GFXISA_VECTORISE _Pragma("GCC ivdep")
#endif

namespace gfxisa::exec::GFXISA_LEVEL {

/// Calls `f` for each lane of `active`, lowest first. One loop for all masks: what happens in it costs far more.
template <class F>
inline void each_lane(u32 active, F f) {
  for (; active != 0; active &= active - 1) f(static_cast<u32>(__builtin_ctz(active)));
}

/// Words of a value, low word first.
template <class T, class... Words>
inline T join(u32 low, Words... words) {
  T result = low;
  unsigned place = 0;
  ((result |= static_cast<T>(words) << (place += 32)), ...);
  return result;
}
template <class T, unsigned Count>
inline T joined_words(const u32* words) {
  T result = 0;
  for (unsigned i = 0; i < Count; ++i) result |= static_cast<T>(words[i]) << (32 * i);
  return result;
}

// ------------------------------------------------------------------------------------- one lane, wide values

template <unsigned Words>
inline u128 load_memory_words(Wave& wave, const Step* step, u64 address, u32 lane) {
  u32 words[Words];
  if (wave.load_window.contains(address, sizeof words) || move_window(wave, address, sizeof words, false)) {
    copy_guest(words, reinterpret_cast<const u8*>(address), sizeof words);
  } else {
    for (unsigned i = 0; i < Words; ++i) words[i] = load_memory<u32>(wave, step, address + 4 * i, lane);
  }
  return joined_words<u128, Words>(words);
}
template <unsigned Words>
inline void store_memory_words(Wave& wave, const Step* step, u64 address, u32 lane, u128 value) {
  u32 words[Words];
  for (unsigned i = 0; i < Words; ++i) words[i] = static_cast<u32>(value >> (32 * i));
  wave.has_stored = true;
  if (wave.store_window.contains(address, sizeof words) || move_window(wave, address, sizeof words, true)) {
    copy_guest(reinterpret_cast<u8*>(address), words, sizeof words);
  } else {
    for (unsigned i = 0; i < Words; ++i) store_memory<u32>(wave, step, address + 4 * i, lane, words[i]);
  }
}
template <unsigned Words>
inline u128 load_lds_words(const DataShare& share, u32 at, u32 lane) {
  u32 words[Words];
  for (unsigned i = 0; i < Words; ++i) words[i] = load_lds<u32>(share, at + 4 * i, lane);
  return joined_words<u128, Words>(words);
}
template <unsigned Words>
inline void store_lds_words(const DataShare& share, u32 at, u32 lane, u128 value) {
  for (unsigned i = 0; i < Words; ++i) {
    store_lds<u32>(share, at + 4 * i, lane, static_cast<u32>(value >> (32 * i)));
  }
}

// ------------------------------------------------------------------------------------- where all lanes lie

#if defined(__AVX512F__) && defined(__AVX512DQ__)

inline u32 both_masks(__mmask16 low, __mmask16 high) { return low | u32{high} << 16; }

/// Lanes of `active` whose word is not `value`.
inline u32 lanes_unlike(const u32* words, u32 value, u32 active) {
  const __m512i wanted = _mm512_set1_epi32(static_cast<int>(value));
  return both_masks(_mm512_cmpneq_epu32_mask(_mm512_load_si512(words), wanted),
                    _mm512_cmpneq_epu32_mask(_mm512_load_si512(words + 16), wanted)) &
         active;
}

/// Lanes of `active` whose word is more than `most` above `first`.
inline u32 lanes_outside(const u32* words, u32 first, u32 most, u32 active) {
  const __m512i start = _mm512_set1_epi32(static_cast<int>(first)), span = _mm512_set1_epi32(static_cast<int>(most));
  return both_masks(_mm512_cmpgt_epu32_mask(_mm512_sub_epi32(_mm512_load_si512(words), start), span),
                    _mm512_cmpgt_epu32_mask(_mm512_sub_epi32(_mm512_load_si512(words + 16), start), span)) &
         active;
}

#else

/// Lanes of `active` whose word is not `value`.
inline u32 lanes_unlike(const u32* words, u32 value, u32 active) {
  alignas(64) Row other;
  for (u32 i = 0; i < lanes_per_call; ++i) other[i] = words[i] != value ? ~u32{0} : 0;
  return pack_mask(other) & active;
}

/// Lanes of `active` whose word is more than `most` above `first`.
inline u32 lanes_outside(const u32* words, u32 first, u32 most, u32 active) {
  alignas(64) Row outside;
  for (u32 i = 0; i < lanes_per_call; ++i) outside[i] = words[i] - first > most ? ~u32{0} : 0;
  return pack_mask(outside) & active;
}

#endif

/// Lanes of `active` that cannot access `bytes` at `high:low` in `window`; all of them share the high word `high`.
inline u32 lanes_outside(const MemoryWindow& window, u32 high, const u32* low, u32 bytes, u32 active) {
  if (window.end < window.start + bytes) return active;
  const u64 base = u64{high} << 32;
  const u64 first = std::max(window.start, base), last = std::min(window.end - bytes, base + 0xffffffffu);
  if (first > last) return active;
  return lanes_outside(low, static_cast<u32>(first), static_cast<u32>(last - first), active);
}

/// The place from which the lanes' low address words count; nullptr when they must go one by one.
inline u8* common_base(const LaneCall& call, const u32* low, const u32* high, u32 bytes, bool is_store) {
  Wave& wave = *call.wave;
  const u32 upper = high[__builtin_ctz(call.active)];
  if (lanes_unlike(high, upper, call.active) != 0) return nullptr;
  const MemoryWindow& window = is_store ? wave.store_window : wave.load_window;
  u32 outside = lanes_outside(window, upper, low, bytes, call.active);
  if (outside != 0) {
    const u32 lane = static_cast<u32>(__builtin_ctz(outside));
    if (!move_window(wave, join<u64>(low[lane], upper), bytes, is_store)) return nullptr;
    outside = lanes_outside(window, upper, low, bytes, call.active);
  }
  return outside == 0 ? reinterpret_cast<u8*>(u64{upper} << 32) : nullptr;
}

/// The data share's first byte; nullptr when a lane reaches beyond it.
inline u8* common_base(const DataShare& share, const LaneCall& call, const u32* at, u32 bytes) {
  if (share.bytes < bytes) return nullptr;
  const u32 last = static_cast<u32>(share.bytes - bytes);
  return lanes_outside(at, 0, last, call.active) == 0 ? share.start : nullptr;
}

/// Whether all lanes are on and their elements of `bytes` lie side by side.
inline bool is_line(const u32* offsets, u32 bytes, u32 active) {
  if (active != ~u32{0} || offsets[lanes_per_call - 1] < offsets[0]) return false;
  u32 off = 0;
  for (u32 i = 0; i < lanes_per_call; ++i) off |= offsets[i] ^ (offsets[0] + i * bytes);
  return off == 0;
}

// ------------------------------------------------------------------------------------- moving

template <class T>
inline T element_at(const u8* from) {
  T value;
  copy_guest(&value, from, sizeof value);
  return value;
}

#if defined(__SANITIZE_THREAD__)
#define GFXISA_MOVES_VECTORS 0
#elif defined(__AVX512F__) && defined(__AVX512DQ__)
#define GFXISA_MOVES_VECTORS 1

/// As many lanes as a register of the host has words.
struct LaneVector {
  static constexpr u32 lanes = 16;
  __m512i words;
  static LaneVector at(const u8* from) { return {_mm512_loadu_si512(from)}; }
  static LaneVector row(const u32* from) { return {_mm512_load_si512(from)}; }
  static LaneVector all(u32 value) { return {_mm512_set1_epi32(static_cast<int>(value))}; }
  /// 0, 4, 8, ...
  static LaneVector line() { return {_mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60)}; }
  LaneVector operator+(LaneVector other) const { return {_mm512_add_epi32(words, other.words)}; }
  bool is(LaneVector other, u32 active) const { return (_mm512_cmpneq_epu32_mask(words, other.words) & active) == 0; }
  void to_row(u32* to) const { _mm512_store_si512(to, words); }
  void to(u8* to) const { _mm512_storeu_si512(to, words); }
  /// Words at base + these. The processor takes offsets as signed.
  LaneVector gather(const u8* base, u32 active) const {
    const __m512i sign = _mm512_set1_epi32(static_cast<int>(0x80000000u));
    return {_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), static_cast<__mmask16>(active),
                                        _mm512_xor_si512(words, sign), base + 0x80000000u, 1)};
  }
};

#elif defined(__AVX2__)
#define GFXISA_MOVES_VECTORS 1

/// As many lanes as a register of the host has words.
struct LaneVector {
  static constexpr u32 lanes = 8;
  __m256i words;
  static LaneVector at(const u8* from) { return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))}; }
  static LaneVector row(const u32* from) { return {_mm256_load_si256(reinterpret_cast<const __m256i*>(from))}; }
  static LaneVector all(u32 value) { return {_mm256_set1_epi32(static_cast<int>(value))}; }
  /// 0, 4, 8, ...
  static LaneVector line() { return {_mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28)}; }
  LaneVector operator+(LaneVector other) const { return {_mm256_add_epi32(words, other.words)}; }
  bool is(LaneVector other, u32 active) const {
    const __m256i same = _mm256_cmpeq_epi32(words, other.words);
    return (~static_cast<u32>(_mm256_movemask_ps(_mm256_castsi256_ps(same))) & active) == 0;
  }
  void to_row(u32* to) const { _mm256_store_si256(reinterpret_cast<__m256i*>(to), words); }
  void to(u8* to) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), words); }
  /// Words at base + these. The processor takes offsets as signed.
  LaneVector gather(const u8* base, u32 active) const {
    const __m256i sign = _mm256_set1_epi32(static_cast<int>(0x80000000u));
    const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const __m256i all = _mm256_set1_epi32(static_cast<int>(active));
    return {_mm256_mask_i32gather_epi32(_mm256_setzero_si256(), reinterpret_cast<const int*>(base + 0x80000000u),
                                        _mm256_xor_si256(words, sign),
                                        _mm256_cmpeq_epi32(_mm256_and_si256(all, bits), bits), 1)};
  }
};

#else
#define GFXISA_MOVES_VECTORS 0
#endif

#if GFXISA_MOVES_VECTORS

inline constexpr u32 vector_mask = (u32{1} << LaneVector::lanes) - 1;

/// Whether lanes that are all on have words side by side from `first` on.
inline bool is_side_by_side(LaneVector places, u32 first, u32 active) {
  return active == vector_mask && first <= ~u32{0} - 4 * LaneVector::lanes &&
         places.is(LaneVector::all(first) + LaneVector::line(), vector_mask);
}

/// Words of lanes that lie anywhere; often those of a few lanes lie side by side, or all at one place.
inline void load_words(const u8* base, const u32* offsets, u32 active, u32* to) {
  for (u32 lane = 0; lane < lanes_per_call; lane += LaneVector::lanes) {
    const u32 lanes = active >> lane & vector_mask;
    if (lanes == 0) continue;
    const LaneVector places = LaneVector::row(offsets + lane);
    const u32 first = offsets[lane + static_cast<u32>(__builtin_ctz(lanes))];
    if (is_side_by_side(places, first, lanes)) {
      LaneVector::at(base + first).to_row(to + lane);
    } else {
      const bool is_one = places.is(LaneVector::all(first), lanes);
      (is_one ? LaneVector::all(element_at<u32>(base + first)) : places.gather(base, lanes)).to_row(to + lane);
    }
  }
}

/// Where lanes store to one place, the highest wins.
inline void store_words(u8* base, const u32* offsets, u32 active, const u32* from) {
  for (u32 lane = 0; lane < lanes_per_call; lane += LaneVector::lanes) {
    const u32 lanes = active >> lane & vector_mask;
    if (is_side_by_side(LaneVector::row(offsets + lane), offsets[lane], lanes)) {
      LaneVector::row(from + lane).to(base + offsets[lane]);
      continue;
    }
    each_lane(lanes << lane, [&](u32 i) { copy_guest(base + offsets[i], from + i, 4); });
  }
}

#endif

/// Elements of `Words` words of 32 lanes, one after the other as in memory. Between these and memory each is moved as a
/// whole: a kernel may put a flag beside a value and rely on it that others see both or neither.
template <unsigned Words>
class WideElements {
 public:
  void load(const u8* base, const u32* offsets, u32 active) {
    if (is_line(offsets, bytes, active)) return move_line(words(0), base + offsets[0]);
    each_lane(active, [&](u32 i) { copy_guest(words(i), base + offsets[i], bytes); });
  }
  void store(u8* base, const u32* offsets, u32 active) const {
    if (is_line(offsets, bytes, active)) return move_line(base + offsets[0], words(0));
    each_lane(active, [&](u32 i) { copy_guest(base + offsets[i], words(i), bytes); });
  }
  void to_rows(u32* const* rows) const {
    GFXISA_VECTORISE
    for (u32 i = 0; i < lanes_per_call; ++i) {
      for (unsigned word = 0; word < Words; ++word) rows[word][i] = words_[i * Words + word];
    }
  }
  void from_rows(const u32* const* rows) {
    GFXISA_VECTORISE
    for (u32 i = 0; i < lanes_per_call; ++i) {
      for (unsigned word = 0; word < Words; ++word) words_[i * Words + word] = rows[word][i];
    }
  }

 private:
  static constexpr u32 bytes = 4 * Words;

  u8* words(u32 lane) { return reinterpret_cast<u8*>(words_ + lane * Words); }
  const u8* words(u32 lane) const { return reinterpret_cast<const u8*>(words_ + lane * Words); }
  static void move_line(u8* to, const u8* from) {
#if GFXISA_MOVES_VECTORS
    constexpr u32 step = 4 * LaneVector::lanes;
#else
    constexpr u32 step = 16;
#endif
    for (u32 i = 0; i < bytes * lanes_per_call; i += step) {
#if GFXISA_MOVES_VECTORS
      LaneVector::at(from + i).to(to + i);
#else
      copy_guest(to + i, from + i, step);
#endif
      // The compiler must not take the loop for a copy of bytes, which it makes of moves of whatever width.
      std::atomic_signal_fence(std::memory_order_seq_cst);
    }
  }

  alignas(64) u32 words_[lanes_per_call * Words];
};

/// Elements of T, or `Words` words, from base + offset; lanes that are off get anything. Rows that are loaded may be
/// the row of offsets.
template <class T, unsigned Words>
inline void load_elements(const u8* base, const u32* offsets, u32 active, u32* const* to) {
  if constexpr (Words > 1) {
    WideElements<Words> elements;
    elements.load(base, offsets, active);
    return elements.to_rows(to);
  }
#if GFXISA_MOVES_VECTORS
  if constexpr (sizeof(T) == 4) return load_words(base, offsets, active, to[0]);
#endif
  if (is_line(offsets, sizeof(T), active)) {
    const u8* from = base + offsets[0];
    GFXISA_VECTORISE
    for (u32 i = 0; i < lanes_per_call; ++i) to[0][i] = element_at<T>(from + i * sizeof(T));
    return;
  }
  each_lane(active, [&](u32 i) { to[0][i] = element_at<T>(base + offsets[i]); });
}

/// Where lanes store to one place, the highest wins.
template <class T, unsigned Words>
inline void store_elements(u8* base, const u32* offsets, u32 active, const u32* const* from) {
  if constexpr (Words > 1) {
    WideElements<Words> elements;
    elements.from_rows(from);
    return elements.store(base, offsets, active);
  }
#if GFXISA_MOVES_VECTORS
  if constexpr (sizeof(T) == 4) return store_words(base, offsets, active, from[0]);
#endif
  const auto store = [&](u32 i, u8* to) {
    const T value = static_cast<T>(from[0][i]);
    copy_guest(to, &value, sizeof value);
  };
  if (is_line(offsets, sizeof(T), active)) {
    u8* const to = base + offsets[0];
    GFXISA_VECTORISE
    for (u32 i = 0; i < lanes_per_call; ++i) store(i, to + i * sizeof(T));
    return;
  }
  each_lane(active, [&](u32 i) { store(i, base + offsets[i]); });
}

/// A lane's access as exec/access.h takes it: a pair of words is one element of 64 bits.
template <class T, unsigned Words, class Load, class LoadWords>
inline void load_one(u32 i, u32* const* to, Load load, LoadWords load_words) {
  if constexpr (Words == 1) {
    to[0][i] = load(T{});
  } else if constexpr (Words == 2) {
    const u64 value = load(u64{});
    to[0][i] = static_cast<u32>(value), to[1][i] = static_cast<u32>(value >> 32);
  } else {
    const u128 value = load_words();
    for (unsigned word = 0; word < Words; ++word) to[word][i] = static_cast<u32>(value >> (32 * word));
  }
}

template <class T, unsigned Words, class Store, class StoreWords>
inline void store_one(u32 i, const u32* const* from, Store store, StoreWords store_words) {
  u32 words[Words];
  for (unsigned word = 0; word < Words; ++word) words[word] = from[word][i];
  if constexpr (Words == 1) {
    store(static_cast<T>(words[0]));
  } else if constexpr (Words == 2) {
    store(joined_words<u64, 2>(words));
  } else {
    store_words(joined_words<u128, Words>(words));
  }
}

template <class T, unsigned Words>
inline void load_memory_rows(const LaneCall& call, const u32* low, const u32* high, u32* const* to) {
  if (const u8* base = common_base(call, low, high, sizeof(T) * Words, false))
    return load_elements<T, Words>(base, low, call.active, to);
  each_lane(call.active, [&](u32 i) {
    Wave& wave = *call.wave;
    const u64 address = join<u64>(low[i], high[i]);
    const u32 lane = call.first_lane + i;
    load_one<T, Words>(
        i, to, [&](auto type) { return load_memory<decltype(type)>(wave, call.step, address, lane); },
        [&] { return load_memory_words<Words>(wave, call.step, address, lane); });
  });
}

template <class T, unsigned Words>
inline void store_memory_rows(const LaneCall& call, const u32* low, const u32* high, const u32* const* from) {
  call.wave->has_stored = true;
  if (u8* base = common_base(call, low, high, sizeof(T) * Words, true))
    return store_elements<T, Words>(base, low, call.active, from);
  each_lane(call.active, [&](u32 i) {
    Wave& wave = *call.wave;
    const u64 address = join<u64>(low[i], high[i]);
    const u32 lane = call.first_lane + i;
    store_one<T, Words>(
        i, from, [&](auto value) { store_memory(wave, call.step, address, lane, value); },
        [&](u128 value) { store_memory_words<Words>(wave, call.step, address, lane, value); });
  });
}

template <class T, unsigned Words>
inline void load_lds_rows(const LaneCall& call, const u32* at, u32* const* to) {
  const DataShare share(*call.wave);
  if (const u8* base = common_base(share, call, at, sizeof(T) * Words))
    return load_elements<T, Words>(base, at, call.active, to);
  each_lane(call.active, [&](u32 i) {
    const u32 lane = call.first_lane + i;
    load_one<T, Words>(
        i, to, [&](auto type) { return load_lds<decltype(type)>(share, at[i], lane); },
        [&] { return load_lds_words<Words>(share, at[i], lane); });
  });
}

template <class T, unsigned Words>
inline void store_lds_rows(const LaneCall& call, const u32* at, const u32* const* from) {
  const DataShare share(*call.wave);
  if (u8* base = common_base(share, call, at, sizeof(T) * Words))
    return store_elements<T, Words>(base, at, call.active, from);
  each_lane(call.active, [&](u32 i) {
    const u32 lane = call.first_lane + i;
    store_one<T, Words>(
        i, from, [&](auto value) { store_lds(share, at[i], lane, value); },
        [&](u128 value) { store_lds_words<Words>(share, at[i], lane, value); });
  });
}

}  // namespace gfxisa::exec::GFXISA_LEVEL
