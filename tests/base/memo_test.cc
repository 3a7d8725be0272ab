#include "base/memo.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

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
  for (unsigned i = 0; i < count; ++i) memo.keep(MemoKey(key_of(i)), i);
  unsigned known = 0;
  for (unsigned i = 0; i < count; ++i) {
    const u64* value = memo.find(MemoKey(key_of(i)));
    if (value == nullptr) continue;
    EXPECT_EQ(*value, i);
    ++known;
  }
  EXPECT_GT(known, count - 300);  // the first ones are not kept
  EXPECT_EQ(memo.find(MemoKey(key_of(count))), nullptr);
}

// Short keys are compared in parts, longer ones as they are; what lies behind them plays no part.
TEST(Memo, KeysOfEveryLength) {
  ByteMemo memo;
  for (unsigned i = 0; i < 1000; ++i) memo.keep(MemoKey(key_of(i)), "value");  // the first ones are not kept
  std::string room(300, 'x');
  const auto key = [&](std::size_t size, char behind) {
    std::fill(room.begin() + static_cast<std::ptrdiff_t>(size), room.end(), behind);
    return std::string_view(room).substr(0, size);
  };
  for (std::size_t size = 0; size < 200; ++size) {
    memo.keep(MemoKey(key(size, 'a')), "of " + std::to_string(size));
    std::fill(room.begin(), room.end(), 'x');
  }
  for (std::size_t size = 0; size < 200; ++size) {
    const std::string wanted = "of " + std::to_string(size);
    EXPECT_EQ(memo.find(MemoKey(key(size, 'b'))), wanted);
    for (const std::size_t at : {std::size_t{0}, size / 2, size - 1}) {
      std::string other(room.substr(0, size));
      if (at >= size) continue;
      other[at] = 'y';
      EXPECT_EQ(memo.find(MemoKey(other)).data(), nullptr) << size << ", " << at;
    }
    std::fill(room.begin(), room.end(), 'x');
  }
}

TEST(Memo, BeginsAnewWhenItIsFull) {
  constexpr unsigned count = 400'000;  // more than there is room for
  Memo<u64> memo;
  for (unsigned i = 0; i < count; ++i) memo.keep(MemoKey(key_of(i)), i);
  const u64* last = memo.find(MemoKey(key_of(count - 1)));
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(*last, count - 1);
  EXPECT_EQ(memo.find(MemoKey(key_of(1000))), nullptr);
  for (unsigned i = 0; i < count; ++i) {
    const u64* value = memo.find(MemoKey(key_of(i)));
    ASSERT_TRUE(value == nullptr || *value == i) << key_of(i);
  }
}

TEST(Memo, KeepsNothingThatIsLong) {
  ByteMemo memo;
  const std::string key(300, 'k');
  for (int i = 0; i < 1000; ++i) memo.keep(MemoKey(key), "value");
  EXPECT_EQ(memo.find(MemoKey(key)).data(), nullptr);
  memo.clear();
  EXPECT_EQ(memo.find(MemoKey("k")).data(), nullptr);
}

}  // namespace
}  // namespace gfxisa
