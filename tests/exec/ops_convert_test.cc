#include "ops_support.h"

namespace gfxisa::exec {
namespace {

constexpr i64 integer_edges[] = {0,
                                 1,
                                 -1,
                                 2,
                                 255,
                                 256,
                                 32767,
                                 -32768,
                                 65504,
                                 65519,
                                 65520,
                                 65535,
                                 16777215,
                                 16777217,
                                 2147483647,
                                 2147483648,
                                 -2147483648,
                                 4294967295,
                                 4294967297,
                                 33554433,
                                 6442450945,
                                 9007199254740993,
                                 -9007199254740993,
                                 9223372036854775807,
                                 -9223372036854775807 - 1};

template <class T>
class IntegerToFloat : public testing::Test {};
using IntegerTypes = testing::Types<i32, u32, i64, u64>;
TYPED_TEST_SUITE(IntegerToFloat, IntegerTypes);

/// All float formats from one integer.
template <class T>
bool check_to_floats(T a, u32 mode) {
  const HostMode host(mode);
  const FloatMode narrow = float_mode(mode >> 4 & 3);
  const f32 single = opaque(integer_to_f32(opaque(a)));
  const f64 twice = opaque(integer_to_f64(opaque(a)));
  const Half half = opaque(integer_to_narrow<Half>(opaque(a), narrow));
  const Brain brain = opaque(integer_to_narrow<Brain>(opaque(a), narrow));
  return same(Op::int_to_float, core_type<f32>(), 0, mode, bits_of_value(single), a) &&
         same(Op::int_to_float, core_type<f64>(), 0, mode, bits_of_value(twice), a) &&
         same(Op::int_to_float, core_type<Half>(), 0, mode, bits_of_value(half), a) &&
         same(Op::int_to_float, core_type<Brain>(), 0, mode, bits_of_value(brain), a);
}

TYPED_TEST(IntegerToFloat, RoundsOnce) {
  using T = TypeParam;
  std::vector<T> values;
  for (const i64 edge : integer_edges) values.push_back(static_cast<T>(edge));
  std::mt19937_64 random(3);
  for (int i = 0; i < 400; ++i) values.push_back(static_cast<T>(random() >> random() % 64));
  in_every_mode([&](u32 mode) {
    for (const T a : values) {
      if (!check_to_floats(a, mode)) return false;
    }
    return true;
  });
}

template <class T>
class FloatConversions : public testing::Test {};
using FloatTypes = testing::Types<f32, f64, Half, Brain>;
TYPED_TEST_SUITE(FloatConversions, FloatTypes);

template <class To, unsigned N, class T>
bool check_to_integer(T a, u32 mode) {
  const HostMode host(mode);
  To result;
  if constexpr (is_narrow<T>) {
    result = opaque(to_integer<To, N>(opaque(a), float_mode(mode >> 4 & 3)));
  } else {
    result = opaque(to_integer<To, N>(opaque(a)));
  }
  const Type type{is_signed_storage<To> ? TypeKind::signed_ : TypeKind::unsigned_, N};
  return same(Op::float_to_int, type, 0, mode, static_cast<u64>(result) & low_ones(N), a);
}

TYPED_TEST(FloatConversions, ToIntegersSaturates) {
  using T = TypeParam;
  auto values = edge_values<T>(300);
  for (const i64 edge : integer_edges) {
    if constexpr (is_narrow<T>) {
      values.push_back(integer_to_narrow<T>(edge, float_mode(3)));
    } else {
      values.push_back(static_cast<T>(edge));
    }
  }
  for (const T a : values) {
    const u32 mode = mode_of(0, 3);
    ASSERT_TRUE((check_to_integer<i32, 32>(a, mode) && check_to_integer<u32, 32>(a, mode)));
    ASSERT_TRUE((check_to_integer<i64, 64>(a, mode) && check_to_integer<u64, 64>(a, mode)));
    ASSERT_TRUE((check_to_integer<i32, 16>(a, mode) && check_to_integer<u32, 16>(a, mode)));
    ASSERT_TRUE((check_to_integer<i32, 8>(a, mode) && check_to_integer<u32, 8>(a, mode)));
  }
}

template <class To, class From>
To convert(From a, FloatMode mode) {
  if constexpr (std::is_same_v<To, f32>) {
    if constexpr (is_narrow<From>)
      return float_to_f32(a, mode);
    else
      return float_to_f32(a);
  } else if constexpr (std::is_same_v<To, f64>) {
    if constexpr (is_narrow<From>)
      return float_to_f64(a, mode);
    else
      return float_to_f64(a);
  } else {
    return float_to_narrow<To>(a, mode);
  }
}

template <class To, class From>
bool check_conversion(From a, u32 mode) {
  if constexpr (std::is_same_v<To, From>) return true;
  const HostMode host(mode);
  const To result = opaque(convert<To>(opaque(a), float_mode(mode >> 4 & 3)));
  return same(Op::float_to_float, core_type<To>(), 0, mode, bits_of_value(result), a);
}

TYPED_TEST(FloatConversions, BetweenFormats) {
  using T = TypeParam;
  in_every_mode([&](u32 mode) {
    for (const T a : edge_values<T>(200)) {
      if (!check_conversion<f32>(a, mode) || !check_conversion<f64>(a, mode)) return false;
      if (!check_conversion<Half>(a, mode) || !check_conversion<Brain>(a, mode)) return false;
    }
    return true;
  });
}

/// The distance in units of the last place, through the order of bits.
i64 ulps_between(f32 a, f32 b) {
  if (nan(a) || nan(b)) return nan(a) && nan(b) ? 0 : 1 << 30;
  const auto order = [](f32 x) {
    const auto bits = static_cast<i64>(bits_of_value(x));
    return (bits & 0x80000000) != 0 ? -(bits & 0x7fffffff) : bits;
  };
  const i64 distance = order(a) - order(b);
  return distance < 0 ? -distance : distance;
}

template <class F>
void check_approximation(Op op, F f, i64 allowed_ulps) {
  const u32 mode = mode_of(0, 3);
  for (const f32 a : edge_values<f32>(500)) {
    const auto wanted = value_of_bits<f32>(static_cast<u32>(expected(op, core_type<f32>(), 0, mode, a)));
    ASSERT_LE(ulps_between(f(opaque(a)), wanted), allowed_ulps) << name_of(op) << " of " << a << ", wanted " << wanted;
  }
}

TEST(Approximations, WithinAnUlp) {
  check_approximation(
      Op::frcp, [](f32 a) { return float_reciprocal(a); }, 1);
  check_approximation(
      Op::frsq, [](f32 a) { return float_reciprocal_root(a); }, 1);
  check_approximation(
      Op::fexp2, [](f32 a) { return float_power_of_two(a); }, 1);
  check_approximation(
      Op::flog2, [](f32 a) { return float_logarithm(a); }, 1);
}

TEST(Approximations, SineAndCosineOfTurns) {
  EXPECT_EQ(float_sine(0.25f), 1.0f);
  EXPECT_EQ(float_sine(0.5f), 0.0f);
  EXPECT_EQ(float_cosine(0.25f), 0.0f);
  EXPECT_EQ(float_cosine(0.0f), 1.0f);
  EXPECT_EQ(float_cosine(1048576.5f), -1.0f);
  const u32 mode = mode_of(0, 3);
  for (const f32 a : edge_values<f32>(500)) {
    const auto sine = value_of_bits<f32>(static_cast<u32>(expected(Op::fsin, core_type<f32>(), 0, mode, a)));
    const auto cosine = value_of_bits<f32>(static_cast<u32>(expected(Op::fcos, core_type<f32>(), 0, mode, a)));
    ASSERT_EQ(nan(float_sine(a)), nan(sine)) << a;
    if (nan(sine)) continue;
    ASSERT_NEAR(float_sine(a), sine, 0x1p-23) << a;
    ASSERT_NEAR(float_cosine(a), cosine, 0x1p-23) << a;
  }
}

}  // namespace
}  // namespace gfxisa::exec
