#include "base/memo.h"

#include <gtest/gtest.h>

namespace gfxisa {
namespace {

/// Keys of many lengths, also of 0 to 8 characters.
std::string key_of(unsigned number) {
  return std::to_string(number * 2654435761u).substr(0, number % 9) + std::string(number % 23, 'x') +
         std::to_string(number);
}

TEST(Memo, KeepsEveryKeyApart) {
  constexpr unsigned count = 20'000;
  Memo<u64> memo;
  for (unsigned i = 0; i < count; ++i) memo.keep(key_of(i), i);
  unsigned known = 0;
  for (unsigned i = 0; i < count; ++i) {
    const u64* value = memo.find(key_of(i));
    if (value == nullptr) continue;
    EXPECT_EQ(*value, i);
    ++known;
  }
  EXPECT_GT(known, count - 300);  // the first ones are not kept
  EXPECT_EQ(memo.find(key_of(count)), nullptr);
}

TEST(Memo, BeginsAnewWhenItIsFull) {
  constexpr unsigned count = 400'000;  // more than there is room for
  Memo<u64> memo;
  for (unsigned i = 0; i < count; ++i) memo.keep(key_of(i), i);
  const u64* last = memo.find(key_of(count - 1));
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(*last, count - 1);
  EXPECT_EQ(memo.find(key_of(1000)), nullptr);
  for (unsigned i = 0; i < count; ++i) {
    const u64* value = memo.find(key_of(i));
    ASSERT_TRUE(value == nullptr || *value == i) << key_of(i);
  }
}

TEST(Memo, KeepsNothingThatIsLong) {
  ByteMemo memo;
  const std::string key(300, 'k');
  for (int i = 0; i < 1000; ++i) memo.keep(key, "value");
  EXPECT_EQ(memo.find(key).data(), nullptr);
  memo.clear();
  EXPECT_EQ(memo.find("k").data(), nullptr);
}

}  // namespace
}  // namespace gfxisa
