// How kernels reach the machine: the functions that generated code calls. Inline where a kernel's speed depends on it.
//
// Names and numbering of operands are those of exec/kernel_abi.h. Functions that can fault record the fault in the wave
// and give zeros; the interpreter looks at wave.fault after each step with effects.
#pragma once
#include <cstring>
#include <utility>

#include "base/types.h"
#include "exec/guest_copy.h"
#include "exec/step.h"
#include "machine/wave.h"

namespace gfxisa::exec {

// ------------------------------------------------------------------------------------------- scalar operands

template <class T>
inline T read_scalar(const Wave& wave, const Step* step, unsigned input) {
  const OperandRef& ref = step->in[input];
  T value;
  std::memcpy(&value, wave.bases[ref.space] + ref.offset, sizeof value);
  return value;
}

template <class T>
inline void write_scalar(Wave& wave, const Step* step, unsigned output, T value) {
  std::memcpy(wave.bases[0] + step->out[output].offset, &value, sizeof value);
}

template <unsigned Words>
inline void read_scalar_words(const Wave& wave, const Step* step, unsigned input, u32* out) {
  const OperandRef& ref = step->in[input];
  std::memcpy(out, wave.bases[ref.space] + ref.offset, Words * 4);
}

template <unsigned Words>
inline void write_scalar_words(Wave& wave, const Step* step, unsigned output, const u32* words) {
  std::memcpy(wave.bases[0] + step->out[output].offset, words, Words * 4);
}

inline u32 read_clamp(const Step* step) { return step->clamps ? 1 : 0; }
inline i64 immediate(const Step* step, unsigned number) { return step->immediates[number]; }

// ------------------------------------------------------------------------------------------- named registers

inline u64 read_exec(const Wave& wave) { return wave.exec(); }
inline void write_exec(Wave& wave, u64 value) { wave.set_exec(value); }
inline u64 read_vcc(const Wave& wave) { return wave.vcc(); }
inline void write_vcc(Wave& wave, u64 value) { wave.set_vcc(value); }
inline u32 read_m0(const Wave& wave) { return wave.scalar_file()[wave.m0_code]; }
inline void write_m0(Wave& wave, u32 value) { wave.scalar_file()[wave.m0_code] = value; }
inline u32 read_mode(const Wave& wave) { return wave.mode; }
/// Sets MODE and what it means for the host's MXCSR.
void write_mode(Wave& wave, u32 value);

inline u32 read_sgpr(const Wave& wave, u32 number) { return number < 128 ? wave.scalar_file()[number] : 0; }
inline void write_sgpr(Wave& wave, u32 number, u32 value) {
  if (number < 128)
    wave.scalar_file()[number] = value;
  else
    wave.fail(FaultKind::bad_register, 0, 4, 0, number);
}

/// Number of the first register that an operand names; all ones where it is no register.
inline u32 register_number(const Wave& wave, const OperandRef& ref) {
  constexpr u32 scalar_bytes = scalar_file_words * 4;
  if (ref.space != 0) return ~u32{0};
  return ref.offset < scalar_bytes ? ref.offset / 4 : (ref.offset - scalar_bytes) / wave.row_bytes();
}

inline u64 next_pc(const Wave& wave, const Step* step) { return wave.code_base + step->next_offset; }
/// The step at an address of the program; records a fault and gives nullptr when there is none.
const Step* jump(Wave& wave, u64 address);

// ------------------------------------------------------------------------------------------- lanes

inline u32 read_vgpr(const Wave& wave, u32 number, u32 lane) {
  return number < wave.vector_registers() ? wave.row(number)[lane % wave.wave_size()] : 0;
}
inline void write_vgpr(Wave& wave, u32 number, u32 lane, u32 value) {
  if (number < wave.vector_registers())
    wave.row(number)[lane % wave.wave_size()] = value;
  else
    wave.fail(FaultKind::bad_register, 0, 4, lane, number);
}

/// Word `word` of an input's lane; a scalar input is the same for every lane.
inline u32 read_lane(const Wave& wave, const Step* step, unsigned input, u32 lane, unsigned word) {
  const OperandRef& ref = step->in[input];
  u32 value;
  const u8* base = wave.bases[ref.space] + ref.offset;
  if (ref.is_mask) {
    u64 mask;
    std::memcpy(&mask, base, 8);
    return mask >> (lane & 63) & 1;
  }
  const u32 at = ref.is_scalar ? word * 4 : word * ref.row_stride + (lane / 32) * ref.half_stride + lane % 32 * 4;
  std::memcpy(&value, base + at, 4);
  return value;
}

inline void write_lane(Wave& wave, const Step* step, unsigned output, u32 lane, unsigned word, u32 value) {
  const OperandRef& ref = step->out[output];
  const u32 at = ref.is_scalar ? word * 4 : word * ref.row_stride + (lane / 32) * ref.half_stride + lane % 32 * 4;
  std::memcpy(wave.bases[0] + ref.offset + at, &value, 4);
}

// ------------------------------------------------------------------------------------------- memory

/// Host address for an access, or nullptr after recording the fault.
u8* resolve_memory(Wave& wave, u64 address, u32 bytes, u32 lane, bool is_store);

inline u8* guest_memory(Wave& wave, u64 address, u32 bytes, u32 lane, bool is_store) {
  const MemoryWindow& window = is_store ? wave.store_window : wave.load_window;
  if (window.contains(address)) return reinterpret_cast<u8*>(address);
  return resolve_memory(wave, address, bytes, lane, is_store);
}

/// Makes the range that holds all of an access the window of loads or stores; false when there is none that allows it.
/// What was the window of loads stays at hand: many kernels read two arrays by turns.
bool move_window(Wave& wave, u64 address, u32 bytes, bool is_store);

/// Loads and stores outside the windows; in parts where a lane's scratch is not in one piece.
void load_elsewhere(Wave& wave, u64 address, void* to, u32 bytes, u32 lane);
void store_elsewhere(Wave& wave, u64 address, const void* from, u32 bytes, u32 lane);

/// Whether an address means scratch that lies in words between those of other lanes.
inline bool is_interleaved(const Wave& wave, u64 address) {
  return wave.scratch.is_interleaved && address >> 32 == wave.private_aperture >> 32;
}

template <class T>
inline T load_memory(Wave& wave, const Step*, u64 address, u32 lane) {
  T value{};
  if (wave.load_window.contains(address))
    copy_guest(&value, reinterpret_cast<const u8*>(address), sizeof value);
  else
    load_elsewhere(wave, address, &value, sizeof value, lane);
  return value;
}

template <class T>
inline void store_memory(Wave& wave, const Step*, u64 address, u32 lane, T value) {
  wave.has_stored = true;
  if (wave.store_window.contains(address))
    copy_guest(reinterpret_cast<u8*>(address), &value, sizeof value);
  else
    store_elsewhere(wave, address, &value, sizeof value, lane);
}

/// Replaces the word x at `address` by f(x) in one step; gives x. Other threads may update the same word: a real
/// atomic.
template <class T, class F>
inline T update_memory(Wave& wave, const Step* step, u64 address, u32 lane, F f) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  if (address % sizeof(T) != 0) {
    wave.fail(FaultKind::misaligned, address, sizeof(T), lane);
    return {};
  }
  if (sizeof(T) > 4 && is_interleaved(wave, address)) {  // nobody else has it
    const T old = load_memory<T>(wave, step, address, lane);
    store_memory<T>(wave, step, address, lane, static_cast<T>(f(old)));
    return old;
  }
  u8* at = guest_memory(wave, address, sizeof(T), lane, true);
  if (at == nullptr) return {};
  T* word = reinterpret_cast<T*>(at);
  T old = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(word, &old, static_cast<T>(f(old)), false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
  }
  return old;
}

/// Outside the window of scalar loads: makes it the range that holds the words.
void load_scalar_elsewhere(Wave& wave, u64 address, unsigned words, u32* out);

/// `words` words from `address` (a multiple of 4) through the scalar cache.
inline void load_scalar_memory(Wave& wave, const Step*, u64 address, unsigned words, u32* out) {
  if (wave.scalar_window.contains(address, words * 4)) {
    copy_guest(out, reinterpret_cast<const u8*>(address), words * 4);
    return;
  }
  load_scalar_elsewhere(wave, address, words, out);
}

// ------------------------------------------------------------------------------------------- data share
// Outside the share loads give 0 and stores do nothing, as the hardware does; in a dispatch it is a fault as well.

/// The data share as one instruction sees it, so that stores to it need not be thought to change where it lies.
struct DataShare {
  explicit DataShare(Wave& of) : wave(of), start(of.workgroup->lds), bytes(of.workgroup->lds_bytes) {}
  Wave& wave;
  u8* const start;
  const u64 bytes;
  bool has(u32 at, u32 size) const { return u64{at} + size <= bytes; }
};
/// Records the fault of an access outside, where it is one; always false.
bool miss_lds(Wave& wave, u32 at, u32 bytes, u32 lane);
inline bool reach_lds(const DataShare& share, u32 at, u32 bytes, u32 lane) {
  return share.has(at, bytes) || miss_lds(share.wave, at, bytes, lane);
}

template <class T>
inline T load_lds(const DataShare& share, u32 at, u32 lane) {
  T value{};
  if (reach_lds(share, at, sizeof value, lane)) std::memcpy(&value, share.start + at, sizeof value);
  return value;
}

template <class T>
inline void store_lds(const DataShare& share, u32 at, u32 lane, T value) {
  if (reach_lds(share, at, sizeof value, lane)) std::memcpy(share.start + at, &value, sizeof value);
}

/// A workgroup runs on one thread, so reading and writing back is one step.
template <class T, class F>
inline T update_lds(const DataShare& share, u32 at, u32 lane, F f) {
  T old{};
  if (!reach_lds(share, at, sizeof old, lane)) return old;
  std::memcpy(&old, share.start + at, sizeof old);
  const T changed = static_cast<T>(f(old));
  std::memcpy(share.start + at, &changed, sizeof changed);
  return old;
}

// ------------------------------------------------------------------------------------------- effects on the wave

/// Ends the wave; always nullptr.
const Step* end_wave(Wave& wave, const Step* step);
void barrier_arrive(Wave& wave, const Step* step, i32 id);
/// The next step when the barrier is complete, else nullptr: the wave goes on there later.
const Step* barrier_wait(Wave& wave, const Step* step, i32 id);
/// Global wave sync: see exec/global_sync.h.
void gws_init(Wave& wave, const Step* step, u32 id, u32 count);
void gws_add(Wave& wave, const Step* step, u32 id, u32 count);
void gws_free(Wave& wave, const Step* step, u32 id);
/// As barrier_wait.
const Step* gws_take(Wave& wave, const Step* step, u32 id);
const Step* gws_barrier(Wave& wave, const Step* step, u32 id, u32 next_count);
u32 read_barrier(const Wave& wave, i32 id, u32 question);
void set_barrier_members(Wave& wave, i32 id, u32 members);
void clear_barrier(Wave& wave, i32 id);
void join_barrier(Wave& wave, i32 id);
/// High bits of vector register numbers; kept in MODE. Steps are made with those that were set before them in the code,
/// and jump() faults where a branch comes with others.
void set_register_banks(Wave& wave, u32 banks);
u32 register_banks(const Wave& wave);
/// Runs what follows `step` with register numbers that count from M0, up to where MODE ends that; then the next step.
const Step* run_indexed(Wave& wave, const Step* step);
/// The tile that inputs 0 to 3 describe, between memory and the data share.
void copy_tile(Wave& wave, const Step* step, bool is_store);
void halt(Wave& wave);
void send_message(Wave& wave, const Step* step, u32 message);
/// What the wave stored is seen by all before it goes on: processors of hosts let loads overtake stores. Nothing else
/// is ever in flight here.
inline void wait_counters(Wave& wave, const Step*, u32) {
  if (std::exchange(wave.has_stored, false)) fence_guest();
}
void trap(Wave& wave, const Step* step, u32 number);
/// Other waves have their turn; the wave goes on after them.
const Step* sleep_cycles(Wave& wave, const Step* step, u32 cycles);
inline u64 read_clock(const Wave& wave) { return wave.executed * 4; }
u32 read_hwreg(const Wave& wave, const Step* step, u32 id, u32 offset, u32 size);
void write_hwreg(Wave& wave, const Step* step, u32 id, u32 offset, u32 size, u32 value);

}  // namespace gfxisa::exec
