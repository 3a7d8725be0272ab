#include "exec/access.h"

#include "exec/interpreter.h"
#include "exec/program.h"

namespace gfxisa::exec {
namespace {

// Hardware register numbers that programs use; the others read as 0 and swallow writes.
constexpr u32 hwreg_mode = 1, hwreg_status = 2;

u32 ones(u32 size) { return size >= 32 ? ~u32{0} : (u32{1} << size) - 1; }

/// Flat addresses in the LDS and scratch apertures.
u8* resolve_aperture(Wave& wave, u64 address, u32 bytes, u32 lane) {
  const u64 high = address & 0xffffffff00000000u;
  const u32 low = static_cast<u32>(address);
  if (wave.shared_aperture != 0 && high == wave.shared_aperture) {
    return in_lds(wave, low, bytes) ? wave.workgroup->lds + low : nullptr;
  }
  if (wave.private_aperture != 0 && high == wave.private_aperture) {
    const bool fits = low <= wave.scratch.lane_bytes && bytes <= wave.scratch.lane_bytes - low;
    return fits ? wave.scratch.base + u64{lane} * wave.scratch.lane_bytes + low : nullptr;
  }
  return nullptr;
}

}  // namespace

u8* resolve_memory(Wave& wave, u64 address, u32 bytes, u32 lane, bool is_store) {
  if (u8* special = resolve_aperture(wave, address, bytes, lane)) return special;
  const MemoryRange* range = wave.memory->find(address, bytes);
  if (range == nullptr || (is_store && !range->is_writable)) {
    wave.fail(range == nullptr ? FaultKind::bad_address : FaultKind::read_only, address, bytes, lane);
    return nullptr;
  }
  wave.cached_range = *range;
  return reinterpret_cast<u8*>(address);
}

void write_mode(Wave& wave, u32 value) {
  wave.mode = value;
  wave.control = float_control(value);
}

const Step* jump(Wave& wave, u64 address) {
  const Step* step = wave.program->step_at(address - wave.code_base);
  if (step == nullptr) wave.fail(FaultKind::end_of_code, address, 0, 0);
  return step;
}

const Step* end_wave(Wave& wave, const Step*) {
  wave.has_ended = true;
  wave.next = nullptr;
  return nullptr;
}

void barrier_arrive(Wave& wave, const Step*, i32) {
  wave.barrier_phase = wave.workgroup->barrier.phase;
  wave.workgroup->arrive();
}

const Step* barrier_wait(Wave& wave, const Step* step, i32) {
  if (wave.workgroup->barrier.phase != wave.barrier_phase) return step + 1;
  wave.next = step + 1;
  wave.is_waiting = true;
  return nullptr;
}

void send_message(Wave&, const Step*, u32) {}

void trap(Wave& wave, const Step*, u32 number) { wave.fail(FaultKind::trap, 0, 0, 0, number); }

u32 read_hwreg(const Wave& wave, const Step*, u32 id, u32 offset, u32 size) {
  const u32 value = id == hwreg_mode ? wave.mode : id == hwreg_status ? wave.status_bits : 0;
  return offset >= 32 ? 0 : value >> offset & ones(size);
}

void write_hwreg(Wave& wave, const Step*, u32 id, u32 offset, u32 size, u32 value) {
  if (id != hwreg_mode || offset >= 32) return;
  const u32 mask = ones(size) << offset;
  write_mode(wave, (wave.mode & ~mask) | (value << offset & mask));
}

}  // namespace gfxisa::exec
