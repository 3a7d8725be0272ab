// Every stage (signs, clamp, output modifiers, halves, parts of SDWA, lanes of DPP) and every encoding's way of forming
// addresses, at every SIMD level the host has, against the reference evaluator. Their trees are those of the spec as it
// is written: programs carry only the kernels.
#include <gtest/gtest.h>

#include <cstring>

#include "../gen/whole_spec.h"
#include "core/evaluate.h"
#include "every_support.h"
#include "gen/kernels_body.h"
#include "machine/wave.h"
#include "model/isa.h"

namespace gfxisa::exec {
namespace {

using Row = u32[lanes_per_call];

constexpr unsigned most_rows = 20;
struct Rows {
  alignas(64) Row in[most_rows];
  alignas(64) Row out[most_rows];
};

unsigned rows_of(const core::SlotInfo& slot) { return std::max(1u, (slot.type.bits + 31u) / 32u); }

/// MXCSR as the engine sets it for operations of a class: 1 f32, 2 f16 and f64.
u32 control_of(u32 mode, u8 float_class) {
  static constexpr u32 rounding[4] = {0, 0x4000, 0x2000, 0x6000};
  const u32 fields = float_class == 2 ? mode >> 2 : mode, denormals = (float_class == 2 ? mode >> 6 : mode >> 4) & 3;
  return 0x1f80u | rounding[fields & 3] | ((denormals & 1) != 0 ? 0u : 0x40u) | ((denormals & 2) != 0 ? 0u : 0x8000u);
}

/// Operands of all lanes, or of the first only where an input is the same for all.
void fill(const core::Body& body, Rows& rows, std::mt19937& random) {
  for (Row& row : rows.in) {
    for (u32& word : row) word = interesting_word(random);
  }
  unsigned row = 0;
  for (const core::SlotInfo& slot : body.slots) {
    if (!slot.is_read) continue;
    // Arguments are fields of a few bits: selections, flags, controls.
    if (slot.is_uniform && slot.type.bits == 32 && slot.name != "offset" && slot.name != "soffset" && random() % 4 != 0)
      rows.in[row][0] = random() % 16;
    row += rows_of(slot);
  }
}

core::Environment environment_of(const core::Body& body, const Rows& rows, u32 mode, u32 lane, u32 first_lane) {
  core::Environment environment;
  environment.mode = mode;
  environment.lane = first_lane + lane;
  environment.wave_size = 64;
  unsigned row = 0;
  for (const core::SlotInfo& slot : body.slots) {
    u128 value = 0;
    if (slot.is_read) {
      const unsigned count = rows_of(slot);
      for (unsigned i = 0; i < count; ++i) value |= u128{rows.in[row + i][slot.is_uniform ? 0 : lane]} << (32 * i);
      if (slot.type.bits < 128) value &= (u128{1} << slot.type.bits) - 1;
      row += count;
    }
    environment.slots.push_back(core::wide_value(value));
  }
  return environment;
}

std::string difference(const core::Body& body, const Rows& rows, u32 mode, u32 first_lane) {
  for (u32 lane = 0; lane < lanes_per_call; ++lane) {
    core::Environment environment = environment_of(body, rows, mode, lane, first_lane);
    if (const auto done = core::run(body, environment); !done) return done.error().message;
    const u128 wanted = core::low_bits(environment.slots[0]);
    u128 actual = 0;
    for (unsigned i = 0; i < rows_of(body.slots[0]); ++i) actual |= u128{rows.out[i][lane]} << (32 * i);
    if (actual == wanted) continue;
    char text[200];
    std::snprintf(text, sizeof text, "lane %u is %llx, the evaluator says %llx; inputs %x %x, %x %x", lane,
                  static_cast<unsigned long long>(actual), static_cast<unsigned long long>(wanted), rows.in[0][lane],
                  rows.in[1][lane], rows.in[1][0], rows.in[2][0]);
    return text;
  }
  return {};
}

constexpr u32 modes[] = {0xf0, 0x105, 0x1aa, 0x0c4 | 0x100, 0x3b};

/// The first difference of one body on one random state, over modes and levels.
std::string check(const core::Body& body, LaneKernel (*kernel_of)(const KernelSet&, std::size_t), std::size_t number,
                  unsigned seed) {
  std::mt19937 random(seed * 2654435761u + static_cast<unsigned>(number));
  for (const u32 mode : modes) {
    Rows rows;
    fill(body, rows, random);
    const u32 first_lane = random() % 2 * 32;
    for (const KernelSet* set : kernel_levels()) {
      Wave wave(64, 1);
      wave.mode = mode;
      Step step;
      LaneCall call{};
      for (unsigned i = 0; i < most_rows; ++i) call.in[i] = rows.in[i], call.out[i] = rows.out[i];
      call.active = ~u32{0};
      call.first_lane = first_lane;
      call.wave = &wave;
      call.step = &step;
      const u32 before = __builtin_ia32_stmxcsr();
      __builtin_ia32_ldmxcsr(control_of(mode, gen::float_mode_of(body)));
      kernel_of(*set, number)(call);
      __builtin_ia32_ldmxcsr(before);
      const std::string text = difference(body, rows, mode, first_lane);
      if (!text.empty()) return std::string(set->name) + " in mode " + std::to_string(mode) + ": " + text;
    }
  }
  return {};
}

void check_all(const std::vector<model::StageBody>& bodies, const char* what,
               LaneKernel (*kernel_of)(const KernelSet&, std::size_t)) {
  ASSERT_FALSE(bodies.empty());
  const unsigned states = (states_to_try(50) + 159) / 160;  // 32 lanes in five modes
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (unsigned state = 0; state < states; ++state) {
      const std::string text = check(bodies[i].body, kernel_of, i, first_seed() + state);
      if (text.empty()) continue;
      ADD_FAILURE() << bodies[i].name << " of " << bodies[i].format << ", " << text
                    << " (GFXISA_SEED=" << first_seed() + state << ")";
      break;
    }
  }
  std::printf("%zu %s, %u states each\n", bodies.size(), what, states * 160);
}

TEST(EveryStage, AgreesWithTheEvaluatorAtEveryLevel) {
  check_all(spec().isa.stage_bodies, "stages", [](const KernelSet& set, std::size_t i) { return set.stages[i]; });
}

TEST(EveryAddress, AgreesWithTheEvaluatorAtEveryLevel) {
  check_all(spec().isa.address_bodies, "addresses",
            [](const KernelSet& set, std::size_t i) { return set.addresses[i]; });
}

}  // namespace
}  // namespace gfxisa::exec
