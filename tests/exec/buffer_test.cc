// Buffers: what descriptors say about places, bounds and formats.
#include "program_text.h"

namespace gfxisa {
namespace {

/// Words of memory that a descriptor in s[4:7] describes.
struct Buffer {
  std::vector<u32> words = std::vector<u32>(64);
  std::unique_ptr<exec::Snippet> snippet;

  Buffer(std::string_view arch, std::string_view program, unsigned wave_size = 32)
      : snippet(make_snippet(arch, program, wave_size)) {
    for (u32 i = 0; i < words.size(); ++i) words[i] = 100 + i;
    snippet->memory().add(words.data(), words.size() * 4, true);
  }
  u64 address() const { return reinterpret_cast<u64>(words.data()); }

  /// Descriptors of all but CDNA 5; `last` is their fourth word.
  void describe(u32 stride, u32 records, u32 last) {
    set_word(4, static_cast<u32>(address()));
    set_word(5, static_cast<u32>(address() >> 32) | stride << 16);
    set_word(6, records);
    set_word(7, last);
  }
  void describe_cdna5(u32 stride, u64 records, u32 flags) {
    const u64 low = address() | records << 57, high = records >> 7 | u64{stride} << 44 | u64{flags} << 60;
    set_word(4, static_cast<u32>(low));
    set_word(5, static_cast<u32>(low >> 32));
    set_word(6, static_cast<u32>(high));
    set_word(7, static_cast<u32>(high >> 32));
  }
  void set_word(unsigned number, u32 value) {
    set(*snippet, "s" + std::to_string(number) + "=" + std::to_string(value));
  }
  u32 lane(std::string_view reg, u32 number) const { return lane_of(*snippet, reg, number); }
  void run() { EXPECT_FALSE(snippet->run()); }
};

constexpr u32 raw = 3u << 28;  ///< OOB_SELECT of gfx10 to gfx12
constexpr u32 xyzw = 4 | 5 << 3 | 6 << 6 | 7 << 9;
constexpr u32 xyz1 = 4 | 5 << 3 | 6 << 6 | 1 << 9;

void expect_raw_load(Buffer& b) {
  set(*b.snippet, "v0=0,24,32,4");
  b.run();
  EXPECT_EQ(b.lane("v4", 0), 100u);
  EXPECT_EQ(b.lane("v7", 0), 103u);
  EXPECT_EQ(b.lane("v4", 1), 106u);
  EXPECT_EQ(b.lane("v5", 1), 107u);
  EXPECT_EQ(b.lane("v6", 1), 0u);
  EXPECT_EQ(b.lane("v4", 2), 0u);
  EXPECT_EQ(b.lane("v7", 3), 104u);
}

TEST(Buffer, WordsOutsideAreZero) {
  for (const auto& [arch, program, wave_size, last] :
       {std::tuple{"gfx908", "buffer_load_dwordx4 v[4:7], v0, s[4:7], 0 offen", 64u, 0u},
        {"gfx942", "buffer_load_dwordx4 v[4:7], v0, s[4:7], 0 offen", 64u, 0u},
        {"gfx1030", "buffer_load_dwordx4 v[4:7], v0, s[4:7], 0 offen", 32u, raw},
        {"gfx1100", "buffer_load_b128 v[4:7], v0, s[4:7], 0 offen", 32u, raw},
        {"gfx1201", "buffer_load_b128 v[4:7], v0, s[4:7], null offen", 32u, raw}}) {
    SCOPED_TRACE(arch);
    Buffer b(arch, program, wave_size);
    b.describe(0, 32, last);
    expect_raw_load(b);
  }
  Buffer b("gfx1250", "buffer_load_b128 v[4:7], v0, s[4:7], null offen");
  b.describe_cdna5(0, 32, 0);
  expect_raw_load(b);
}

TEST(Buffer, IndicesCountRecords) {
  for (const char* arch : {"gfx90a", "gfx1030"}) {
    SCOPED_TRACE(arch);
    Buffer b(arch, "buffer_load_dword v2, v[0:1], s[4:7], 0 idxen offen offset:4", 64);
    b.describe(12, 4, 0);
    set(*b.snippet, "v0=0,1,3,4");
    set(*b.snippet, "v1=0,4,0,0");
    b.run();
    EXPECT_EQ(b.lane("v2", 0), 101u);
    EXPECT_EQ(b.lane("v2", 1), 105u);
    EXPECT_EQ(b.lane("v2", 2), 110u);
    EXPECT_EQ(b.lane("v2", 3), 0u);
  }
}

TEST(Buffer, StoresAndAtomicsOutsideAreDropped) {
  Buffer b("gfx1100", "buffer_store_b32 v1, v0, s[4:7], 0 offen; buffer_atomic_add_u32 v2, v0, s[4:7], 0 offen glc");
  b.describe(0, 8, raw);
  set(*b.snippet, "v0=4,8");
  set(*b.snippet, "v1=7,7");
  set(*b.snippet, "v2=5,5");
  b.run();
  EXPECT_EQ(b.words[1], 12u);
  EXPECT_EQ(b.words[2], 102u);
  EXPECT_EQ(b.lane("v2", 0), 7u);
  EXPECT_EQ(b.lane("v2", 1), 0u);
}

TEST(Buffer, AtomicsThatReturnNothingKeepTheirOperand) {
  Buffer b("gfx90a",
           "buffer_atomic_cmpswap v[2:3], off, s[4:7], 0; buffer_atomic_cmpswap v[4:5], off, s[4:7], 0 offset:4 glc",
           64);
  b.describe(0, 64, 0);
  set(*b.snippet, "exec=1");
  set(*b.snippet, "v2=1");
  set(*b.snippet, "v3=100");
  set(*b.snippet, "v4=2");
  set(*b.snippet, "v5=0");
  b.run();
  EXPECT_EQ(b.words[0], 1u);
  EXPECT_EQ(b.lane("v2", 0), 1u);
  EXPECT_EQ(b.words[1], 101u);
  EXPECT_EQ(b.lane("v4", 0), 101u);
  EXPECT_EQ(b.lane("v5", 0), 0u);
}

// Scratch as gfx9 has it: the lane's number is the index, and words of neighbouring lanes lie side by side.
TEST(Buffer, SwizzledWordsOfLanesLieSideBySide) {
  Buffer b("gfx908", "buffer_store_dword v1, v0, s[4:7], 0 offen offset:4", 64);
  b.describe(8 | 1 << 15, 0, 1u << 23);
  set(*b.snippet, "exec=0x7");
  set(*b.snippet, "v0=0,4,0");
  set(*b.snippet, "v1=1,2,3");
  b.run();
  EXPECT_EQ(b.words[8], 1u);       // lane 0, second word: behind the first words of 8 lanes
  EXPECT_EQ(b.words[16 + 1], 2u);  // lane 1, third word
  EXPECT_EQ(b.words[8 + 2], 3u);   // lane 2, second word
}

TEST(Buffer, FormatsOfDescriptorsBecomeNumbers) {
  Buffer b("gfx1030", "buffer_load_format_xyzw v[4:7], v0, s[4:7], 0 offen", 32);
  b.words[0] = 0x00ff8040;
  b.describe(0, 4, raw | xyz1 | 56u << 12);  // 8_8_8_8_UNORM
  set(*b.snippet, "v0=0,4");
  b.run();
  EXPECT_EQ(b.lane("v4", 0), 0x3e808081u);  // 64 / 255
  EXPECT_EQ(b.lane("v6", 0), 0x3f800000u);
  EXPECT_EQ(b.lane("v7", 0), 0x3f800000u);  // SEL_1
  EXPECT_EQ(b.lane("v4", 1), 0u);
  EXPECT_EQ(b.lane("v7", 1), 0x3f800000u);
}

TEST(Buffer, FormatsOfInstructionsBecomeNumbers) {
  Buffer b(
      "gfx908",
      "tbuffer_load_format_xyzw v[4:7], off, s[4:7], 0 format:[BUF_DATA_FORMAT_2_10_10_10,BUF_NUM_FORMAT_SINT];"
      "tbuffer_load_format_xyz v[8:10], off, s[4:7], 0 format:[BUF_DATA_FORMAT_10_11_11,BUF_NUM_FORMAT_FLOAT] offset:4;"
      "tbuffer_load_format_d16_xy v11, off, s[4:7], 0 format:[BUF_DATA_FORMAT_16_16,BUF_NUM_FORMAT_FLOAT] offset:8",
      64);
  b.words[0] = 0x3ffu | 0x1ffu << 10 | 2u << 20 | 3u << 30;
  b.words[1] = 0x3c0u | 0x400u << 11 | 0x1e0u << 22;  // 1, 2, 1
  b.words[2] = 0x40003c00;
  b.describe(0, 64, xyzw);
  b.run();
  EXPECT_EQ(b.lane("v4", 0), 0xffffffffu);
  EXPECT_EQ(b.lane("v5", 0), 0x1ffu);
  EXPECT_EQ(b.lane("v6", 0), 2u);
  EXPECT_EQ(b.lane("v7", 0), 0xffffffffu);
  EXPECT_EQ(b.lane("v8", 0), 0x3f800000u);
  EXPECT_EQ(b.lane("v9", 0), 0x40000000u);
  EXPECT_EQ(b.lane("v10", 0), 0x3f800000u);
  EXPECT_EQ(b.lane("v11", 0), 0x40003c00u);
}

TEST(Buffer, NumbersBecomeFormats) {
  Buffer b("gfx1100",
           "tbuffer_store_format_xyzw v[4:7], off, s[4:7], 0 format:[BUF_FMT_8_8_8_8_UNORM];"
           "tbuffer_store_format_xy v[4:5], off, s[4:7], 0 format:[BUF_FMT_16_16_FLOAT] offset:4;"
           "tbuffer_store_format_xyz v[4:6], off, s[4:7], 0 format:[BUF_FMT_10_11_11_FLOAT] offset:8;"
           "tbuffer_store_format_xyz v[4:6], off, s[4:7], 0 format:[BUF_FMT_32_32_32_FLOAT] offset:12");
  b.describe(0, 64, raw | xyzw);
  set(*b.snippet, "exec=1");
  set(*b.snippet, "v4=1.0f");
  set(*b.snippet, "v5=0.5f");
  set(*b.snippet, "v6=2.0f");
  set(*b.snippet, "v7=-1.0f");
  b.run();
  EXPECT_EQ(b.words[0], 0x00ff80ffu);
  EXPECT_EQ(b.words[1], 0x38003c00u);
  EXPECT_EQ(b.words[2], 0x3c0u | 0x380u << 11 | 0x200u << 22);
  EXPECT_EQ(b.words[3], 0x3f800000u);
  EXPECT_EQ(b.words[5], 0x40000000u);
}

TEST(Buffer, ScalarLoadsStayInside) {
  Buffer b("gfx1100", "s_buffer_load_b64 s[8:9], s[4:7], 0x8; s_buffer_load_b32 s10, s[4:7], 0x10");
  b.describe(0, 16, raw);
  b.run();
  EXPECT_EQ(b.lane("s8", 0), 102u);
  EXPECT_EQ(b.lane("s9", 0), 103u);
  EXPECT_EQ(b.lane("s10", 0), 0u);
}

}  // namespace
}  // namespace gfxisa
