// Soft float against the host's unit, under every rounding, on patterns near every edge.
#include "core/soft_float.h"

#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace gfxisa::core {
namespace {

constexpr FloatFormat half{5, 10}, brain{8, 7}, single{8, 23}, wide{11, 52};

struct HostRounding {
  Rounding ours;
  int host;
};
constexpr HostRounding roundings[] = {{Rounding::nearest_even, FE_TONEAREST},
                                      {Rounding::up, FE_UPWARD},
                                      {Rounding::down, FE_DOWNWARD},
                                      {Rounding::to_zero, FE_TOWARDZERO}};

/// A fixed sequence of well-mixed words.
class Mixer {
 public:
  u64 next() {
    state_ += 0x9e3779b97f4a7c15;
    u64 z = state_;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

 private:
  u64 state_ = 1;
};

/// Patterns of a format: edges, neighbours of edges, and a mix in which exponents of two picks are often close.
std::vector<u64> patterns(FloatFormat f, unsigned count) {
  const u64 infinity = low_ones(f.exponent_bits) << f.fraction_bits, sign = u64{1} << (f.width() - 1);
  const u64 one = low_ones(f.exponent_bits - 1) << f.fraction_bits;
  std::vector<u64> out;
  for (const u64 edge : {u64{0}, u64{1}, u64{1} << f.fraction_bits, one, infinity, infinity - 1,
                         infinity | u64{1} << (f.fraction_bits - 1)}) {
    for (const u64 near : {edge, edge + 1, edge - 1}) {
      out.push_back(near & low_ones(f.width() - 1));
      out.push_back((near & low_ones(f.width() - 1)) | sign);
    }
  }
  Mixer mixer;
  while (out.size() < count) {
    const u64 word = mixer.next() & low_ones(f.width());
    const bool close = mixer.next() % 2 == 0;
    out.push_back(close ? (word & ~infinity) | ((one + ((mixer.next() % 9) << f.fraction_bits)) & infinity) : word);
  }
  return out;
}

template <class T>
auto bits_of_host(T value) {
  if constexpr (sizeof(T) == 4) {
    return std::bit_cast<u32>(value);
  } else {
    return std::bit_cast<u64>(value);
  }
}

bool is_nan_pattern(u64 a, FloatFormat f) {
  return (a & low_ones(f.width() - 1)) > low_ones(f.exponent_bits) << f.fraction_bits;
}

/// Host NaNs follow other rules, so any NaN is as good as another here; NaNs have a test of their own.
template <class T>
::testing::AssertionResult same(u64 ours, T host, FloatFormat f) {
  const u64 theirs = bits_of_host(host);
  if (ours == theirs || (is_nan_pattern(ours, f) && std::isnan(host))) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << std::hex << ours << " is not " << theirs;
}

template <class T>
T host_of(u64 a) {
  if constexpr (sizeof(T) == 4) {
    return std::bit_cast<T>(static_cast<u32>(a));
  } else {
    return std::bit_cast<T>(a);
  }
}

template <class T>
void compare_pair(u64 a, u64 b, u64 c, FloatFormat f, HostRounding rounding) {
  const volatile T x = host_of<T>(a), y = host_of<T>(b), z = host_of<T>(c);
  std::fesetround(rounding.host);
  const volatile T sum = x + y, difference = x - y, product = x * y, quotient = x / y, root = std::sqrt(T(x)),
                   fused = std::fma(T(x), T(y), T(z));
  std::fesetround(FE_TONEAREST);
  const FloatControl control{rounding.ours, false, false};
  EXPECT_TRUE(same(float_add(a, b, f, control), T(sum), f)) << std::hex << a << " + " << b;
  EXPECT_TRUE(same(float_subtract(a, b, f, control), T(difference), f)) << std::hex << a << " - " << b;
  EXPECT_TRUE(same(float_multiply(a, b, f, control), T(product), f)) << std::hex << a << " * " << b;
  EXPECT_TRUE(same(float_divide(a, b, f, control), T(quotient), f)) << std::hex << a << " / " << b;
  EXPECT_TRUE(same(float_square_root(a, f, control), T(root), f)) << std::hex << "root of " << a;
  EXPECT_TRUE(same(float_multiply_add(a, b, c, f, control), T(fused), f)) << std::hex << a << " * " << b << " + " << c;
}

template <class T>
void compare_all(FloatFormat f, unsigned edges, unsigned mixed) {
  const std::vector<u64> some = patterns(f, edges);
  Mixer mixer;
  for (const HostRounding& rounding : roundings) {
    for (const u64 a : some) {
      for (const u64 b : some) {
        compare_pair<T>(a, b, some[mixer.next() % some.size()], f, rounding);
        if (::testing::Test::HasFailure()) return;
      }
    }
    const std::vector<u64> many = patterns(f, mixed);
    for (std::size_t i = 0; i + 2 < many.size(); ++i) compare_pair<T>(many[i], many[i + 1], many[i + 2], f, rounding);
  }
}

TEST(SoftFloat, SingleAgreesWithTheHost) { compare_all<float>(single, 60, 20000); }
TEST(SoftFloat, DoubleAgreesWithTheHost) { compare_all<double>(wide, 60, 20000); }

TEST(SoftFloat, FusedCancellation) {
  // a * b - round(a * b) is exact only when the product is.
  Mixer mixer;
  for (int i = 0; i < 20000; ++i) {
    const u64 a = (mixer.next() & low_ones(52)) | u64{1023} << 52,
              b = (mixer.next() & low_ones(52)) | u64{1020 + mixer.next() % 8} << 52;
    const u64 product = float_multiply(a, b, wide, {}) ^ u64 { 1 } << 63;
    const double host = std::fma(host_of<double>(a), host_of<double>(b), host_of<double>(product));
    ASSERT_TRUE(same(float_multiply_add(a, b, product, wide, {}), host, wide)) << std::hex << a << ' ' << b;
  }
}

/// A half's sum and product are exact in double, so that one rounding remains.
TEST(SoftFloat, HalvesAreRoundedOnce) {
  const std::vector<u64> some = patterns(half, 300);
  for (const HostRounding& rounding : roundings) {
    const FloatControl control{rounding.ours, false, false};
    for (const u64 a : some) {
      for (const u64 b : some) {
        if (is_nan_pattern(a, half) || is_nan_pattern(b, half)) continue;
        const double x = float_to_double(a, half), y = float_to_double(b, half);
        const u64 sum = float_convert(std::bit_cast<u64>(x + y), wide, {}, half, control);
        const bool zero_sum = x + y == 0;  // its sign depends on the rounding
        if (!zero_sum) {
          ASSERT_EQ(float_add(a, b, half, control), std::isnan(x + y) ? u64{0x7e00} : sum) << std::hex << a << ' ' << b;
        }
        const u64 product = float_convert(std::bit_cast<u64>(x * y), wide, {}, half, control);
        ASSERT_EQ(float_multiply(a, b, half, control), std::isnan(x * y) ? u64{0x7e00} : product)
            << std::hex << a << ' ' << b;
      }
    }
  }
}

TEST(SoftFloat, EveryHalfGoesThroughSingleAndBack) {
  for (u64 a = 0; a < 0x10000; ++a) {
    const u64 there = float_convert(a, half, {}, single, {});
    if (is_nan_pattern(a, half)) continue;
    ASSERT_EQ(float_convert(there, single, {}, half, {}), a);
    ASSERT_EQ(float_to_double(a, half), static_cast<double>(host_of<float>(there)));
  }
}

TEST(SoftFloat, KnownConversions) {
  EXPECT_EQ(float_from_double(65504.0, half), 0x7bffu);
  EXPECT_EQ(float_from_double(65519.9, half), 0x7bffu);
  EXPECT_EQ(float_from_double(65520.0, half), 0x7c00u);
  EXPECT_EQ(float_from_double(5.9604644775390625e-8, half), 0x0001u);
  EXPECT_EQ(float_from_double(2.98023223876953125e-8, half), 0x0000u);  // half of the smallest: to even
  EXPECT_EQ(float_from_double(2.980232238769532e-8, half), 0x0001u);
  EXPECT_EQ(float_from_double(1.0, brain), 0x3f80u);
  EXPECT_EQ(float_convert(0x3f808000, single, {}, brain, {}), 0x3f80u);
  EXPECT_EQ(float_convert(0x3f818000, single, {}, brain, {}), 0x3f82u);
  EXPECT_EQ(float_convert(0x7fa00000, single, {}, half, {}), 0x7f00u);  // a signalling NaN keeps its payload, quiet
  EXPECT_EQ(float_convert(0xfc01, half, {}, single, {}), 0xffc02000u);
}

TEST(SoftFloat, Integers) {
  EXPECT_EQ(float_from_integer(16777217, false, single, {}), 0x4b800000u);
  EXPECT_EQ(float_from_integer(16777219, false, single, {}), 0x4b800002u);
  EXPECT_EQ(float_from_integer(1, true, half, {}), 0xbc00u);
  EXPECT_EQ(float_from_integer(0, true, single, {}), 0u);
  EXPECT_EQ(float_from_integer(100000, false, half, {}), 0x7c00u);
  EXPECT_EQ(float_from_integer(100000, false, half, {Rounding::to_zero}), 0x7bffu);
  const auto to = [](double x, unsigned width, bool is_signed) {
    return static_cast<u64>(float_to_integer(std::bit_cast<u64>(x), wide, {}, width, is_signed));
  };
  EXPECT_EQ(to(-1.9, 32, true), 0xffffffffu);
  EXPECT_EQ(to(-0.9, 32, false), 0u);
  EXPECT_EQ(to(-5.0, 32, false), 0u);
  EXPECT_EQ(to(3e9, 32, true), 0x7fffffffu);
  EXPECT_EQ(to(-3e9, 32, true), 0x80000000u);
  EXPECT_EQ(to(-2147483648.0, 32, true), 0x80000000u);
  EXPECT_EQ(to(4294967295.5, 32, false), 0xffffffffu);
  EXPECT_EQ(to(1e30, 32, false), 0xffffffffu);
  EXPECT_EQ(to(1e300, 64, false), ~u64{0});
  EXPECT_EQ(to(std::numeric_limits<double>::quiet_NaN(), 32, true), 0u);
  EXPECT_EQ(to(-std::numeric_limits<double>::infinity(), 16, true), 0x8000u);
}

TEST(SoftFloat, NaNsAreTheFirstArgumentsQuiet) {
  EXPECT_EQ(float_add(0x7f800001, 0x7fc01234, single, {}), 0x7fc00001u);
  EXPECT_EQ(float_add(0x3f800000, 0xffa00000, single, {}), 0xffe00000u);
  EXPECT_EQ(float_subtract(0x3f800000, 0x7fa00000, single, {}), 0x7fe00000u);
  EXPECT_EQ(float_multiply_add(0x7f800000, 0, 0x7fc00042, single, {}), 0x7fc00042u);
  EXPECT_EQ(float_multiply(0x7f800000, 0, single, {}), 0x7fc00000u);
  EXPECT_EQ(float_divide(0, 0x80000000, single, {}), 0x7fc00000u);
  EXPECT_EQ(float_square_root(0xbf800000, single, {}), 0x7fc00000u);
}

TEST(SoftFloat, MinimumAndMaximum) {
  const u64 one = 0x3f800000, two = 0x40000000, nan = 0x7fc00001, signalling = 0x7f800001, minus_zero = 0x80000000;
  EXPECT_EQ(float_minimum(one, nan, true, single, {}), one);
  EXPECT_EQ(float_minimum(signalling, one, true, single, {}), one);
  EXPECT_EQ(float_minimum(signalling, nan, true, single, {}), 0x7fc00001u);
  EXPECT_EQ(float_minimum(one, nan, false, single, {}), nan);
  EXPECT_EQ(float_maximum(signalling, one, false, single, {}), 0x7fc00001u);
  EXPECT_EQ(float_minimum(0, minus_zero, true, single, {}), minus_zero);
  EXPECT_EQ(float_maximum(minus_zero, 0, true, single, {}), 0u);
  EXPECT_EQ(float_median(two, one, minus_zero, single, {}), one);
  EXPECT_EQ(float_median(nan, two, one, single, {}), one);
  EXPECT_EQ(float_clamp(two, false, single, {}), one);
  EXPECT_EQ(float_clamp(minus_zero, false, single, {}), 0u);
  EXPECT_EQ(float_clamp(signalling, true, single, {}), 0u);
  EXPECT_EQ(float_clamp(signalling, false, single, {}), 0x7fc00001u);
}

TEST(SoftFloat, RelationsAndClasses) {
  EXPECT_EQ(float_relation(0, 0x80000000, single, {}), 2u);
  EXPECT_EQ(float_relation(0xbf800000, 0xc0000000, single, {}), 4u);
  EXPECT_EQ(float_relation(0xbf800000, 0x7fc00000, single, {}), 8u);
  EXPECT_EQ(float_relation(1, 0, single, {}), 4u);
  EXPECT_EQ(float_relation(1, 0, single, {Rounding::nearest_even, true, false}), 2u);
  const u64 values[] = {0x7f800001, 0x7fc00000, 0xff800000, 0xbf800000, 0x80000001,
                        0x80000000, 0,          1,          0x3f800000, 0x7f800000};
  for (unsigned i = 0; i < 10; ++i) EXPECT_EQ(float_class(values[i], single), 1u << i);
}

TEST(SoftFloat, Integral) {
  const std::vector<u64> some = patterns(single, 3000);
  for (const u64 a : some) {
    const float x = host_of<float>(a);
    ASSERT_TRUE(same(float_integral(a, Rounding::to_zero, single, {}), std::trunc(x), single));
    ASSERT_TRUE(same(float_integral(a, Rounding::up, single, {}), std::ceil(x), single));
    ASSERT_TRUE(same(float_integral(a, Rounding::down, single, {}), std::floor(x), single));
    ASSERT_TRUE(same(float_integral(a, Rounding::nearest_even, single, {}), std::nearbyint(x), single));
  }
}

TEST(SoftFloat, ExponentsAndFractions) {
  const std::vector<u64> some = patterns(wide, 3000);
  for (const u64 a : some) {
    const double x = host_of<double>(a);
    if (!std::isfinite(x)) continue;
    int exponent = 0;
    const double mantissa = std::frexp(x, &exponent);
    ASSERT_EQ(float_exponent(a, wide, {}), exponent);
    ASSERT_TRUE(same(float_mantissa(a, wide, {}), mantissa, wide));
    for (const int scale : {-2000, -1030, -30, 0, 5, 900, 100000}) {
      ASSERT_TRUE(same(float_scale(a, scale, wide, {}), std::ldexp(x, scale), wide)) << std::hex << a << ' ' << scale;
    }
  }
  EXPECT_EQ(float_fraction(0x3fc00000, single, {}), 0x3f000000u);  // 1.5
  EXPECT_EQ(float_fraction(0xbe800000, single, {}), 0x3f400000u);  // -0.25
  EXPECT_EQ(float_fraction(0x80000001, single, {}), 0x3f7fffffu);  // just below 0: not 1
  EXPECT_EQ(float_fraction(0xc0000000, single, {}), 0u);           // -2
  EXPECT_EQ(float_fraction(0x7f800000, single, {}), 0x7fc00000u);
}

TEST(SoftFloat, Flushing) {
  const FloatControl in{Rounding::nearest_even, true, false}, out{Rounding::nearest_even, false, true};
  EXPECT_EQ(float_add(1, 0x80000000, single, in), 0u);
  EXPECT_EQ(float_add(0x80000001, 0x80000000, single, in), 0x80000000u);
  EXPECT_EQ(float_multiply(0x00800000, 0x3f000000, single, out), 0u);
  EXPECT_EQ(float_multiply(0x80800000, 0x3f000000, single, out), 0x80000000u);
  EXPECT_EQ(float_multiply(0x00800000, 0x3f000000, single, in), 0x00400000u);
}

#if defined(__x86_64__)
TEST(SoftFloat, FlushingAgreesWithTheHost) {
  const std::vector<u64> some = patterns(single, 150);
  const unsigned before = _mm_getcsr();
  for (const bool in : {false, true}) {
    for (const bool out : {false, true}) {
      const FloatControl control{Rounding::nearest_even, in, out};
      for (const u64 a : some) {
        for (const u64 b : some) {
          const volatile float x = host_of<float>(a), y = host_of<float>(b);
          _mm_setcsr(before | (in ? 0x40u : 0u) | (out ? 0x8000u : 0u));
          const volatile float sum = x + y, product = x * y;
          _mm_setcsr(before);
          ASSERT_TRUE(same(float_add(a, b, single, control), float(sum), single)) << std::hex << a << " + " << b;
          ASSERT_TRUE(same(float_multiply(a, b, single, control), float(product), single))
              << std::hex << a << " * " << b;
        }
      }
    }
  }
}
#endif

TEST(SoftFloat, Transcendental) {
  const auto value = [](Transcendental what, float x) {
    return host_of<float>(float_transcendental(what, std::bit_cast<u32>(x), single, {}));
  };
  EXPECT_EQ(value(Transcendental::reciprocal, 4.0f), 0.25f);
  EXPECT_EQ(value(Transcendental::reciprocal, -0.0f), -std::numeric_limits<float>::infinity());
  EXPECT_EQ(value(Transcendental::reciprocal_square_root, 16.0f), 0.25f);
  EXPECT_EQ(value(Transcendental::exp2, -3.0f), 0.125f);
  EXPECT_EQ(value(Transcendental::exp2, 200.0f), std::numeric_limits<float>::infinity());
  EXPECT_EQ(value(Transcendental::log2, 1024.0f), 10.0f);
  EXPECT_EQ(value(Transcendental::log2, 0.0f), -std::numeric_limits<float>::infinity());
  EXPECT_EQ(value(Transcendental::sine, 0.25f), 1.0f);
  EXPECT_EQ(value(Transcendental::sine, 0.5f), 0.0f);
  EXPECT_EQ(value(Transcendental::sine, -0.75f), 1.0f);
  EXPECT_EQ(value(Transcendental::cosine, 0.25f), 0.0f);
  EXPECT_EQ(value(Transcendental::cosine, 1000.0f), 1.0f);
  EXPECT_NEAR(value(Transcendental::sine, 1.0f / 12), 0.5, 1e-7);
  EXPECT_TRUE(std::isnan(value(Transcendental::log2, -1.0f)));
  EXPECT_TRUE(std::isnan(value(Transcendental::sine, std::numeric_limits<float>::infinity())));
}

}  // namespace
}  // namespace gfxisa::core
