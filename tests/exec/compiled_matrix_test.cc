// Matrix operations through the compiler's builtins (matrix.cl) against plain loops: exact where all numbers are whole,
// near where not.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>

#include "compiled.h"

namespace gfxisa {
namespace {

constexpr u32 size = 16, columns = 64;
using Words = std::vector<u64>;

bool is_one_of(std::string_view target, std::initializer_list<std::string_view> targets) {
  return std::find(targets.begin(), targets.end(), target) != targets.end();
}

double small(u64 x) { return static_cast<double>(x % 17) - 8; }
double real(u64 x) { return (static_cast<double>(x & 0xfff) - 2048) / 1024; }
double byte(u64 x) { return static_cast<i8>(x); }

double from_float(u64 bits) { return std::bit_cast<float>(static_cast<u32>(bits)); }
double from_double(u64 bits) { return std::bit_cast<double>(bits); }
double from_whole(u64 bits) { return static_cast<double>(static_cast<i64>(bits)); }

struct Case {
  const char* name;
  double (*operand)(u64);
  double (*result)(u64);
  double tolerance;
  std::initializer_list<std::string_view> without;  ///< targets that have no such operation
};

const Case cases[] = {
    {"matrix_half", small, from_float, 0, {}},
    {"matrix_half_real", real, from_float, 1e-4, {}},
    {"matrix_brain", small, from_float, 0, {"gfx908"}},
    {"matrix_bytes", byte, from_whole, 0, {}},
    {"matrix_eighths", small, from_float, 0, {"gfx908", "gfx90a", "gfx1100", "gfx1150"}},
    {"matrix_double", small, from_double, 0, {"gfx908", "gfx1100", "gfx1150", "gfx1201", "gfx1250"}},
};

class Matrix : public testing::TestWithParam<compiled::Build> {};

TEST_P(Matrix, ProductsAreThoseOfLoops) {
  const compiled::Build build = GetParam();
  if (is_one_of(build.target, {"gfx1010", "gfx1030"})) GTEST_SKIP() << "no matrix operations";
  const bool is_wide = std::string_view(build.target).starts_with("gfx9");
  std::mt19937_64 random(7);
  Words in(2 * size * columns);
  for (u64& word : in) word = random();
  for (const Case& one : cases) {
    if (is_one_of(build.target, one.without)) continue;
    Words out(size * size, ~u64{0});
    LaunchSize launch;
    launch.grid = launch.block = {is_wide ? 64u : 32u, 1, 1};
    compiled::run(build, "matrix", one.name, launch, in, out);
    for (u32 i = 0; i < size; ++i) {
      for (u32 j = 0; j < size; ++j) {
        double sum = 0;
        for (u32 k = 0; k < columns; ++k)
          sum += one.operand(in[i * columns + k]) * one.operand(in[size * columns + k * size + j]);
        EXPECT_NEAR(one.result(out[i * size + j]), sum, one.tolerance) << one.name << " " << i << "," << j;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Compiled, Matrix, testing::ValuesIn(compiled::builds()), compiled::name_of);

}  // namespace
}  // namespace gfxisa
