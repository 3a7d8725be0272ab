// Runs the kernels of tests/kernels, compiled by clang 22 at each level for each target, over random operands.
#pragma once
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "base/types.h"
#include "elf/kernarg.h"

namespace gfxisa::compiled {

/// A target and a level of optimisation.
struct Build {
  const char* target;
  const char* level;
};
std::vector<Build> builds();
std::string name_of(const testing::TestParamInfo<Build>& info);

/// `count` operands: values at the edges of integers and floats, and any.
std::vector<u64> operands(std::size_t count);

/// Runs the kernel NAME of tests/kernels/FILE.cl on `in` and `out`, which are its first two arguments; `more` are the bytes of further ones.
/// Fails the test when anything goes wrong.
void run(const Build& build, const std::string& file, const std::string& name, const LaunchSize& size, const std::vector<u64>& in,
         std::vector<u64>& out, const std::vector<std::vector<u8>>& more = {});

}  // namespace gfxisa::compiled
