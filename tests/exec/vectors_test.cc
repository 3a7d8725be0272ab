// The runner of vectors: what it compares and what it skips.
#include "exec/vectors.h"

#include <gtest/gtest.h>

#include <sstream>

namespace gfxisa::exec {
namespace {

/// A vector that moves 5 to v1 (gfx1100), with the given expectation of v1.
std::string vector_with(const std::string& v1, const std::string& more = "") {
  return R"({"id":"t","arch":"gfx1100","wave_size":32,"n_lanes":1,"waves":1,"program":["8502027e"],"asm":["v_mov_b32_e32 v1, 5"],)"
         R"("init":{},"mem":{"out":{"bytes":16}},"rest_zero":true,)" +
         more + R"("expected":{"v1":)" + v1 + "}}";
}

VectorOutcome outcome(const std::string& line) { return run_vector(line).outcome; }

TEST(Vectors, ExactValues) {
  EXPECT_EQ(outcome(vector_with(R"({"lanes":[5],"assert_mask":[4294967295]})")), VectorOutcome::passed);
  EXPECT_EQ(outcome(vector_with(R"({"lanes":[6],"assert_mask":[4294967295]})")), VectorOutcome::failed);
}

TEST(Vectors, ValuesWithoutAMaskOnlyInform) {
  EXPECT_EQ(outcome(vector_with(R"({"lanes":[6]})")), VectorOutcome::passed);
  EXPECT_EQ(outcome(vector_with(R"({"lanes":[6],"assert_mask":[0]})")), VectorOutcome::passed);
}

TEST(Vectors, MasksAndRanges) {
  EXPECT_EQ(outcome(vector_with(R"({"lanes":[7],"assert_mask":[4294967292]})")), VectorOutcome::passed);
  EXPECT_EQ(outcome(vector_with(R"({"lanes":[9],"assert_mask":[4294967288],"accept_f32":[[0,5]]})")),
            VectorOutcome::passed);
  EXPECT_EQ(outcome(vector_with(R"({"lanes":[5],"assert_mask":[4294967288],"accept_f32":[[6,9]]})")),
            VectorOutcome::failed);
}

// Each lane of two waves stores its number, waits, and loads that of the same lane of the other wave.
TEST(Vectors, WavesOfAWorkgroup) {
  std::string lanes, masks;
  for (int i = 0; i < 64; ++i) {
    lanes += (i == 0 ? "" : ",") + std::to_string(i ^ 32);
    masks += i == 0 ? "4294967295" : ",4294967295";
  }
  const std::string line =
      R"({"id":"t","arch":"gfx1100","wave_size":32,"n_lanes":64,"waves":2,"program":["82fe0330","000034d801ff0000","07fc89bf",)"
      R"("0000bdbf","ff02043a80000000","0000d8d802000001","07fc89bf"],"asm":["v_lshlrev_b32_e32 v1, 2, v255"],)"
      R"("init":{},"mem":{"out":{"bytes":16}},"rest_zero":false,"expected":{"v1":{"lanes":[)";
  const std::string rest = "],\"assert_mask\":[";
  const VectorResult result = run_vector(line + lanes + rest + masks + "]}}}");
  EXPECT_EQ(result.outcome, VectorOutcome::passed) << result.reason;
}

TEST(Vectors, OtherRegistersStayZero) {
  const std::string line = vector_with(R"({"lanes":[5]})");
  std::string other = line;
  other.replace(other.find("\"v1\":"), 4, "\"v2\"");
  EXPECT_EQ(outcome(line), VectorOutcome::passed);
  EXPECT_EQ(run_vector(other).reason.substr(0, 14), "v1 lane 0: 0x0");
}

TEST(Vectors, WhatCannotRunIsSkipped) {
  std::string line = vector_with(R"({"lanes":[5],"assert_mask":[4294967295]})");
  line.replace(line.find("gfx1100"), 7, "gfx9999");
  EXPECT_EQ(outcome(line), VectorOutcome::skipped);
}

TEST(Vectors, SummaryCountsAllLines) {
  std::stringstream file(vector_with(R"({"lanes":[5],"assert_mask":[4294967295]})") + "\n" +
                         vector_with(R"({"lanes":[6],"assert_mask":[4294967295]})") + "\n{}\nnot json\n\n");
  unsigned reported = 0;
  const VectorSummary summary = run_vectors(file, [&](const VectorResult&) { ++reported; });
  EXPECT_EQ(summary.passed, 1u);
  EXPECT_EQ(summary.failed, 3u);
  EXPECT_EQ(reported, 3u);
}

}  // namespace
}  // namespace gfxisa::exec
