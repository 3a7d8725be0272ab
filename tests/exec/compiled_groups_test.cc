// Kernels of workgroups and waves (groups.cl, waves.cl) against plain C++ that works on whole workgroups.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "compiled.h"

namespace gfxisa {
namespace {

constexpr u32 groups = 3, group_items = 256, items = groups * group_items;
using Words = std::vector<u64>;

/// One workgroup's view: operand `k` of item `i`, counted from its first, and where its results go.
struct Group {
  u32 index;
  const u64* in;
  u64* out;
  u64 wide(u32 i, u32 k = 0) const { return in[i * 4 + k]; }
  u32 word(u32 i, u32 k = 0) const { return static_cast<u32>(wide(i, k)); }
  i32 whole(u32 i, u32 k = 0) const { return static_cast<i32>(word(i, k)); }
};
using Reference = void (*)(const Group&);

struct Case {
  const char* file;
  const char* name;
  Reference reference;
};

u64 sign_extended(i32 v) { return static_cast<u64>(i64{v}); }

template <class F>
void each_item(F f) {
  for (u32 i = 0; i < group_items; ++i) f(i);
}

/// The word of lane `from` of item i's row of 16; `otherwise` when there is no such lane.
u32 of_row(const Group& g, u32 i, int from, u32 otherwise) {
  return from < 0 || from > 15 ? otherwise : g.word((i & ~15u) + static_cast<u32>(from));
}

template <class T, class F>
T sum_of(u32 count, F f) {
  T sum{};
  for (u32 k = 0; k < count; ++k) sum += f(k);
  return sum;
}

const Case cases[] = {
    {"groups", "reduce_sum",
     [](const Group& g) {
       u64 sum = 0;
       each_item([&](u32 i) { sum += g.wide(i); });
       std::fill_n(g.out, group_items, sum);
     }},
    {"groups", "prefix_sum",
     [](const Group& g) {
       u32 sum = 0;
       each_item([&](u32 i) { g.out[i] = sum += g.word(i); });
     }},
    {"groups", "transpose",
     [](const Group& g) { each_item([&](u32 i) { g.out[i] = g.wide((i & 15) << 4 | i >> 4, 1); }); }},
    {"groups", "bitonic_sort",
     [](const Group& g) {
       each_item([&](u32 i) { g.out[i] = g.word(i, 2); });
       std::sort(g.out, g.out + group_items);
     }},
    {"groups", "local_atomics",
     [](const Group& g) {
       u32 cells[8] = {0, 0, 0, ~0u, 0, ~0u, 0, 0};
       i32 high = 0, low = 0;
       each_item([&](u32 i) {
         const u32 v = g.word(i);
         cells[0] += v, cells[1] -= v >> 3, cells[2] = std::max(cells[2], v), cells[3] = std::min(cells[3], v);
         cells[4] |= v & 0x10101u << (i & 7), cells[5] &= v | 0xffff0fffu, cells[6] ^= v, cells[7] += v & 1;
         high = std::max(high, g.whole(i)), low = std::min(low, g.whole(i));
       });
       std::copy_n(cells, 8, g.out);
       g.out[8] = sign_extended(high), g.out[9] = sign_extended(low);
     }},
    {"groups", "local_atomics64",
     [](const Group& g) {
       u64 cells[6] = {0, 0, ~u64{0}, 0, 0, 0};
       each_item([&](u32 i) {
         const u64 v = g.wide(i);
         cells[0] += v, cells[1] = std::max(cells[1], v), cells[2] = std::min(cells[2], v);
         cells[3] ^= v, cells[4] |= v & 0x1111, cells[5] -= v;
       });
       std::copy_n(cells, 6, g.out);
     }},
    {"groups", "exchange_loops",
     [](const Group& g) {
       f32 sum = 0;
       each_item([&](u32 i) { sum += static_cast<f32>(g.word(i) & 255); });
       each_item([&](u32 i) { g.out[i] = u64{1} << 32 | std::bit_cast<u32>(sum); });
     }},
    {"groups", "stencil",
     [](const Group& g) {
       each_item([&](u32 i) {
         const bool has_left = i > 0 || g.index > 0, has_right = i + 1 < group_items || g.index + 1 < groups;
         const u32 left = has_left ? static_cast<u32>(*(g.in + i64{i} * 4 - 4)) : 0,
                   right = has_right ? g.word(i + 1) : 0;
         g.out[i] = sign_extended(static_cast<i32>(left - 2 * g.word(i) + right));
       });
     }},
    {"groups", "dynamic_histogram",
     [](const Group& g) {
       u64 counts[64] = {};
       each_item([&](u32 i) {
         for (u32 k = 0; k < 4; ++k) ++counts[g.word(i, k) & 63];
       });
       each_item([&](u32 i) { g.out[i] = counts[i & 63]; });
     }},
    {"groups", "vectors",
     [](const Group& g) {
       each_item([&](u32 i) {
         const auto byte = [&](u32 k) { return static_cast<u8>(g.wide(i) >> (8 * k)); };
         const auto half = [&](u32 k) { return static_cast<u16>(g.wide(i, 1) >> (16 * k)); };
         u64 mixed = 0, product = 0;
         u32 wide[4];
         for (u32 k = 0; k < 8; ++k) mixed |= u64{static_cast<u8>(byte(7 - k) + k + 1)} << (8 * k);
         for (u32 k = 0; k < 4; ++k) {
           product |= u64{static_cast<u16>(u32{half(k)} * half(3 - k) - byte(k))} << (16 * k);
           wide[k] = half(k) * static_cast<u32>(static_cast<i16>(g.wide(i, 2) >> (16 * k)));
         }
         g.out[i] = mixed ^ product ^ (u64{wide[0] + wide[1]} << 32 | (wide[2] ^ wide[3]));
       });
     }},
    {"waves", "swizzle", [](const Group& g) { each_item([&](u32 i) { g.out[i] = g.word(i ^ 5); }); }},
    {"waves", "permute",
     [](const Group& g) { each_item([&](u32 i) { g.out[i] = g.word((i & ~31u) + (g.word(i, 1) & 31)); }); }},
    {"waves", "row_sums",
     [](const Group& g) {
       each_item([&](u32 i) { g.out[i] = sum_of<u32>(16, [&](u32 k) { return g.word((i & ~15u) + k); }); });
     }},
    {"waves", "row_moves",
     [](const Group& g) {
       each_item([&](u32 i) {
         const int lane = static_cast<int>(i & 15);
         const u32 quad = of_row(g, i, lane ^ 3, 0), mirrored = of_row(g, i, 15 - lane, 0),
                   half_mirrored = of_row(g, i, lane ^ 7, 0);
         const u32 moved = of_row(g, i, lane - 3, 7), zeroed = of_row(g, i, lane + 2, 0);
         const u32 masked = (lane / 4 & 1) == 0 ? of_row(g, i, lane - 1, 7) : 7;
         g.out[i] = quad + 3 * mirrored + 5 * half_mirrored + 7 * moved + 11 * zeroed + 13 * masked;
       });
     }},
    {"waves", "votes",
     [](const Group& g) {
       each_item([&](u32 i) {
         const auto odd = [&](u32 k) { return g.word((i & ~31u) + k) & 1; };
         g.out[i] = u64{sum_of<u32>(i & 31, odd)} << 32 | sum_of<u32>(32, odd);
       });
     }},
    {"waves", "waterfall",
     [](const Group& g) {
       each_item([&](u32 i) {
         const u32 v = g.word(i) & 7;
         g.out[i] = v * v + 3;
       });
     }},
};

class CompiledGroups : public testing::TestWithParam<compiled::Build> {
 protected:
  void SetUp() override { in_ = compiled::operands(items * 4); }

  void check(const std::string& file) {
    for (const Case& each : cases) {
      if (each.file != file) continue;
      Words expected(items), out(items);
      for (u32 group = 0; group < groups; ++group)
        each.reference({group, in_.data() + group * group_items * 4, expected.data() + group * group_items});
      run(each.file, each.name, out);
      for (u32 i = 0, shown = 0; i < items && shown < 4; ++i) {
        if (out[i] == expected[i]) continue;
        ++shown;
        ADD_FAILURE() << each.name << ", item " << i << std::hex << ": 0x" << out[i] << ", not 0x" << expected[i];
      }
    }
  }

  void run(const std::string& file, const std::string& name, Words& out) {
    LaunchSize size;
    size.grid = {items, 1, 1};
    size.block = {group_items, 1, 1};
    if (name == "dynamic_histogram") {
      // A local pointer is the place in local memory, behind what the kernel has of its own: nothing.
      size.dynamic_lds_bytes = 64 * 4;
      compiled::run(GetParam(), file, name, size, in_, out, {std::vector<u8>(4)});
    } else {
      compiled::run(GetParam(), file, name, size, in_, out);
    }
  }

  Words in_;
};

TEST_P(CompiledGroups, Groups) { check("groups"); }
TEST_P(CompiledGroups, Waves) { check("waves"); }

TEST_P(CompiledGroups, FirstLane) {
  Words out(items);
  run("waves", "first_lane", out);
  for (u32 i = 0; i < items; ++i) {
    // In a wave of 64 lanes the other half has no say.
    EXPECT_EQ(out[i], (i & 31) < 5 ? 0u : 501u) << i;
  }
}

TEST_P(CompiledGroups, GlobalAtomics) {
  Words out(items + 16);
  run("groups", "global_atomics", out);
  u64 cells[4] = {};
  u32 words[5] = {};
  i32 high = 0;
  for (u32 i = 0; i < items; ++i) {
    const u64 v = in_[i * 4];
    const u32 low = static_cast<u32>(v);
    cells[0] += v, cells[1] = std::max(cells[1], v), cells[2] ^= v, cells[3] |= v & 0xff0000ff00u;
    words[0] += low, words[2] ^= static_cast<u32>(v >> 32), words[3] |= low & 0x1000, words[4] -= low & 15;
    high = std::max(high, static_cast<i32>(low));
    EXPECT_EQ(out[i], 1u) << i;
  }
  words[1] = static_cast<u32>(high);
  u32 found[16];
  std::memcpy(found, &out[items + 8], sizeof found);
  for (u32 k = 0; k < 4; ++k) EXPECT_EQ(out[items + k], cells[k]) << k;
  for (u32 k = 0; k < 5; ++k) EXPECT_EQ(found[k], words[k]) << k;
  EXPECT_TRUE(found[5] >= 1 && found[5] <= items);
  EXPECT_EQ(found[6], 0u);
  EXPECT_EQ(found[7], items);
}

TEST_P(CompiledGroups, Places) {
  // The last workgroup of each axis is not full; the hidden arguments count and measure those that are.
  LaunchSize size;
  size.grid = {13, 7, 5};
  size.block = {8, 4, 2};
  Words out(13 * 7 * 5);
  compiled::run(GetParam(), "groups", "places", size, in_, out);
  for (u64 z = 0; z < 5; ++z) {
    for (u64 y = 0; y < 7; ++y) {
      for (u64 x = 0; x < 13; ++x) {
        EXPECT_EQ(out[(z * 7 + y) * 13 + x], x % 8 | (y % 4) << 8 | (z % 2) << 16 | (x / 8) << 24 | (y / 4) << 32 |
                                                 (z / 2) << 40 | u64{1} << 48 | u64{8} << 56);
      }
    }
  }
}

TEST_P(CompiledGroups, MatrixTiles) {
  Words out(items);
  run("groups", "matrix_tiles", out);
  for (u32 i = 0; i < items; ++i) {
    const u64* const in = &in_[(i & ~255u) * 4];
    const u32 row = i >> 4 & 15, column = i & 15;
    f64 sum = 0;
    for (u32 k = 0; k < 16; ++k) {
      const f64 left = static_cast<i32>(in[(row * 16 + k) * 4]),
                right = static_cast<i32>(in[(k * 16 + column) * 4 + 1]);
      sum = std::fma(left * right, 0x1p-40, sum);  // the scale is a power of two: exact, fused or not
    }
    EXPECT_NEAR(std::bit_cast<f64>(out[i]), sum, std::abs(sum) * 1e-12 + 1e-3) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Builds, CompiledGroups, testing::ValuesIn(compiled::builds()), compiled::name_of);

}  // namespace
}  // namespace gfxisa
