#include "base/two_over_pi.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gfxisa {
namespace {

TEST(TwoOverPi, StartsAsTheDoubleDoes) {
  EXPECT_NEAR(static_cast<double>(two_over_pi(0) >> 11) * 0x1p-53, M_2_PI, 0x1p-53);
  EXPECT_EQ(two_over_pi(1), two_over_pi(0) << 1 | two_over_pi(64) >> 63);
}

/// The last bits, from the other end: times pi they make 2 again, taken modulo powers of two by the reduction of
/// numbers as large as 2^1000 that the C library does on its own.
TEST(TwoOverPi, ReducesLargeNumbersAsTheLibraryDoes) {
  for (const int exponent : {60, 200, 500, 900, 1020}) {
    // 2^exponent in quarters of a turn: the bits of 2 / pi from `exponent` on are what is left of whole quarters.
    const u64 fraction = two_over_pi(static_cast<u32>(exponent));
    const double angle = static_cast<double>(fraction >> 11) * 0x1p-53 * M_PI_2;
    const u64 quarters = two_over_pi(static_cast<u32>(exponent - 2)) >> 62;
    const double turned = quarters == 0   ? std::sin(angle)
                          : quarters == 1 ? std::cos(angle)
                          : quarters == 2 ? -std::sin(angle)
                                          : -std::cos(angle);
    EXPECT_NEAR(turned, std::sin(std::ldexp(1.0, exponent)), 1e-14) << exponent;
  }
}

TEST(TwoOverPi, EndsAfter1201Bits) {
  EXPECT_EQ(two_over_pi(1201), 0u);
  EXPECT_EQ(two_over_pi(1200) & ~(u64{1} << 63), 0u);
  EXPECT_EQ(two_over_pi(~u32{0}), 0u);
}

}  // namespace
}  // namespace gfxisa
