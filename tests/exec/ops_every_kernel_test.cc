// Every lane kernel of the spec, at every SIMD level the host has, against the reference evaluator on the same tree.
#include <gtest/gtest.h>

#include <cmath>

#include "core/blob.h"
#include "core/evaluate.h"
#include "core/soft_float.h"
#include "every_support.h"
#include "exec/access.h"
#include "inst/tables.h"

namespace gfxisa::exec {

namespace {

using Row = u32[lanes_per_call];

/// One kernel's inputs and outputs, a row a word.
struct Rows {
  alignas(64) Row in[max_rows];
  alignas(64) Row out[max_rows];
};

unsigned rows_of(const core::SlotInfo& slot) { return is_mask_slot(slot) ? 1 : (slot.type.bits + 31) / 32; }

class EveryKernel {
 public:
  EveryKernel(u32 semantics, u32 mode) : semantics_(semantics), mode_(mode), row_(tables().semantics[semantics]) {}

  /// False when the tree cannot be read, or the body is of another kind.
  bool prepare() {
    const auto words = tables().tree_words.subspan(row_.first_blob, row_.blob_words);
    auto body = core::deserialise(words);
    if (!body) return false;
    body_ = std::move(*body);
    return body_.kind == core::BodyKind::lane && !row_.has_effects;
  }
  bool is_approximate() const { return is_approximate_body(body_); }

  void fill(unsigned seed) {
    std::mt19937 random(seed);
    for (Row& row : rows_.in) {
      for (u32& word : row) word = interesting_word(random);
    }
    for (i64& value : step_.immediates) value = static_cast<i64>(random() % 40);
    vcc_ = random();
    step_.clamps = random() % 2 == 0;
    m0_ = random() % 8;
    unsigned row = 0;
    for (const core::SlotInfo& slot : body_.slots) {
      if (slot.is_immediate || is_named_slot(slot.name) || !slot.is_read) continue;
      if (is_mask_slot(slot)) {
        for (u32& word : rows_.in[row]) word = (word & 1) != 0 ? ~u32{0} : 0;
      }
      row += rows_of(slot);
    }
  }

  void run(const KernelSet& set) {
    Wave wave(32, 1);
    wave.mode = mode_;
    wave.set_vcc(vcc_);
    wave.set_exec(0xffffffffu);
    write_m0(wave, m0_);
    LaneCall call{};
    for (unsigned i = 0; i < max_rows; ++i) call.in[i] = rows_.in[i], call.out[i] = rows_.out[i];
    call.active = ~u32{0};
    call.wave = &wave;
    call.step = &step_;
    const u32 before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(control());
    set.kernels[semantics_].lane(call);
    __builtin_ia32_ldmxcsr(before);
    exec_ = wave.exec();
  }

  /// Compares what run() left with the evaluator's answer; the first difference in words.
  std::string difference() {
    for (u32 lane = 0; lane < lanes_per_call; ++lane) {
      core::Environment environment = environment_of(lane);
      const auto done = core::run(body_, environment);
      if (!done) return done.error().message;
      const std::string text = lane_difference(lane, environment);
      if (!text.empty()) return text;
    }
    return {};
  }

  const Rows& rows() const { return rows_; }
  std::string name() const { return std::string(tables().text(tables().instructions[row_.instruction].name)); }

 private:
  /// MXCSR as the engine sets it before this kernel.
  u32 control() const {
    static constexpr u32 rounding[4] = {0, 0x4000, 0x2000, 0x6000};
    const u32 fields = row_.float_mode == 2 ? mode_ >> 2 : mode_;
    const u32 denormals = (row_.float_mode == 2 ? mode_ >> 6 : mode_ >> 4) & 3;
    return 0x1f80u | rounding[fields & 3] | ((denormals & 1) != 0 ? 0u : 0x40u) | ((denormals & 2) != 0 ? 0u : 0x8000u);
  }

  u64 named_value(const std::string& name, u32 lane, bool mask) const {
    if (name == "vcc") return mask ? vcc_ >> lane & 1 : vcc_;
    if (name == "exec") return mask ? 1 : 0xffffffffu;
    return name == "m0" ? m0_ : name == "mode" ? mode_ : name == "clamp" ? step_.clamps : 0;
  }

  core::Environment environment_of(u32 lane) const {
    core::Environment environment;
    environment.mode = mode_;
    environment.lane = lane;
    environment.exec = 0xffffffffu;
    unsigned row = 0, immediate = 0, field = 0;
    for (const core::SlotInfo& slot : body_.slots) {
      u128 value = 0;
      if (slot.is_field) {
        value = field_of(step_, field++);
      } else if (slot.is_immediate) {
        value = static_cast<u128>(static_cast<u64>(step_.immediates[immediate++])) & low_ones(slot.type.bits);
      } else if (is_named_slot(slot.name)) {
        value = named_value(slot.name, lane, is_mask_slot(slot));
      } else if (slot.is_read) {
        for (unsigned i = 0; i < rows_of(slot) && i < 4; ++i) value |= u128{rows_.in[row + i][lane]} << (32 * i);
        if (is_mask_slot(slot)) value &= 1;
        if (slot.type.bits < 64 && !is_mask_slot(slot)) value &= low_ones(slot.type.bits);
        row += rows_of(slot);
      }
      environment.slots.push_back(core::wide_value(value));
    }
    return environment;
  }

  std::string lane_difference(u32 lane, const core::Environment& environment) const {
    unsigned row = 0;
    for (std::size_t s = 0; s < body_.slots.size(); ++s) {
      const core::SlotInfo& slot = body_.slots[s];
      if (!slot.is_written) continue;
      const u128 wanted = core::low_bits(environment.slots[s]);
      if (is_named_slot(slot.name)) {
        if (slot.name == "exec" && (exec_ >> lane & 1) != (wanted & 1))
          return text_of(lane, "exec", exec_ >> lane & 1, wanted);
        continue;
      }
      u128 actual = 0;
      for (unsigned i = 0; i < rows_of(slot) && i < 4; ++i) actual |= u128{rows_.out[row + i][lane]} << (32 * i);
      const u128 expected = is_mask_slot(slot) ? ((wanted & 1) != 0 ? 0xffffffffu : 0u) : wanted;
      row += rows_of(slot);
      if (actual != expected && !(is_approximate() && is_close(slot.type, actual, expected)))
        return text_of(lane, slot.name, actual, expected);
    }
    return {};
  }

  /// Functions of hardware have their own last bits: within two units in the last place, or of sines and cosines, which
  /// cross 0, within 2^-20.
  static bool is_close(core::Type type, u128 actual, u128 wanted) {
    if (!type.is_float()) return false;
    const u64 sign = u64{1} << (type.bits - 1);
    const auto ordered = [&](u128 value) {
      const auto bits = static_cast<u64>(value);
      return (bits & sign) != 0 ? -static_cast<i64>(bits & ~sign) : static_cast<i64>(bits);
    };
    if (std::abs(ordered(actual) - ordered(wanted)) <= 2) return true;
    const auto number = [&](u128 value) {
      return core::float_to_double(static_cast<u64>(value), core::float_format(type));
    };
    return std::abs(number(actual) - number(wanted)) <= 0x1p-20;
  }

  std::string text_of(u32 lane, const std::string& slot, u128 actual, u128 wanted) const {
    char text[300];
    std::snprintf(text, sizeof text, "lane %u, %s is %llx, the evaluator says %llx; inputs %x %x %x %x %x %x", lane,
                  slot.c_str(), static_cast<unsigned long long>(actual), static_cast<unsigned long long>(wanted),
                  rows_.in[0][lane], rows_.in[1][lane], rows_.in[2][lane], rows_.in[3][lane], rows_.in[4][lane],
                  rows_.in[5][lane]);
    return text;
  }

  u32 semantics_, mode_;
  const SemanticsRow& row_;
  core::Body body_;
  Rows rows_{};
  Step step_{};
  u64 vcc_ = 0, exec_ = 0;
  u32 m0_ = 0;
};

/// Modes that differ in each field: the usual one, flushing with directed rounding, and the two classes apart.
constexpr u32 modes[] = {0xf0, 0x105, 0x3aa, 0x0c4 | 0x100, 0x23b};

/// The first difference of one kernel, over modes and levels.
std::string check(u32 semantics, unsigned seed) {
  for (const u32 mode : modes) {
    EveryKernel kernel(semantics, mode);
    if (!kernel.prepare()) return {};
    kernel.fill(semantics * 8 + mode + seed * 65536);
    Rows baseline{};
    for (const KernelSet* set : kernel_levels()) {
      if (set->kernels[semantics].lane == nullptr) return kernel.name() + ": no kernel";
      kernel.run(*set);
      if (set == &kernels_baseline) baseline = kernel.rows();
      const std::string where = kernel.name() + " at " + set->name + " in mode " + std::to_string(mode) + ": ";
      if (std::memcmp(&baseline, &kernel.rows(), sizeof baseline) != 0) return where + "differs from the baseline";
      const std::string text = kernel.difference();
      if (!text.empty()) return where + text;
    }
  }
  return {};
}

TEST(EveryKernel, AgreesWithTheEvaluatorAtEveryLevel) {
  unsigned failures = 0, compared = 0;
  std::string approximate;
  // A state has a lane for each of 32 sets of operands, in five modes.
  const unsigned states = (states_to_try(50) + 159) / 160;
  for (u32 i = 0; i < tables().semantics.size(); ++i) {
    EveryKernel kernel(i, modes[0]);
    if (!kernel.prepare()) continue;
    ++compared;
    if (kernel.is_approximate()) approximate += " " + kernel.name();
    for (unsigned state = 0; state < states; ++state) {
      const std::string text = check(i, first_seed() + state);
      if (text.empty()) continue;
      if (++failures <= 40) ADD_FAILURE() << text << " (GFXISA_SEED=" << first_seed() + state << ")";
      break;
    }
  }
  EXPECT_EQ(failures, 0u);
  std::printf("%u bodies of lanes, %u states each from seed %u; within a bound, not bit for bit:%s\n", compared,
              states * 160, first_seed(), approximate.c_str());
}

TEST(EveryKernel, ScalarBodiesHaveScalarKernels) {
  for (u32 i = 0; i < tables().semantics.size(); ++i) {
    const bool is_lane = tables().semantics[i].kind == BodyKind::lane;
    for (const KernelSet* set : kernel_levels()) {
      EXPECT_EQ(set->kernels[i].lane != nullptr, is_lane)
          << tables().text(tables().instructions[tables().semantics[i].instruction].name);
      EXPECT_EQ(set->kernels[i].scalar != nullptr, !is_lane)
          << tables().text(tables().instructions[tables().semantics[i].instruction].name);
    }
  }
}

}  // namespace
}  // namespace gfxisa::exec
