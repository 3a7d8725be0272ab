#include "base/suggest.h"

#include <gtest/gtest.h>

namespace gfxisa {
namespace {

TEST(EditDistance, CountsSingleMistakes) {
  EXPECT_EQ(edit_distance("v_add_f32", "v_add_f32"), 0U);
  EXPECT_EQ(edit_distance("v_add_f32", "v_ad_f32"), 1U);
  EXPECT_EQ(edit_distance("v_add_f32", "v_addd_f32"), 1U);
  EXPECT_EQ(edit_distance("v_add_f32", "v_and_f32"), 1U);
  EXPECT_EQ(edit_distance("v_add_f32", "v_dad_f32"), 1U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
}

TEST(Suggestion, NamesTheNearest) {
  EXPECT_EQ(suggestion("v_ad_f32", {"s_mov_b32", "v_add_f32", "v_sub_f32"}), "did you mean 'v_add_f32'?");
  EXPECT_EQ(nearest("vgrp", {"sgpr", "vgpr"}), "vgpr");
}

TEST(Suggestion, IsSilentWhenNothingIsNear) {
  EXPECT_EQ(suggestion("entirely_other", {"v_add_f32"}), "");
  EXPECT_EQ(suggestion("U", {"T"}), "");
  EXPECT_EQ(suggestion("", {"T"}), "");
  EXPECT_EQ(suggestion(std::string(1000, 'x'), {"x"}), "");
}

}  // namespace
}  // namespace gfxisa
