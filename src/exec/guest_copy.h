// Bytes between memory of the guest and ours. Waves may race there, as they may on a GPU: a kernel that polls a word
// which others change by atomics is a right one. A move of 2, 4, 8 or 16 aligned bytes is one step on the host's
// processor (of 16 where it has AVX, by what AMD and Intel say of it), so a kernel sees what it would see on a GPU;
// ThreadSanitizer, which cannot know that, does not look at these moves.
#pragma once
#include <emmintrin.h>

#include <atomic>
#include <cstring>

#include "base/types.h"

namespace gfxisa::exec {

#if defined(__SANITIZE_THREAD__)

template <class T>
struct [[gnu::packed, gnu::may_alias]] GuestUnit {
  volatile T value;
};

template <class T>
[[gnu::no_sanitize("thread"), gnu::noinline]] inline u32 copy_units(u8* to, const u8* from, u32 done, u32 bytes) {
  for (; bytes - done >= sizeof(T); done += sizeof(T))
    reinterpret_cast<GuestUnit<T>*>(to + done)->value = reinterpret_cast<const GuestUnit<T>*>(from + done)->value;
  return done;
}

inline void copy_guest(void* to, const void* from, u32 bytes) {
  u8* const target = static_cast<u8*>(to);
  const u8* const source = static_cast<const u8*>(from);
  using Quad = u32 __attribute__((vector_size(16)));
  u32 done = copy_units<Quad>(target, source, 0, bytes);
  done = copy_units<u64>(target, source, done, bytes);
  done = copy_units<u32>(target, source, done, bytes);
  done = copy_units<u16>(target, source, done, bytes);
  copy_units<u8>(target, source, done, bytes);
}

/// All moves before are seen by other threads before any move after.
inline void fence_guest() { _mm_mfence(); }

#else

inline void copy_guest(void* to, const void* from, u32 bytes) { std::memcpy(to, from, bytes); }

/// All moves before are seen by other threads before any move after.
inline void fence_guest() { std::atomic_thread_fence(std::memory_order_seq_cst); }

#endif

}  // namespace gfxisa::exec
