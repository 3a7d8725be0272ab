// The operations of generated kernels against the reference evaluator, which computes floats with integers: two
// implementations that share nothing, on edge values and random ones, under every rounding and treatment of denormals.
#pragma once
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "core/evaluate.h"
#include "exec/lane_ops_math.h"

namespace gfxisa::exec {

using namespace GFXISA_LEVEL;
using core::Op;
using core::Type;
using core::TypeKind;

/// MODE with the same rounding (0..3) and denormals (0..3) for all formats.
inline u32 mode_of(u32 rounding, u32 denormals) { return rounding | rounding << 2 | denormals << 4 | denormals << 6; }

/// The host's control word for such a MODE, while it lives. Arguments and results pass through opaque().
class HostMode {
 public:
  explicit HostMode(u32 mode) : before_(__builtin_ia32_stmxcsr()) {
    static constexpr u32 rounding[4] = {0, 0x4000, 0x2000, 0x6000};
    const u32 denormals = mode >> 4 & 3;
    __builtin_ia32_ldmxcsr(0x1f80u | rounding[mode & 3] | ((denormals & 1) != 0 ? 0u : 0x40u) |
                           ((denormals & 2) != 0 ? 0u : 0x8000u));
    asm volatile("" ::: "memory");
  }
  ~HostMode() {
    asm volatile("" ::: "memory");
    __builtin_ia32_ldmxcsr(before_);
  }
  HostMode(const HostMode&) = delete;
  HostMode& operator=(const HostMode&) = delete;

 private:
  u32 before_;
};

/// A value the compiler can neither see through nor compute earlier or later than here.
template <class T>
T opaque(T value) {
  asm volatile("" : "+m"(value)::"memory");
  return value;
}

template <class T>
Type core_type() {
  if constexpr (std::is_same_v<T, Half>) return {TypeKind::float_, 16};
  if constexpr (std::is_same_v<T, Brain>) return {TypeKind::bfloat, 16};
  if constexpr (std::is_same_v<T, f32>) return {TypeKind::float_, 32};
  if constexpr (std::is_same_v<T, f64>) return {TypeKind::float_, 64};
  return {is_signed_storage<T> ? TypeKind::signed_ : TypeKind::unsigned_, storage_bits<T>};
}

/// Zeros, ones, halves, the ends of the normal and denormal ranges, infinities, NaNs, whole and broken numbers; and
/// random bits.
template <class T>
std::vector<T> edge_values(unsigned random_count) {
  using F = FloatFormat<T>;
  using Bits = typename F::Bits;
  const Bits one = static_cast<Bits>(F::bias) << F::mantissa;
  const Bits unit = Bits{1} << F::mantissa;
  std::vector<Bits> bits = {0,
                            1,
                            2,
                            F::ones,
                            F::ones - 1,
                            unit,
                            unit + 1,
                            one - 1,
                            one,
                            one + 1,
                            one + unit,
                            one - unit,
                            one / 2,
                            F::infinity,
                            F::infinity - 1,
                            F::infinity | 1,
                            F::infinity | F::quiet,
                            F::infinity | F::quiet | 5,
                            one + unit / 2,
                            one + unit + unit / 4,
                            one + 5 * unit,
                            one + F::mantissa * unit,
                            one + (F::mantissa + 1) * unit,
                            one + F::mantissa * unit + 1,
                            one - F::mantissa * unit,
                            one - (F::mantissa + 1) * unit};
  std::mt19937_64 random(7);
  for (unsigned i = 0; i < random_count; ++i) bits.push_back(static_cast<Bits>(random() & (F::infinity | F::ones)));
  for (unsigned i = 0; i < random_count; ++i) bits.push_back(one + static_cast<Bits>(random() % (8 * unit)) - 4 * unit);
  const std::size_t count = bits.size();
  for (std::size_t i = 0; i < count; ++i) bits.push_back(bits[i] | F::sign);
  std::vector<T> values;
  for (const Bits word : bits) values.push_back(value_of_bits<T>(word));
  return values;
}

/// The evaluator's answer as bits.
template <class... Args>
u64 expected(Op op, Type type, u64 immediate, u32 mode, Args... arguments) {
  const std::array<Type, 4> types{core_type<Args>()...};
  const std::array<u128, 4> values{static_cast<u128>(bits_of_value(arguments))...};
  const auto result = core::value_of_operation(op, type, immediate, types, values, mode);
  EXPECT_TRUE(result.has_value()) << name_of(op);
  return static_cast<u64>(result.value_or(0));
}

/// Compares one result; says which operation, under which mode, of what.
template <class... Args>
bool same(Op op, Type type, u64 immediate, u32 mode, u64 actual, Args... arguments) {
  const u64 wanted = expected(op, type, immediate, mode, arguments...);
  if (wanted == actual) return true;
  std::string text;
  ((text += " " + std::to_string(static_cast<u64>(bits_of_value(arguments)))), ...);
  ADD_FAILURE() << name_of(op) << " " << name_of(type) << " immediate " << immediate << " mode 0x" << std::hex << mode
                << ": 0x" << actual << " instead of 0x" << wanted << " for" << text;
  return false;
}

/// Calls f(mode) for every rounding and denormal treatment; stops when f says so.
template <class F>
void in_every_mode(F f) {
  for (u32 rounding = 0; rounding < 4; ++rounding) {
    for (u32 denormals = 0; denormals < 4; ++denormals) {
      if (!f(mode_of(rounding, denormals))) return;
    }
  }
}

}  // namespace gfxisa::exec
