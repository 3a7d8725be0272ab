#include "ops_support.h"

namespace gfxisa::exec {
namespace {

/// Numbers of N bits in the storage T: the ends, small ones, random ones.
template <class T, unsigned N>
std::vector<T> integers() {
  std::vector<T> values;
  for (const i64 edge : {i64{0}, i64{1}, i64{2}, i64{3}, i64{5}, i64{-1}, i64{-2}, i64{7}, i64{8}, i64{31}, i64{32}}) {
    values.push_back(fit<T, N>(edge));
  }
  const u64 top = u64{1} << (N - 1);
  for (const u64 edge : {top, top - 1, top + 1}) values.push_back(fit<T, N>(edge));
  std::mt19937_64 random(N);
  for (int i = 0; i < 12; ++i) values.push_back(fit<T, N>(random() >> random() % N));
  return values;
}

/// `value` as the N bits it stands for.
template <unsigned N, class T>
u64 pattern(T value) {
  return static_cast<u64>(value) & low_ones(N);
}

template <unsigned N, class T>
bool agrees(Op op, Type type, u64 actual, T a, T b) {
  const Type own{is_signed_storage<T> ? TypeKind::signed_ : TypeKind::unsigned_, N};
  const auto wanted =
      core::value_of_operation(op, type, 0, {own, own, {}, {}}, {u128{pattern<N>(a)}, u128{pattern<N>(b)}, 0, 0}, 0);
  EXPECT_TRUE(wanted.has_value()) << name_of(op);
  EXPECT_EQ(actual, static_cast<u64>(wanted.value_or(0)))
      << name_of(op) << " of " << N << " bits, signed " << is_signed_storage<T> << ": " << pattern<N>(a) << ", "
      << pattern<N>(b);
  return wanted && actual == static_cast<u64>(*wanted);
}

template <unsigned N, class T>
bool check_arithmetic(T a, T b) {
  const Type own{is_signed_storage<T> ? TypeKind::signed_ : TypeKind::unsigned_, N};
  const Type bit{TypeKind::bits, 1};
  const auto bits = [](T value) { return pattern<N>(fit<T, N>(value)); };
  return agrees<N>(Op::add, own, bits(add(a, b)), a, b) && agrees<N>(Op::sub, own, bits(subtract(a, b)), a, b) &&
         agrees<N>(Op::mul, own, bits(multiply(a, b)), a, b) && agrees<N>(Op::div, own, bits(divide(a, b)), a, b) &&
         agrees<N>(Op::rem, own, bits(remainder(a, b)), a, b) && agrees<N>(Op::min, own, bits(minimum(a, b)), a, b) &&
         agrees<N>(Op::max, own, bits(maximum(a, b)), a, b) && agrees<N>(Op::lt, bit, a < b, a, b) &&
         agrees<N>(Op::mul_hi, own, bits(multiply_high<N>(a, b)), a, b);
}

template <unsigned N, class T>
bool check_bits(T a) {
  const Type own{is_signed_storage<T> ? TypeKind::signed_ : TypeKind::unsigned_, N};
  const Type word{TypeKind::unsigned_, 32};
  return agrees<N>(Op::popcount, word, population_count<N>(a), a, a) &&
         agrees<N>(Op::clz, word, count_leading_zeros<N>(a), a, a) &&
         agrees<N>(Op::ctz, word, count_trailing_zeros<N>(a), a, a) &&
         agrees<N>(Op::reverse, own, pattern<N>(reverse<N>(a)), a, a);
}

template <unsigned N, class T>
bool check_shifts(T a) {
  const Type own{is_signed_storage<T> ? TypeKind::signed_ : TypeKind::unsigned_, N};
  const Type word{TypeKind::unsigned_, 32};
  for (const u32 count : {0u, 1u, 5u, N - 1, N, N + 1, 63u, 64u, 255u, 0xffffffffu}) {
    const auto wanted = [&](Op op) {
      const auto result =
          core::value_of_operation(op, own, 0, {own, word, {}, {}}, {u128{pattern<N>(a)}, u128{count}, 0, 0}, 0);
      return static_cast<u64>(result.value_or(0));
    };
    EXPECT_EQ(pattern<N>(fit<T, N>(shift_left<N>(a, count))), wanted(Op::shl))
        << N << " " << pattern<N>(a) << " " << count;
    EXPECT_EQ(pattern<N>(shift_right<N>(a, count)), wanted(Op::shr)) << N << " " << pattern<N>(a) << " " << count;
  }
  return !testing::Test::HasFailure();
}

template <class T, unsigned N>
void check_width() {
  for (const T a : integers<T, N>()) {
    ASSERT_TRUE((check_bits<N>(a) && check_shifts<N>(a)));
    for (const T b : integers<T, N>()) ASSERT_TRUE((check_arithmetic<N>(a, b)));
  }
}

TEST(IntegerOperations, Unsigned) {
  check_width<u32, 8>();
  check_width<u32, 16>();
  check_width<u32, 24>();
  check_width<u32, 32>();
  check_width<u64, 48>();
  check_width<u64, 64>();
}

TEST(IntegerOperations, Signed) {
  check_width<i32, 8>();
  check_width<i32, 16>();
  check_width<i32, 32>();
  check_width<i64, 33>();
  check_width<i64, 64>();
}

TEST(IntegerOperations, CarryOutOfTheWidth) {
  EXPECT_EQ((carry_out<32>(0xffffffffu, 0u, 1u)), 1u);
  EXPECT_EQ((carry_out<32>(0xffffffffu, 0xffffffffu, 1u)), 1u);
  EXPECT_EQ((carry_out<32>(0xfffffffeu, 0u, 1u)), 0u);
  EXPECT_EQ((carry_out<16>(0xffffu, 1u, 0u)), 1u);
  EXPECT_EQ((carry_out<64>(~u64{0}, u64{0}, 1u)), 1u);
}

TEST(IntegerOperations, FitExtendsBySign) {
  EXPECT_EQ((fit<i32, 8>(0x180u)), -128);
  EXPECT_EQ((fit<u32, 8>(-1)), 0xffu);
  EXPECT_EQ((fit<i64, 33>(u64{1} << 32)), -(i64{1} << 32));
  EXPECT_EQ((slice<u32, 4>(0xabcdu, 4u)), 0xcu);
}

}  // namespace
}  // namespace gfxisa::exec
