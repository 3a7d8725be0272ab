#include "exec/access.h"

#include <algorithm>
#include <utility>

#include "exec/global_sync.h"
#include "exec/interpreter.h"
#include "exec/program.h"
#include "exec/surroundings.h"

namespace gfxisa::exec {
namespace {

/// Hardware registers by number, those that mean something here.
enum HardwareRegister : u32 {
  hwreg_mode = 1,
  hwreg_status = 2,
  hwreg_lds_alloc = 6,
  hwreg_sh_mem_bases = 15,
  hwreg_shader_cycles = 29,
  hwreg_shader_cycles_high = 30,
};

constexpr u32 bank_bits = 0xff000;

constexpr u32 low_ones(u32 size) { return size >= 32 ? ~u32{0} : (u32{1} << size) - 1; }

/// STATUS: SCC in bit 0, EXECZ in 9, VCCZ in 10.
u32 status_of(const Wave& wave) {
  return (wave.scc & 1) | (wave.exec() == 0 ? 1u << 9 : 0) | (wave.vcc() == 0 ? 1u << 10 : 0);
}

u32 hardware_register(const Wave& wave, u32 id) {
  switch (id) {
    case hwreg_mode:
      return wave.mode;
    case hwreg_status:
      return status_of(wave);
    case hwreg_lds_alloc:
      return static_cast<u32>((wave.workgroup->lds_bytes + 511) / 512 << 12);
    case hwreg_sh_mem_bases:
      return static_cast<u32>(wave.shared_aperture >> 48 << 16) | static_cast<u32>(wave.private_aperture >> 48);
    case hwreg_shader_cycles:
      return static_cast<u32>(read_clock(wave));
    case hwreg_shader_cycles_high:
      return static_cast<u32>(read_clock(wave) >> 32);
    default:
      return 0;
  }
}

/// The data share through a flat address; nullptr outside.
u8* shared_memory(const Wave& wave, u32 at, u32 bytes) {
  return u64{at} + bytes <= wave.workgroup->lds_bytes ? wave.workgroup->lds + at : nullptr;
}

/// A lane's scratch through a flat address. Interleaved scratch has a place for what lies within one word only.
u8* private_memory(const Wave& wave, u32 at, u32 bytes, u32 lane) {
  const u32 size = wave.scratch.lane_bytes;
  if (wave.scratch.base == nullptr || at > size || bytes > size - at) return nullptr;
  lane %= wave.wave_size();
  if (!wave.scratch.is_interleaved) return wave.scratch.base + u64{lane} * size + at;
  if (at % 4 + bytes > 4) return nullptr;
  return wave.scratch.base + (u64{at / 4} * wave.wave_size() + lane) * 4 + at % 4;
}

/// Calls f(place, first byte, number of bytes) for the parts of an access, each of which is in one piece.
template <class F>
void each_part(Wave& wave, u64 address, u32 bytes, u32 lane, bool is_store, F f) {
  if (!is_interleaved(wave, address)) {
    if (u8* place = resolve_memory(wave, address, bytes, lane, is_store)) f(place, 0u, bytes);
    return;
  }
  for (u32 done = 0, size = 0; done < bytes; done += size) {
    size = std::min(bytes - done, 4 - static_cast<u32>((address + done) % 4));
    u8* const place = resolve_memory(wave, address + done, size, lane, is_store);
    if (place == nullptr) return;
    f(place, done, size);
  }
}

/// A lane's scratch by the address that CDNA 5 gives it: the wave's base plus the lane's number in the uppermost bits.
u8* numbered_private_memory(const Wave& wave, u64 address, u32 bytes) {
  const u64 lane = address >> wave.private_lane_shift;
  const u64 at = (address & ((u64{1} << wave.private_lane_shift) - 1)) - reinterpret_cast<u64>(wave.scratch.base);
  if (lane >= wave.wave_size() || at > wave.scratch.lane_bytes) return nullptr;
  return private_memory(wave, static_cast<u32>(at), bytes, static_cast<u32>(lane));
}

/// The global wave sync; records a fault where a wave runs without.
GlobalSync* sync_of(Wave& wave) {
  if (wave.workgroup->sync == nullptr) wave.fail(FaultKind::not_executable, 0, 0, 0);
  return wave.workgroup->sync;
}

bool is_in(u64 aperture, u64 address) { return aperture != 0 && address >> 32 == aperture >> 32; }

/// The wave's scratch or a range of the map, whichever holds all of an access.
bool find_range(const Wave& wave, u64 address, u32 bytes, MemoryRange& range) {
  const u64 scratch = reinterpret_cast<u64>(wave.scratch.base);
  range = {scratch, scratch + u64{wave.wave_size()} * wave.scratch.lane_bytes, true};
  if (scratch != 0 && range.contains(address, bytes)) return true;
  const MemoryRange* mapped = wave.memory == nullptr ? nullptr : wave.memory->find(address, bytes);
  if (mapped != nullptr) range = *mapped;
  return mapped != nullptr;
}

/// Memory that came after the dispatch began, or that has a second address. Looked up each time: ranges of the map stay
/// what they are for a dispatch, these need not.
u8* later_memory(Wave& wave, u64 address, u32 bytes, u32 lane, bool is_store) {
  MemoryRange range;
  if (surroundings == nullptr || !surroundings->find_memory(address, bytes, range)) return nullptr;
  if (!is_store || range.is_writable) return reinterpret_cast<u8*>(address);
  wave.fail(FaultKind::read_only, address, bytes, lane);
  return nullptr;
}

}  // namespace

thread_local const Surroundings* surroundings = nullptr;

void write_mode(Wave& wave, u32 value) {
  wave.mode = value;
  wave.control = float_control(value);
}

const Step* jump(Wave& wave, u64 address) {
  const Step* step = wave.program->step_at(address - wave.code_base);
  if (step == nullptr) {
    wave.fail(FaultKind::end_of_code, address, 4, 0);
  } else if (step->banks != 0 || (wave.mode & bank_bits) != 0) {
    if (step->banks != register_banks(wave) && wave.program->has_banks())
      wave.fail(FaultKind::other_banks, address, 4, 0);
  }
  return step;
}

u8* resolve_memory(Wave& wave, u64 address, u32 bytes, u32 lane, bool is_store) {
  u8* place = nullptr;
  if (is_in(wave.shared_aperture, address)) {
    place = shared_memory(wave, static_cast<u32>(address), bytes);
  } else if (is_in(wave.private_aperture, address)) {
    place = private_memory(wave, static_cast<u32>(address), bytes, lane);
  } else if (wave.private_lane_shift != 0 && address >> wave.private_lane_shift != 0) {
    place = numbered_private_memory(wave, address, bytes);
  } else {
    if (move_window(wave, address, bytes, is_store)) return reinterpret_cast<u8*>(address);
    MemoryRange range;
    if (is_store && find_range(wave, address, bytes, range)) {
      wave.fail(FaultKind::read_only, address, bytes, lane);
      return nullptr;
    }
    place = later_memory(wave, address, bytes, lane, is_store);
  }
  if (place == nullptr) wave.fail(FaultKind::bad_address, address, bytes, lane);
  return place;
}

bool move_window(Wave& wave, u64 address, u32 bytes, bool is_store) {
  if (!is_store && wave.other_window.contains(address, bytes)) {
    std::swap(wave.load_window, wave.other_window);
    return true;
  }
  MemoryRange range;
  if (!find_range(wave, address, bytes, range) || (is_store && !range.is_writable)) return false;
  if (is_store) {
    wave.store_window = MemoryWindow(range);
  } else {
    wave.other_window = wave.load_window;
    wave.load_window = MemoryWindow(range);
  }
  return true;
}

void load_scalar_elsewhere(Wave& wave, u64 address, unsigned words, u32* out) {
  MemoryRange range;
  if (find_range(wave, address, words * 4, range)) {
    wave.scalar_window = MemoryWindow(range);
    return copy_guest(out, reinterpret_cast<const u8*>(address), words * 4);
  }
  std::memset(out, 0, words * 4);
  if (const u8* at = guest_memory(wave, address, words * 4, 0, false)) copy_guest(out, at, words * 4);
}

void load_elsewhere(Wave& wave, u64 address, void* to, u32 bytes, u32 lane) {
  each_part(wave, address, bytes, lane, false,
            [&](const u8* place, u32 first, u32 size) { copy_guest(static_cast<u8*>(to) + first, place, size); });
}

void store_elsewhere(Wave& wave, u64 address, const void* from, u32 bytes, u32 lane) {
  each_part(wave, address, bytes, lane, true,
            [&](u8* place, u32 first, u32 size) { copy_guest(place, static_cast<const u8*>(from) + first, size); });
}

bool miss_lds(Wave& wave, u32 at, u32 bytes, u32 lane) {
  if (wave.workgroup->faults_outside_lds) wave.fail(FaultKind::outside_lds, at, bytes, lane);
  return false;
}

const Step* end_wave(Wave& wave, const Step*) {
  wave.has_ended = true;
  wave.next = nullptr;
  return nullptr;
}

// Barriers -2 and -4 are the trap handler's, -3 is a cluster's: outside a cluster nothing happens. 0 is no barrier.
constexpr i32 workgroup_barrier = -1;

void barrier_arrive(Wave& wave, const Step*, i32 id) {
  if (id == workgroup_barrier) {
    wave.barrier_phase = wave.workgroup->barrier.phase;
    wave.workgroup->arrive();
  } else if (Barrier* named = wave.workgroup->named_barrier(id)) {
    named->arrive();
  }
}

u32 read_barrier(const Wave& wave, i32 id, u32 question) {
  Workgroup& group = *wave.workgroup;
  if (question == 2) return wave.joined_barrier;
  if (question == 3) return group.named_barriers;
  if (id == workgroup_barrier) return question == 0 ? group.barrier.arrived : group.live_waves;
  const Barrier* named = group.named_barrier(id);
  return named == nullptr ? 0 : question == 0 ? named->arrived : named->members;
}

void set_barrier_members(Wave& wave, i32 id, u32 members) {
  if (Barrier* named = wave.workgroup->named_barrier(id)) named->set_members(members);
}

void clear_barrier(Wave& wave, i32 id) {
  if (Barrier* named = wave.workgroup->named_barrier(id)) named->arrived = 0;
}

void join_barrier(Wave& wave, i32 id) {
  const Barrier* named = wave.workgroup->named_barrier(id);
  wave.joined_barrier = named == nullptr ? 0 : static_cast<u32>(id);
  if (named != nullptr) wave.named_phase = named->phase;
}

const Step* barrier_wait(Wave& wave, const Step* step, i32 id) {
  const bool waits = id == workgroup_barrier || (id >= 0 && wave.joined_barrier != 0);
  if (!waits) return step + 1;
  wave.next = step + 1;
  wave.waits_for_named = id >= 0;
  wave.is_waiting = true;
  if (wave.is_blocked()) return nullptr;
  wave.stop_waiting();
  return step + 1;
}

void gws_init(Wave& wave, const Step*, u32 id, u32 count) {
  if (GlobalSync* sync = sync_of(wave)) sync->init(id, count);
}

void gws_add(Wave& wave, const Step*, u32 id, u32 count) {
  if (GlobalSync* sync = sync_of(wave)) sync->add(id, count);
}

void gws_free(Wave& wave, const Step*, u32 id) {
  if (GlobalSync* sync = sync_of(wave)) sync->free(id);
}

const Step* gws_take(Wave& wave, const Step* step, u32 id) {
  GlobalSync* sync = sync_of(wave);
  if (sync != nullptr && sync->take(id, wave)) return step + 1;
  wave.next = step;
  return nullptr;
}

const Step* gws_barrier(Wave& wave, const Step* step, u32 id, u32 next_count) {
  GlobalSync* sync = sync_of(wave);
  if (sync != nullptr && sync->arrive(id, next_count, wave)) return step + 1;
  wave.next = step + 1;
  return nullptr;
}
// MODE keeps the destination's bits lowest, the instruction has them highest.
void set_register_banks(Wave& wave, u32 banks) {
  write_mode(wave, (wave.mode & ~bank_bits) | ((banks & 63) << 14) | ((banks >> 6 & 3) << 12));
}

u32 register_banks(const Wave& wave) { return (wave.mode >> 14 & 63) | (wave.mode >> 12 & 3) << 6; }

void halt(Wave& wave) { wave.fail(FaultKind::halted, 0, 0, 0); }

void send_message(Wave&, const Step*, u32 message) {
  if (surroundings != nullptr) surroundings->message(message);
}

const Step* sleep_cycles(Wave& wave, const Step* step, u32) {
  wave.next = step + 1;
  return nullptr;
}

void trap(Wave& wave, const Step*, u32 number) { wave.fail(FaultKind::trap, 0, 0, 0, number); }

u32 read_hwreg(const Wave& wave, const Step*, u32 id, u32 offset, u32 size) {
  return offset >= 32 ? 0 : hardware_register(wave, id) >> offset & low_ones(size);
}

void write_hwreg(Wave& wave, const Step*, u32 id, u32 offset, u32 size, u32 value) {
  if (id != hwreg_mode || offset >= 32) return;
  const u32 bits = low_ones(size) << offset;
  write_mode(wave, (wave.mode & ~bits) | (value << offset & bits));
}

}  // namespace gfxisa::exec
