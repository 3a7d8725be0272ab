#include "exec/program.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <string_view>

#include "codec/decode.h"
#include "exec/interpreter.h"
#include "exec/step_builder.h"
#include "machine/wave.h"

namespace gfxisa::exec {
namespace {

/// Kernels and handlers of one SIMD level.
struct Level {
  const KernelSet& kernels;
  const HandlerSet& handlers;
};

Level choose_level() {
  [[maybe_unused]] const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                                         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("f16c");
  [[maybe_unused]] const bool has_avx512 = has_avx2 && __builtin_cpu_supports("avx512f") &&
                                           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                                           __builtin_cpu_supports("avx512vl");
  const char* wish = std::getenv("GFXISA_SIMD");
  [[maybe_unused]] const std::string_view wanted = wish == nullptr ? "" : wish;
#ifdef GFXISA_HAS_avx512
  if (has_avx512 && wanted != "avx2" && wanted != "baseline") return {kernels_avx512, handlers_avx512};
#endif
#ifdef GFXISA_HAS_avx2
  if (has_avx2 && wanted != "baseline") return {kernels_avx2, handlers_avx2};
#endif
#if defined(GFXISA_HAS_baseline)
  return {kernels_baseline, handlers_baseline};
#elif defined(GFXISA_HAS_avx2)
  return {kernels_avx2, handlers_avx2};
#else
  return {kernels_avx512, handlers_avx512};
#endif
}

const Level& host_level() {
  static const Level chosen = choose_level();
  return chosen;
}

}  // namespace

const KernelSet& host_kernels() { return host_level().kernels; }
const HandlerSet& host_handlers() { return host_level().handlers; }

void Program::Free::operator()(u8* start) const { ::operator delete (start, std::align_val_t{64}); }

bool VectorLimits::hold(u64 first, u32 count) const {
  const u64 end = first + count;
  return end <= vectors ||
         (first >= Program::first_accumulator && end <= Program::first_accumulator + u64{accumulators});
}

Program::Program(unsigned chip, unsigned wave_size, std::span<const u8> code, const VectorLimits& limits)
    : chip_(chip), wave_size_(wave_size), limits_(limits), code_(code), step_of_word_(code.size() / 4 + 1) {
  ConstantPool pool;
  StepBuilder builder(*this, pool);
  for (u64 offset = 0; offset + 4 <= code.size();) {
    const std::size_t first = steps_.size();
    const Decoded decoded = decode(chip, code.subspan(offset), wave_size);
    u64 size = 4;
    if (decoded) {
      size = decoded.instruction.size;
      builder.add(decoded.instruction, static_cast<u32>(offset));
      if (const auto second = second_of(decoded.instruction)) builder.add_second(*second, static_cast<u32>(offset));
    } else {
      builder.add_plain(fault_bad_instruction, static_cast<u32>(offset), 4);
    }
    step_of_word_[offset / 4] = static_cast<u32>(first) + 1;
    offset += size;
  }
  // A branch to the end is one out of the code when it is taken, not before.
  step_of_word_[code.size() / 4] = static_cast<u32>(steps_.size()) + 1;
  builder.add_plain(fault_end_of_code, static_cast<u32>(code.size()), 0);
  const auto& bytes = pool.bytes();
  constants_.reset(static_cast<u8*>(::operator new (bytes.size() + 64, std::align_val_t{64})));
  std::ranges::copy(bytes, constants_.get());
}

bool Program::names_beyond(const VectorLimits& limits, u64 begin, u64 end) const {
  constexpr u32 first_row = scalar_file_words * 4;
  const u32 row_bytes = wave_size_ / 32 * half_row_bytes;
  const auto is_beyond = [&](const OperandRef& ref) {
    return ref.space == 0 && ref.offset >= first_row && !limits.hold((ref.offset - first_row) / row_bytes, ref.rows);
  };
  return std::any_of(steps_.begin(), steps_.end(), [&](const Step& step) {
    if (step.code_offset < begin || step.code_offset >= end) return false;
    return std::any_of(step.in.begin(), step.in.begin() + step.input_count, is_beyond) ||
           std::any_of(step.out.begin(), step.out.begin() + step.output_count, is_beyond) ||
           (step.modifiers != nullptr && step.modifiers->address.has_vaddr && is_beyond(step.modifiers->address.vaddr));
  });
}

const Step* Program::step_at(u64 offset) const {
  if (offset % 4 != 0 || offset / 4 >= step_of_word_.size()) return nullptr;
  const u32 index = step_of_word_[offset / 4];
  return index == 0 ? nullptr : &steps_[index - 1];
}

}  // namespace gfxisa::exec
