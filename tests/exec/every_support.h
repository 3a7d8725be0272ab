// What the tests of every body share: kernels of all SIMD levels, words at the edges of formats, how many states to try.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "core/core.h"
#include "exec/step.h"

namespace gfxisa::exec {

// Levels that were not built are absent.
extern const KernelSet kernels_avx2 __attribute__((weak));
extern const KernelSet kernels_avx512 __attribute__((weak));

inline std::vector<const KernelSet*> kernel_levels() {
  std::vector<const KernelSet*> sets{&kernels_baseline};
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (avx2 && &kernels_avx2 != nullptr) sets.push_back(&kernels_avx2);
  if (avx512 && &kernels_avx512 != nullptr) sets.push_back(&kernels_avx512);
  return sets;
}

inline bool is_named_slot(const std::string& name) {
  static constexpr std::string_view names[] = {"scc", "exec", "vcc", "pc", "m0", "mode", "clamp"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}
inline bool is_mask_slot(const core::SlotInfo& slot) { return slot.type.kind == core::TypeKind::mask; }

/// A word that is often at an edge of some format.
inline u32 interesting_word(std::mt19937& random) {
  static constexpr u32 words[] = {0,          1,          0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
                                  0x3f800000, 0xbf800000, 0x00800000, 0x007fffff, 0x7f7fffff, 0x4b000001, 0x3effffff,
                                  0x7c007c00, 0x3c00bc00, 0x04000001, 0x7fffffff, 0xffffffff, 0x0000ffff, 0x7ff00000,
                                  0x3ff00000, 0x41f00000, 31,         32,         33,         0x00010203, 0xc1f00000,
                                  0x7fc17fc0, 0x477fe000, 0x33800000, 64};
  const u32 which = random() % 3;
  if (which == 0) return words[random() % std::size(words)];
  if (which == 1) return 0x3f800000u + (random() & 0x83ffffffu);
  return static_cast<u32>(random());
}

/// Value of a modifier field in a step: eight of them share an immediate, from the last one down.
inline u32 field_of(const Step& step, unsigned number) {
  return static_cast<u32>(step.immediates[max_immediates - 1 - number / 8] >> number % 8 * 8 & 0xff);
}

inline unsigned number_in_environment(const char* name, unsigned otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}
/// States of each instruction: GFXISA_STATES asks for more (scripts/differential.sh), GFXISA_SEED for others.
inline unsigned states_to_try(unsigned usual) { return number_in_environment("GFXISA_STATES", usual); }
inline unsigned first_seed() { return number_in_environment("GFXISA_SEED", 1); }

/// Reciprocals, roots, exponentials, ... : their last bit is not the reference's.
inline bool is_approximate_body(const core::Body& body) {
  return std::any_of(body.nodes.begin(), body.nodes.end(),
                     [](const core::Node& node) { return node.op >= core::Op::frcp && node.op <= core::Op::fcos; });
}

}  // namespace gfxisa::exec
