#include "core/blob.h"

#include <gtest/gtest.h>

#include "body_text.h"
#include "core/evaluate.h"

namespace gfxisa::core {
namespace {

std::vector<Checked> samples() {
  return {
      check_lane("d out u32\na in u32\nb in u32", "d = (a + b) * 3"),
      check_lane("d out f32\na in f32\nimm imm i16", "d = ffma(a, 0.5, f32_of(imm))"),
      check("a_name_longer_than_a_word in u32\naddr in u32", "exec lane",
            "if a_name_longer_than_a_word != 0\n  lds.store(addr, addr)\nelse\n  lds.store(addr, ~addr)"),
      check("d out b32\na in b32", "exec wave",
            "for lane in active\n  if active(lane)\n    for i in 0..100\n      d[lane] = a[lane ^ i]"),
      check("d out b512\nbase in b64", "exec", "d = scalar.load.b512(u64(base))"),
  };
}

TEST(Blob, RoundTrip) {
  for (const Checked& sample : samples()) {
    ASSERT_EQ(sample.errors, "");
    const std::vector<u64> words = serialise(sample.body);
    const auto back = deserialise(words);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(listing(*back), sample.listing);
    EXPECT_EQ(serialise(*back), words);
    EXPECT_EQ(back->kind, sample.body.kind);
    ASSERT_EQ(back->slots.size(), sample.body.slots.size());
    for (std::size_t i = 0; i < back->slots.size(); ++i) {
      EXPECT_EQ(back->slots[i].name, sample.body.slots[i].name);
      EXPECT_EQ(back->slots[i].type, sample.body.slots[i].type);
      EXPECT_EQ(back->slots[i].is_immediate, sample.body.slots[i].is_immediate);
      EXPECT_EQ(back->slots[i].is_read, sample.body.slots[i].is_read);
      EXPECT_EQ(back->slots[i].is_written, sample.body.slots[i].is_written);
    }
  }
}

TEST(Blob, EveryCutIsAnError) {
  for (const Checked& sample : samples()) {
    std::vector<u64> words = serialise(sample.body);
    while (!words.empty()) {
      words.pop_back();
      EXPECT_FALSE(deserialise(words));
    }
  }
}

/// Whatever is read from damaged words can be listed and run without harm.
TEST(Blob, DamageIsAnErrorOrAnotherBody) {
  for (const Checked& sample : samples()) {
    const std::vector<u64> words = serialise(sample.body);
    for (std::size_t i = 0; i < words.size() * 64; ++i) {
      std::vector<u64> damaged = words;
      damaged[i / 64] ^= u64{1} << (i % 64);
      const auto body = deserialise(damaged);
      if (!body) continue;
      EXPECT_FALSE(listing(*body).empty());
      Environment environment;
      environment.exec = 3;
      bool endless = false;
      for (const Statement& s : body->statements) endless |= s.last > 1000 || s.first < -1000 || s.variable > 1000;
      if (!endless) (void)run(*body, environment);
    }
  }
}

TEST(Blob, NonsenseIsAnError) {
  EXPECT_FALSE(deserialise({}));
  const std::vector<u64> zeros(100, 0), ones(100, ~u64{0});
  EXPECT_FALSE(deserialise(zeros));
  EXPECT_FALSE(deserialise(ones));
}

}  // namespace
}  // namespace gfxisa::core
