#include "exec/interpreter.h"

#include <immintrin.h>

#include <utility>

#include "exec/access.h"
#include "exec/observer.h"
#include "exec/program.h"
#include "inst/tables.h"

namespace gfxisa::exec {
namespace {

// ------------------------------------------------------------------------------------------- floating-point mode

constexpr u32 mxcsr_masked = 0x1f80;  // all exceptions masked
constexpr u32 flush_to_zero = 1u << 15, denormals_are_zero = 1u << 6;

/// MODE's rounding: 0 nearest even, 1 up, 2 down, 3 zero. MXCSR's: 0 nearest even, 1 down, 2 up, 3 zero.
constexpr u32 rounding_bits(u32 mode_field) {
  constexpr u32 table[] = {0, 2, 1, 3};
  return table[mode_field & 3] << 13;
}

/// MODE's denormal field: bit 0 keeps denormal inputs, bit 1 keeps denormal results.
constexpr u32 denormal_bits(u32 mode_field) {
  return (mode_field & 1 ? 0 : denormals_are_zero) | (mode_field & 2 ? 0 : flush_to_zero);
}

}  // namespace

static void refresh(Wave& wave) {
  u32* file = wave.scalar_file();
  file[slot_scc] = wave.scc;
  file[slot_vccz] = wave.vcc() == 0;
  file[slot_execz] = wave.exec() == 0;
}

const Step* refresh_specials(Wave& wave, const Step* step) {
  refresh(wave);
  return step[1].run(wave, step + 1);  // called from here, so that it is not counted as an instruction
}

namespace {

/// Bit of M0 that says whether an operand's register number counts from the index; 0 for other operands.
u32 index_bit(std::string_view slot) {
  return slot == "a" ? 1u << 12 : slot == "b" ? 1u << 13 : slot == "c" ? 1u << 14 : slot == "d" ? 1u << 15 : 0;
}

void move_operand(const Wave& wave, OperandRef& ref) {
  if (ref.space == 0 && !ref.is_scalar && !ref.is_mask && ref.offset >= scalar_file_words * 4)
    ref.offset += (read_m0(wave) & 0xff) * wave.row_bytes();
}

/// A copy of a step whose vector operands count from M0's index; false when one is beyond the wave's registers.
bool indexed(const Wave& wave, Step& step) {
  const Tables& all = tables();
  const InstructionRow& row = all.instructions[all.forms[step.form].instruction];
  unsigned input = 0, output = 0;
  const u32 end = wave.row_offset(wave.vector_registers());
  for (unsigned s = 0; s < row.slot_count; ++s) {
    const SlotRow& slot = all.slots[row.first_slot + s];
    if ((slot.chips >> wave.program->chip() & 1) == 0 || slot.is_named || slot.access == Access::imm) continue;
    const bool is_moved = (read_m0(wave) & index_bit(all.text(slot.name))) != 0;
    for (OperandRef* ref : {slot.access != Access::out ? &step.in[input++] : nullptr,
                            slot.access != Access::in ? &step.out[output++] : nullptr}) {
      if (ref == nullptr || !is_moved) continue;
      move_operand(wave, *ref);
      if (ref->space == 0 && ref->offset + ref->rows * wave.row_bytes() > end && !ref->is_scalar && !ref->is_mask)
        return false;
    }
  }
  return true;
}

constexpr u32 index_mode = 1u << 27;

}  // namespace

const Step* run_indexed(Wave& wave, const Step* step) {
  const Step* at = step + 1;
  for (u32 count = 0; (wave.mode & index_mode) != 0; ++count) {
    if (at->run == refresh_specials) {
      refresh(wave);
      ++at;
      continue;
    }
    Step copy = *at;
    const bool is_vector = copy.kernel != nullptr && copy.semantics != no_semantics && !copy.has_effects &&
                           tables().semantics[copy.semantics].kind == BodyKind::lane;
    // The mode spans a few instructions in straight line; a wave cannot be left while it is on.
    constexpr u32 longest = 1u << 16;
    if (is_vector && !indexed(wave, copy)) wave.fail(FaultKind::bad_register, 0, 4, 0, read_m0(wave) & 0xff);
    if (is_vector) copy.run = host_handlers().choose(copy, wave.wave_size());
    const Step* next = wave.fault || count == longest ? nullptr : copy.run(wave, &copy);
    ++wave.executed;
    if (next == nullptr) {
      if (!wave.fault && !wave.has_ended) wave.fail(FaultKind::not_executable, 0, 0, 0);
      wave.fault.code_address = wave.code_base + at->code_offset;
      return nullptr;
    }
    at = next == &copy + 1 ? at + 1 : next;
  }
  return at;
}

const Step* run_one_then_next(Wave& wave, const Step* step) {
  step->alone(wave, step);
  return step[1].run(wave, step + 1);
}

const Step* scale_offset(Wave& wave, const Step* step) {
  wave.scalar_file()[slot_scaled] = read_scalar<u32>(wave, step, 0) * static_cast<u32>(step->immediates[0]);
  return step[1].run(wave, step + 1);
}

const Step* run_scalar_checked(Wave& wave, const Step* step) {
  want_control(wave, step);
  const Step* next = step->inner(wave, step);
  return wave.fault ? nullptr : next;
}

const Step* run_scalar_float(Wave& wave, const Step* step) {
  want_control(wave, step);
  return step->inner(wave, step);
}

const Step* do_nothing(Wave&, const Step* step) { return step + 1; }

const Step* fault_bad_instruction(Wave& wave, const Step*) {
  wave.fail(FaultKind::bad_instruction, 0, 0, 0);
  return nullptr;
}

const Step* fault_not_executable(Wave& wave, const Step*) {
  wave.fail(FaultKind::not_executable, 0, 0, 0);
  return nullptr;
}

const Step* fault_end_of_code(Wave& wave, const Step*) {
  wave.fail(FaultKind::end_of_code, 0, 0, 0);
  return nullptr;
}

FloatControl float_control(u32 mode) {
  return {mxcsr_masked | rounding_bits(mode) | denormal_bits(mode >> 4),
          mxcsr_masked | rounding_bits(mode >> 2) | denormal_bits(mode >> 6)};
}

namespace {

/// Nobody watches: nothing is done around an instruction.
struct Unwatched {
  void before(const Wave&, const Step&) const {}
  void after(const Wave&, const Step&) const {}
};

struct Watched {
  std::span<Observer* const> observers;
  void before(const Wave& wave, const Step& step) const {
    for (Observer* observer : observers) observer->before(wave, step);
  }
  void after(const Wave& wave, const Step& step) const {
    for (Observer* observer : observers) observer->after(wave, step);
  }
};

template <class Watch>
WaveState run_watched(Wave& wave, u64 slice, HostControl& control, Watch watch) {
  wave.current_control = control.current;
  wave.stop_waiting();
  const Step* step = wave.next;
  const Step* last = step;
  u64 left = slice;
  while (step != nullptr && left != 0) {
    --left;
    last = step;
    watch.before(wave, *last);
    step = step->run(wave, step);
    watch.after(wave, *last);
  }
  control.current = wave.current_control;
  wave.executed += slice - left;
  if (wave.fault) {
    wave.next = nullptr;
    if (wave.fault.code_address == 0) wave.fault.code_address = wave.code_base + last->code_offset;
    return WaveState::faulted;
  }
  if (step != nullptr) {
    wave.next = step;
    return WaveState::running;
  }
  if (wave.has_ended) return WaveState::ended;
  const bool waits = wave.is_waiting || wave.sync_wait.kind != SyncWait::Kind::none;
  return waits ? WaveState::waiting : WaveState::running;  // it sleeps
}

}  // namespace

WaveState run_wave(Wave& wave, u64 slice, HostControl& control) {
  return run_watched(wave, slice, control, Unwatched{});
}

WaveState run_wave_observed(Wave& wave, u64 slice, HostControl& control, std::span<Observer* const> observers) {
  return run_watched(wave, slice, control, Watched{observers});
}

}  // namespace gfxisa::exec
