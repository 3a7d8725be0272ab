// The operations of generated kernels (exec/lane_ops*.h, on the host's floating-point unit) against the reference
// evaluator (in integers), under every rounding and every treatment of denormals. The compiler must not compute
// constants under a rounding of its own, here as in the kernels.
#if defined(__clang__)
#pragma STDC FENV_ACCESS ON
#else
#pragma GCC optimize("rounding-math")
#endif
#include <gtest/gtest.h>

#if defined(__x86_64__)
#include <immintrin.h>

#include <vector>

#include "core/evaluate.h"
#include "exec/lane_ops_math.h"

namespace gfxisa::core {
namespace {

namespace ops = exec::baseline;
using ops::Brain;
using ops::FloatMode;
using ops::Half;

constexpr Type boolean{TypeKind::bits, 1};

template <class T>
Type type_of();
template <>
Type type_of<f32>() {
  return {TypeKind::float_, 32};
}
template <>
Type type_of<f64>() {
  return {TypeKind::float_, 64};
}
template <>
Type type_of<Half>() {
  return {TypeKind::float_, 16};
}
template <>
Type type_of<Brain>() {
  return {TypeKind::bfloat, 16};
}

template <class T>
T from_bits(u64 bits) {
  if constexpr (sizeof(T) == 8) return std::bit_cast<T>(bits);
  if constexpr (sizeof(T) == 4) return std::bit_cast<T>(static_cast<u32>(bits));
}
u64 to_bits(f32 a) { return std::bit_cast<u32>(a); }
u64 to_bits(f64 a) { return std::bit_cast<u64>(a); }
u64 to_bits(Half a) { return a.bits; }
u64 to_bits(Brain a) { return a.bits; }
u64 to_bits(u32 a) { return a; }
u64 to_bits(i32 a) { return static_cast<u32>(a); }
u64 to_bits(i64 a) { return static_cast<u64>(a); }

/// The host's control word for one field of rounding and one of denormals of MODE.
u32 host_control(u32 rounding, u32 denormals) {
  constexpr u32 to_host[] = {0, 2, 1, 3};
  return 0x1f80 | to_host[rounding] << 13 | ((denormals & 1) == 0 ? 0x40u : 0) | ((denormals & 2) == 0 ? 0x8000u : 0);
}

/// Words that are likely to meet edges of a format.
template <class T>
std::vector<u64> patterns(unsigned count) {
  using F = ops::FloatFormat<T>;
  const u64 sign = F::sign, one = static_cast<u64>(F::bias) << F::mantissa, infinity = F::infinity;
  std::vector<u64> out;
  for (const u64 edge :
       {u64{0}, u64{1} << F::mantissa, one, one + (u64{1} << F::mantissa), infinity, infinity | u64{F::quiet}}) {
    for (const u64 near : {edge - 1, edge, edge + 1}) {
      out.push_back(near & (sign - 1));
      out.push_back((near & (sign - 1)) | sign);
    }
  }
  u64 state = 7;
  while (out.size() < count) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const u64 word = (state >> 11 ^ state << 23) & (sign * 2 - 1);
    const u64 near_one = (one - (u64{4} << F::mantissa) + (state >> 60 << F::mantissa)) & infinity;
    out.push_back(state >> 59 & 1 ? word : (word & ~infinity) | near_one);
  }
  return out;
}

/// One operation on arrays, so that the compiler cannot move it across the change of the control word.
template <class Function>
[[gnu::noinline]] void on_host(u32 control, std::size_t count, Function one) {
  const u32 before = _mm_getcsr();
  _mm_setcsr(control);
  asm volatile("" ::: "memory");
  for (std::size_t i = 0; i < count; ++i) one(i);
  asm volatile("" ::: "memory");
  _mm_setcsr(before);
}

constexpr std::size_t count = 700;

/// Compares `one(x, y, z, mode)` with the evaluator's `op`. `ulps`: how far apart the two may be.
template <class T, class Function>
void compare(const char* name, Op op, Type type, u64 immediate, unsigned arity, Function one, u64 ulps = 0,
             unsigned step = 1) {
  const std::vector<u64> some = patterns<T>(count);
  std::vector<u64> results(count);
  for (u32 mode = 0; mode < 16; mode += step) {
    const u32 rounding = mode & 3, denormals = mode >> 2;
    const FloatMode narrow = ops::float_mode(denormals);
    const auto at = [&](std::size_t i, unsigned n) { return some[(i * (2 * n + 1) + 31 * n) % count]; };
    on_host(host_control(rounding, denormals), count, [&](std::size_t i) {
      results[i] = to_bits(one(from_bits<T>(at(i, 0)), from_bits<T>(at(i, 1)), from_bits<T>(at(i, 2)), narrow));
    });
    const u32 word = rounding | rounding << 2 | denormals << 4 | denormals << 6 | 1u << 8;
    const Type own = type_of<T>();
    for (std::size_t i = 0; i < count; ++i) {
      std::array<Type, 4> types;
      std::array<u128, 4> values{};
      for (unsigned n = 0; n < arity; ++n) {
        types[n] = own;
        values[n] = at(i, n);
      }
      const u64 expected =
          static_cast<u64>(value_of_operation(op, type, immediate, types, values, word).value_or(~u64{0}));
      const u64 mask = low_ones(type.bits);
      const u64 distance = std::min((results[i] - expected) & mask, (expected - results[i]) & mask);
      ASSERT_LE(distance, ulps) << name << ' ' << name_of(own) << std::hex << " of " << at(i, 0) << ' ' << at(i, 1)
                                << ' ' << at(i, 2) << " under MODE " << word << ": kernel " << (results[i] & mask)
                                << ", evaluator " << expected;
    }
  }
}

template <class T>
void compare_native() {
  const Type t = type_of<T>();
  compare<T>("add", Op::fadd, t, 0, 2, [](T a, T b, T, FloatMode) { return ops::float_add(a, b); });
  compare<T>("subtract", Op::fsub, t, 0, 2, [](T a, T b, T, FloatMode) { return ops::float_subtract(a, b); });
  compare<T>("multiply", Op::fmul, t, 0, 2, [](T a, T b, T, FloatMode) { return ops::float_multiply(a, b); });
  compare<T>("divide", Op::fdiv, t, 0, 2, [](T a, T b, T, FloatMode) { return ops::float_divide(a, b); });
  compare<T>("square root", Op::fsqrt, t, 0, 1, [](T a, T, T, FloatMode) { return ops::float_square_root(a); });
  compare<T>("minimum", Op::fmin, t, 0, 2, [](T a, T b, T, FloatMode) { return ops::float_minimum(a, b); });
  compare<T>("maximum", Op::fmax, t, 0, 2, [](T a, T b, T, FloatMode) { return ops::float_maximum(a, b); });
  compare<T>("minimum number", Op::fmin_num, t, 0, 2,
             [](T a, T b, T, FloatMode) { return ops::float_minimum_number(a, b); });
  compare<T>("maximum number", Op::fmax_num, t, 0, 2,
             [](T a, T b, T, FloatMode) { return ops::float_maximum_number(a, b); });
  compare<T>("median", Op::fmed3, t, 0, 3, [](T a, T b, T c, FloatMode) { return ops::float_median(a, b, c); });
  compare<T>("clamp", Op::fclamp, t, 0, 1, [](T a, T, T, FloatMode) { return ops::float_clamp(a, true); });
  compare<T>("flush", Op::fflush, t, 0, 1, [](T a, T, T, FloatMode) { return ops::float_flush(a); });
  compare<T>("truncate", Op::ftrunc, t, 0, 1, [](T a, T, T, FloatMode) { return ops::float_truncate(a); });
  compare<T>("floor", Op::ffloor, t, 0, 1, [](T a, T, T, FloatMode) { return ops::float_floor(a); });
  compare<T>("ceil", Op::fceil, t, 0, 1, [](T a, T, T, FloatMode) { return ops::float_ceil(a); });
  compare<T>("round", Op::fround, t, 0, 1, [](T a, T, T, FloatMode) { return ops::float_round_even(a); });
  compare<T>("fraction", Op::ffract, t, 0, 1, [](T a, T, T, FloatMode) { return ops::float_fraction(a); });
  compare<T>("mantissa", Op::ffrexp_mant, t, 0, 1, [](T a, T, T, FloatMode) { return ops::float_mantissa(a); });
  compare<T>("exponent", Op::ffrexp_exp, {TypeKind::signed_, 32}, 0, 1,
             [](T a, T, T, FloatMode) { return ops::float_exponent(a); });
  compare<T>("less", Op::fcmp, boolean, 1, 2, [](T a, T b, T, FloatMode) { return ops::compare<1>(a, b); });
  compare<T>("not equal", Op::fcmp, boolean, 13, 2, [](T a, T b, T, FloatMode) { return ops::compare<13>(a, b); });
  compare<T>("not less", Op::fcmp, boolean, 14, 2, [](T a, T b, T, FloatMode) { return ops::compare<14>(a, b); });
  compare<T>("to i32", Op::float_to_int, {TypeKind::signed_, 32}, 0, 1,
             [](T a, T, T, FloatMode) { return ops::to_integer<i32, 32>(a); });
  compare<T>("to u32", Op::float_to_int, {TypeKind::unsigned_, 32}, 0, 1,
             [](T a, T, T, FloatMode) { return ops::to_integer<u32, 32>(a); });
  compare<T>("to i64", Op::float_to_int, {TypeKind::signed_, 64}, 0, 1,
             [](T a, T, T, FloatMode) { return ops::to_integer<i64, 64>(a); });
  compare<T>("to i16", Op::float_to_int, {TypeKind::signed_, 16}, 0, 1,
             [](T a, T, T, FloatMode) { return ops::to_integer<i32, 16>(a); });
  compare<T>("to f16", Op::float_to_float, type_of<Half>(), 0, 1,
             [](T a, T, T, FloatMode m) { return ops::float_to_narrow<Half>(a, m); });
  compare<T>("to bf16", Op::float_to_float, type_of<Brain>(), 0, 1,
             [](T a, T, T, FloatMode m) { return ops::float_to_narrow<Brain>(a, m); });
  compare<T>(
      "reciprocal", Op::frcp, t, 0, 1, [](T a, T, T, FloatMode) { return ops::float_reciprocal(a); }, 1, 4);
}

template <class T>
void compare_narrow() {
  const Type t = type_of<T>();
  compare<T>("add", Op::fadd, t, 0, 2, [](T a, T b, T, FloatMode m) { return ops::float_add(a, b, m); });
  compare<T>("subtract", Op::fsub, t, 0, 2, [](T a, T b, T, FloatMode m) { return ops::float_subtract(a, b, m); });
  compare<T>("multiply", Op::fmul, t, 0, 2, [](T a, T b, T, FloatMode m) { return ops::float_multiply(a, b, m); });
  compare<T>("divide", Op::fdiv, t, 0, 2, [](T a, T b, T, FloatMode m) { return ops::float_divide(a, b, m); });
  compare<T>("multiply-add", Op::ffma, t, 0, 3,
             [](T a, T b, T c, FloatMode m) { return ops::float_multiply_add(a, b, c, m); });
  compare<T>("square root", Op::fsqrt, t, 0, 1, [](T a, T, T, FloatMode m) { return ops::float_square_root(a, m); });
  compare<T>("minimum", Op::fmin, t, 0, 2, [](T a, T b, T, FloatMode m) { return ops::float_minimum(a, b, m); });
  compare<T>("maximum number", Op::fmax_num, t, 0, 2,
             [](T a, T b, T, FloatMode m) { return ops::float_maximum_number(a, b, m); });
  compare<T>("median", Op::fmed3, t, 0, 3, [](T a, T b, T c, FloatMode m) { return ops::float_median(a, b, c, m); });
  compare<T>("clamp", Op::fclamp, t, 0, 1, [](T a, T, T, FloatMode m) { return ops::float_clamp(a, true, m); });
  compare<T>("flush", Op::fflush, t, 0, 1, [](T a, T, T, FloatMode m) { return ops::float_flush(a, m); });
  compare<T>("truncate", Op::ftrunc, t, 0, 1, [](T a, T, T, FloatMode m) { return ops::float_truncate(a, m); });
  compare<T>("floor", Op::ffloor, t, 0, 1, [](T a, T, T, FloatMode m) { return ops::float_floor(a, m); });
  compare<T>("ceil", Op::fceil, t, 0, 1, [](T a, T, T, FloatMode m) { return ops::float_ceil(a, m); });
  compare<T>("round", Op::fround, t, 0, 1, [](T a, T, T, FloatMode m) { return ops::float_round_even(a, m); });
  compare<T>("fraction", Op::ffract, t, 0, 1, [](T a, T, T, FloatMode m) { return ops::float_fraction(a, m); });
  compare<T>("mantissa", Op::ffrexp_mant, t, 0, 1, [](T a, T, T, FloatMode m) { return ops::float_mantissa(a, m); });
  compare<T>("exponent", Op::ffrexp_exp, {TypeKind::signed_, 16}, 0, 1,
             [](T a, T, T, FloatMode m) { return ops::float_exponent(a, m); });
  compare<T>("less or equal", Op::fcmp, boolean, 3, 2,
             [](T a, T b, T, FloatMode m) { return ops::compare<3>(a, b, m); });
  compare<T>("to i16", Op::float_to_int, {TypeKind::signed_, 16}, 0, 1,
             [](T a, T, T, FloatMode m) { return ops::to_integer<i32, 16>(a, m); });
  compare<T>("to u16", Op::float_to_int, {TypeKind::unsigned_, 16}, 0, 1,
             [](T a, T, T, FloatMode m) { return ops::to_integer<u32, 16>(a, m); });
  compare<T>("to f32", Op::float_to_float, type_of<f32>(), 0, 1,
             [](T a, T, T, FloatMode m) { return ops::float_to_f32(a, m); });
  compare<T>("to f64", Op::float_to_float, type_of<f64>(), 0, 1,
             [](T a, T, T, FloatMode m) { return ops::float_to_f64(a, m); });
  compare<T>(
      "reciprocal", Op::frcp, t, 0, 1, [](T a, T, T, FloatMode m) { return ops::float_reciprocal(a, m); }, 1, 4);
}

TEST(TwoOpinions, Single) { compare_native<f32>(); }
TEST(TwoOpinions, Double) { compare_native<f64>(); }
TEST(TwoOpinions, HalfPrecision) { compare_narrow<Half>(); }
TEST(TwoOpinions, BrainFloat) { compare_narrow<Brain>(); }

TEST(TwoOpinions, FusedProducts) {
  compare<f32>("multiply-add", Op::ffma, type_of<f32>(), 0, 3,
               [](f32 a, f32 b, f32 c, FloatMode) { return ops::float_multiply_add(a, b, c); });
  compare<f64>("multiply-add", Op::ffma, type_of<f64>(), 0, 3,
               [](f64 a, f64 b, f64 c, FloatMode) { return ops::float_multiply_add(a, b, c); });
}

TEST(TwoOpinions, BetweenSingleAndDouble) {
  compare<f32>("to f64", Op::float_to_float, type_of<f64>(), 0, 1,
               [](f32 a, f32, f32, FloatMode) { return ops::float_to_f64(a); });
  compare<f64>("to f32", Op::float_to_float, type_of<f32>(), 0, 1,
               [](f64 a, f64, f64, FloatMode) { return ops::float_to_f32(a); });
}

TEST(TwoOpinions, Transcendental) {
  const Type t = type_of<f32>();
  compare<f32>(
      "1/root", Op::frsq, t, 0, 1, [](f32 a, f32, f32, FloatMode) { return ops::float_reciprocal_root(a); }, 1, 4);
  compare<f32>(
      "exp2", Op::fexp2, t, 0, 1, [](f32 a, f32, f32, FloatMode) { return ops::float_power_of_two(a); }, 1, 4);
  compare<f32>(
      "log2", Op::flog2, t, 0, 1, [](f32 a, f32, f32, FloatMode) { return ops::float_logarithm(a); }, 1, 4);
}

template <class T, class Function>
void compare_scales(Function one) {
  const std::vector<u64> some = patterns<T>(count);
  std::vector<u64> results(count);
  for (u32 mode = 0; mode < 16; ++mode) {
    const u32 rounding = mode & 3, denormals = mode >> 2;
    const FloatMode narrow = ops::float_mode(denormals);
    const u32 word = rounding | rounding << 2 | denormals << 4 | denormals << 6;
    for (const i32 n : {-3000, -1100, -300, -150, -24, -1, 0, 1, 24, 127, 300, 1100, 3000}) {
      on_host(host_control(rounding, denormals), count,
              [&](std::size_t i) { results[i] = to_bits(one(from_bits<T>(some[i]), n, narrow)); });
      for (std::size_t i = 0; i < count; ++i) {
        const auto expected =
            value_of_operation(Op::fldexp, type_of<T>(), 0, {type_of<T>(), Type(TypeKind::signed_, 32)},
                               {some[i], static_cast<u32>(n)}, word);
        ASSERT_EQ(results[i], static_cast<u64>(expected.value_or(0)))
            << name_of(type_of<T>()) << std::hex << ' ' << some[i] << std::dec << " by " << n << " under MODE " << word;
      }
    }
  }
}

TEST(TwoOpinions, Scales) {
  compare_scales<f32>([](f32 a, i32 n, FloatMode) { return ops::float_scale(a, n); });
  compare_scales<f64>([](f64 a, i32 n, FloatMode) { return ops::float_scale(a, n); });
  compare_scales<Half>([](Half a, i32 n, FloatMode m) { return ops::float_scale(a, n, m); });
  compare_scales<Brain>([](Brain a, i32 n, FloatMode m) { return ops::float_scale(a, n, m); });
}

/// Integers of every size that conversions start from.
template <class To, class From, class Function>
void compare_integers(Type from, Function one) {
  std::vector<u64> some;
  for (u64 bit = 1; bit != 0; bit <<= 1) {
    for (const u64 word :
         {bit - 1, bit, bit + 1, bit + (bit >> 24), bit + (bit >> 25) + 1, bit + (bit >> 11) + (bit >> 12)}) {
      some.push_back(word & low_ones(from.bits));
      some.push_back((u64{0} - word) & low_ones(from.bits));
    }
  }
  std::vector<u64> results(some.size());
  for (u32 mode = 0; mode < 4; ++mode) {
    on_host(host_control(mode, 3), some.size(),
            [&](std::size_t i) { results[i] = to_bits(one(static_cast<From>(some[i]), ops::float_mode(3))); });
    for (std::size_t i = 0; i < some.size(); ++i) {
      const auto expected =
          value_of_operation(Op::int_to_float, type_of<To>(), 0, {from}, {some[i]}, 0xf0 | mode | mode << 2);
      ASSERT_EQ(results[i], static_cast<u64>(expected.value_or(0)))
          << name_of(from) << std::hex << ' ' << some[i] << " to " << name_of(type_of<To>()) << " under " << mode;
    }
  }
}

TEST(TwoOpinions, Integers) {
  constexpr Type word{TypeKind::unsigned_, 32}, number{TypeKind::signed_, 32}, wide{TypeKind::unsigned_, 64},
      wide_number{TypeKind::signed_, 64};
  compare_integers<f32, u32>(word, [](u32 a, FloatMode) { return ops::integer_to_f32(a); });
  compare_integers<f32, i32>(number, [](i32 a, FloatMode) { return ops::integer_to_f32(a); });
  compare_integers<f32, u64>(wide, [](u64 a, FloatMode) { return ops::integer_to_f32(a); });
  compare_integers<f64, i32>(number, [](i32 a, FloatMode) { return ops::integer_to_f64(a); });
  compare_integers<f64, u64>(wide, [](u64 a, FloatMode) { return ops::integer_to_f64(a); });
  compare_integers<f64, i64>(wide_number, [](i64 a, FloatMode) { return ops::integer_to_f64(a); });
  compare_integers<Half, i32>(number, [](i32 a, FloatMode m) { return ops::integer_to_narrow<Half>(a, m); });
  compare_integers<Brain, u64>(wide, [](u64 a, FloatMode m) { return ops::integer_to_narrow<Brain>(a, m); });
}

}  // namespace
}  // namespace gfxisa::core
#endif
