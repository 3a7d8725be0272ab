// Registers by computed numbers, barriers with names, counters of a wave, loads that transpose, tiles of tensors.
#include <cstring>
#include <numeric>

#include "exec/dispatch.h"
#include "exec/program.h"
#include "program_text.h"

namespace gfxisa {
namespace {

using exec::Fault;
using exec::FaultKind;

// ------------------------------------------------------------------------------------------------ register numbers

TEST(Relative, ScalarMoves) {
  for (const char* arch : {"gfx908", "gfx942", "gfx1010", "gfx1100", "gfx1201"}) {
    const unsigned wave = std::string_view(arch).starts_with("gfx9") ? 64 : 32;
    auto s = make_snippet(
        arch, "s_mov_b32 m0, 3; s_movrels_b32 s0, s4; s_movreld_b64 s[10:11], s[20:21]; s_movrels_b64 s[2:3], s[4:5]",
        wave);
    set(*s, "s7=77");
    set(*s, "s8=88");
    set(*s, "s[20:21]=0x1122334455667788");
    EXPECT_FALSE(s->run()) << arch;
    EXPECT_EQ(lane_of(*s, "s0"), 77u) << arch;
    EXPECT_EQ(text_of(*s, "s[2:3]"), "s[2:3] = 0x000000580000004d") << arch;
    EXPECT_EQ(lane_of(*s, "s13"), 0x55667788u) << arch;
    EXPECT_EQ(lane_of(*s, "s14"), 0x11223344u) << arch;
    EXPECT_EQ(lane_of(*s, "s10"), 0u) << arch;
  }
}

TEST(Relative, ScalarMoveWithTwoDistances) {
  auto s = make_snippet("gfx1100", "s_mov_b32 m0, 0x20005; s_movrelsd_2_b32 s1, s10");
  set(*s, "s15=99");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(lane_of(*s, "s3"), 99u);
}

TEST(Relative, VectorMoves) {
  auto s = make_snippet(
      "gfx1100", "s_mov_b32 m0, 2; v_movrels_b32_e32 v0, v4; v_movreld_b32_e32 v10, v5; v_movrelsd_b32_e32 v20, v4");
  set(*s, "v6=1,2,3");
  set(*s, "v5=50");
  set(*s, "exec=0x3");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(text_of(*s, "v0").substr(0, 40), "v0 = [0x00000001, 0x00000002, 0x00000000");
  EXPECT_EQ(lane_of(*s, "v12", 1), 50u);
  EXPECT_EQ(lane_of(*s, "v12", 2), 0u);
  EXPECT_EQ(lane_of(*s, "v10", 1), 0u);
  EXPECT_EQ(lane_of(*s, "v22", 1), 2u);
}

TEST(Relative, ExchangeWithTwoDistances) {
  for (const char* m0 : {"m0=0x30002", "m0=0"}) {
    auto s = make_snippet("gfx1030", "v_swaprel_b32 v0, v1", 64);
    set(*s, m0);
    const bool moved = std::string_view(m0) != "m0=0";
    set(*s, moved ? "v3=5" : "v0=5");
    set(*s, moved ? "v3=5" : "v1=6");
    EXPECT_FALSE(s->run());
    // The first operand is the destination: v0 + 3 and v1 + 2 are one register.
    EXPECT_EQ(lane_of(*s, moved ? "v3" : "v0", 40), moved ? 5u : 6u);
    if (!moved) EXPECT_EQ(lane_of(*s, "v1", 40), 5u);
  }
}

TEST(Relative, LanesThatMoveAsWellAreNotForBodiesThatNameRegisters) {
  auto s = make_snippet("gfx1100", "v_movrels_b32_dpp v0, v4 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf");
  EXPECT_EQ(s->run().kind, FaultKind::not_executable);
}

TEST(Relative, RegistersThatTheWaveDoesNotHave) {
  auto s = make_snippet("gfx1100", "v_movreld_b32_e32 v10, v5");
  set(*s, "m0=100000");
  EXPECT_EQ(s->run().kind, FaultKind::bad_register);
}

TEST(Relative, IndexModeOfGfx9) {
  for (const char* arch : {"gfx908", "gfx942"}) {
    auto s = make_snippet(arch,
                          "s_set_gpr_idx_on s0, gpr_idx(SRC0); v_mov_b32_e32 v0, v4; v_add_u32_e32 v1, v4, v5; "
                          "s_set_gpr_idx_off; v_mov_b32_e32 v2, v4",
                          64);
    set(*s, "s0=3");
    set(*s, "v4=40");
    set(*s, "v5=50");
    set(*s, "v7=70");
    EXPECT_FALSE(s->run()) << arch;
    EXPECT_EQ(lane_of(*s, "v0"), 70u);
    EXPECT_EQ(lane_of(*s, "v1", 63), 120u);
    EXPECT_EQ(lane_of(*s, "v2"), 40u);
  }
  auto s = make_snippet("gfx90a",
                        "s_set_gpr_idx_on s0, gpr_idx(DST); v_mov_b32_e32 v0, v4; s_set_gpr_idx_idx s1; v_mov_b32_e32 "
                        "v0, v4; s_set_gpr_idx_off",
                        64);
  set(*s, "s0=8");
  set(*s, "s1=9");
  set(*s, "v4=1");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(lane_of(*s, "v8") + lane_of(*s, "v9"), 2u);
  EXPECT_EQ(lane_of(*s, "v0"), 0u);
}

TEST(Relative, RegistersAbove256) {
  auto s = make_snippet(
      "gfx1250",
      "s_set_vgpr_msb 0x40; v_mov_b32_e32 v3, v1; s_set_vgpr_msb 1; v_add_nc_u32_e32 v2, v3, v1; s_set_vgpr_msb 0");
  set(*s, "v1=5");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(s->wave().row(256 + 3)[7], 5u);
  EXPECT_EQ(lane_of(*s, "v2", 7), 10u);
  // A branch that comes with other bits than the code before its target has.
  auto t = make_snippet("gfx1250", "s_set_vgpr_msb 1; s_branch 1; s_set_vgpr_msb 0; v_mov_b32_e32 v0, v1");
  EXPECT_EQ(t->run().kind, FaultKind::other_banks);
}

// ------------------------------------------------------------------------------------------------ control

TEST(Special, HaltIsAnError) {
  auto s = make_snippet("gfx1100", "s_sethalt 0; s_sethalt 1");
  EXPECT_EQ(s->run().kind, FaultKind::halted);
  auto t = make_snippet("gfx1100", "s_setkill 1; s_mov_b32 s0, 1");
  EXPECT_FALSE(t->run());
  EXPECT_EQ(lane_of(*t, "s0"), 0u);
}

TEST(Special, ForkAndJoin) {
  // Lanes 0..9 pass; the smaller part goes first, and after the join the other.
  auto s = make_snippet(
      "gfx942",
      "s_mov_b32 s20, 0; s_mov_b64 s[30:31], 0x3ff; s_cbranch_i_fork s[30:31], 2; v_mov_b32_e32 v0, 1; "
      "s_branch 1; v_mov_b32_e32 v0, 2; v_add_u32_e32 v1, 1, v1; s_cbranch_join s20; v_add_u32_e32 v2, 1, v2",
      64);
  EXPECT_FALSE(s->run());
  EXPECT_EQ(lane_of(*s, "v0", 3), 2u);
  EXPECT_EQ(lane_of(*s, "v0", 40), 1u);
  EXPECT_EQ(lane_of(*s, "v1", 3) + lane_of(*s, "v1", 40), 2u);
}

// ------------------------------------------------------------------------------------------------ data share

TEST(Special, AppendAndConsume) {
  for (const char* arch : {"gfx908", "gfx1030", "gfx1201"}) {
    const unsigned wave = std::string_view(arch) == "gfx908" ? 64 : 32;
    auto s = make_snippet(
        arch, "s_mov_b32 m0, 16; ds_append v0 offset:4; ds_append v1 offset:4; ds_consume v2 offset:4", wave);
    set(*s, "exec=0xf0");
    EXPECT_FALSE(s->run()) << arch;
    EXPECT_EQ(lane_of(*s, "v0", 4), 0u);
    EXPECT_EQ(lane_of(*s, "v1", 7), 4u);
    EXPECT_EQ(lane_of(*s, "v2", 5), 8u);
    EXPECT_EQ(lane_of(*s, "v1", 0), 0u);
    u32 left = 0;
    std::memcpy(&left, s->lds().data() + 20, 4);
    EXPECT_EQ(left, 4u);
  }
}

TEST(Special, BarrierObjectsCountDownAndBeginAnew) {
  auto s = make_snippet("gfx1250", "ds_atomic_barrier_arrive_rtn_b64 v[0:1], v4, v[2:3]");
  const u64 object = u64{2} << 32 | 0x20000001;  // phase 1, two to arrive, three next
  std::memcpy(s->lds().data() + 64, &object, 8);
  set(*s, "v4=64");
  set(*s, "v[2:3]=1");
  set(*s, "exec=0x7");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(lane_of(*s, "v0", 0), 0x20000001u);
  EXPECT_EQ(lane_of(*s, "v0", 1), 0x20000000u);
  EXPECT_EQ(lane_of(*s, "v0", 2), 0x00000002u);
  u64 left = 0;
  std::memcpy(&left, s->lds().data() + 64, 8);
  EXPECT_EQ(left, u64{2} << 32 | 1);
}

/// Elements of a column-major matrix of 16 by 16 halves, numbered row * 16 + column.
TEST(Special, TransposingLoadGivesRowsToLanes) {
  auto s = make_snippet("gfx1250", "ds_load_tr16_b128 v[0:3], v4");
  for (u32 row = 0; row < 16; ++row) {
    for (u32 column = 0; column < 16; ++column) {
      const u16 value = static_cast<u16>(row * 16 + column);
      std::memcpy(s->lds().data() + (column * 16 + row) * 2, &value, 2);
    }
  }
  // A lane loads eight rows of a column: lanes 0..7 and 16..23 the upper rows, the others the lower ones.
  for (u32 lane = 0; lane < 32; ++lane)
    s->wave().row(4)[lane] = ((lane & 7) + 8 * (lane >> 4)) * 32 + (lane >> 3 & 1) * 16;
  EXPECT_FALSE(s->run());
  for (u32 lane = 0; lane < 32; ++lane) {
    for (u32 k = 0; k < 8; ++k) {
      const u32 word = s->wave().row(k / 2)[lane];
      EXPECT_EQ(word >> k % 2 * 16 & 0xffff, lane % 16 * 16 + lane / 16 * 8 + k) << lane << " " << k;
    }
  }
}

TEST(Special, BlocksOfRegisters) {
  std::vector<u32> memory(64);
  std::iota(memory.begin(), memory.end(), 100u);
  auto s = make_snippet("gfx1201",
                        "s_mov_b32 m0, 0x80000005; global_load_block v[8:39], v0, s[0:1] offset:4; global_store_block "
                        "v0, v[8:39], s[2:3]");
  s->memory().add(memory.data(), memory.size() * 4, true);
  s->wave().set_pair(0, reinterpret_cast<u64>(memory.data()));
  s->wave().set_pair(2, reinterpret_cast<u64>(memory.data() + 32));
  set(*s, "v9=7");
  set(*s, "exec=0x1");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(lane_of(*s, "v8"), 101u);
  EXPECT_EQ(lane_of(*s, "v9"), 7u);
  EXPECT_EQ(lane_of(*s, "v10"), 103u);
  EXPECT_EQ(lane_of(*s, "v39"), 132u);
  EXPECT_EQ(memory[32], 101u);
  EXPECT_EQ(memory[33], 133u);
  EXPECT_EQ(memory[63], 132u);
}

/// A tile of 4 by 3 words out of a tensor of 10 by 2 words left, with a gap of a word after each 16 bytes.
TEST(Special, TilesOfTensors) {
  std::vector<u32> memory(40);
  std::iota(memory.begin(), memory.end(), 1u);
  auto s = make_snippet("gfx1250",
                        "tensor_load_to_lds s[0:3], s[4:11]; s_mov_b32 s1, 0x100; tensor_load_to_lds s[0:3], s[4:11]");
  s->memory().add(memory.data(), memory.size() * 4, true);
  const u64 address = reinterpret_cast<u64>(memory.data());
  u32* r = s->wave().scalar_file();
  r[0] = 1;
  r[1] = 0x40;
  r[2] = static_cast<u32>(address);
  r[3] = static_cast<u32>(address >> 32) | 2u << 30;
  r[4] = 2u << 16 | 1u << 20 | 1u << 22;  // words; padding every 16 bytes, by a word
  r[5] = 10u << 16;                       // tensor_dim0
  r[6] = 2u << 16;                        // tensor_dim1
  r[7] = 4u << 16;                        // tile_dim0
  r[8] = 3;                               // tile_dim1
  r[9] = 10;                              // tensor_dim0_stride
  EXPECT_FALSE(s->run());
  const auto word = [&](u32 at) {
    u32 value;
    std::memcpy(&value, s->lds().data() + at, 4);
    return value;
  };
  EXPECT_EQ(word(0x40), 1u);
  EXPECT_EQ(word(0x4c), 4u);
  EXPECT_EQ(word(0x54), 11u);
  EXPECT_EQ(word(0x68), 0u);  // beyond the tensor's end
  EXPECT_EQ(word(0x10c), 4u);
}

// ------------------------------------------------------------------------------------------------ named barriers

exec::LaunchReport run_waves(std::string_view arch, std::string_view text, u32 waves, std::vector<u32>& memory,
                             u32 rsrc3 = 0) {
  const std::vector<u8> code = assemble_program(arch, text);
  const auto chip = static_cast<unsigned>(find_chip(arch));
  const exec::Program program(chip, 32, code);
  exec::LaunchConfig config;
  config.chip = chip;
  config.wave_size = 32;
  config.program = &program;
  config.size.grid = config.size.block = {waves * 32, 1, 1};
  config.lds_bytes = 1024;
  config.threads = 1;
  config.descriptor.rsrc3 = rsrc3;
  config.max_instructions = 10000;
  exec::MemoryMap map;
  map.add(memory.data(), memory.size() * 4, true);
  return exec::dispatch(config, map);
}

/// Waves 0 and 1 meet at barrier 1 twice; wave 2 never goes there.
TEST(NamedBarrier, MembersWaitForEachOtherOnly) {
  std::vector<u32> memory(64);
  const u64 address = reinterpret_cast<u64>(memory.data());
  const std::string text =
      "v_readfirstlane_b32 s0, v0; s_bfe_u32 s0, s0, 0x50005; s_mov_b32 m0, 0x20001; s_cmp_lg_u32 s0, 0; "
      "s_cbranch_scc1 1; s_barrier_init m0; "
      "s_barrier_signal -1; s_barrier_wait 0xffff; s_cmp_ge_u32 s0, 2; s_cbranch_scc1 16; "
      "s_barrier_join 1; s_barrier_signal 1; s_barrier_wait 1; s_barrier_signal 1; s_barrier_wait 1; "
      "s_get_barrier_state s1, 1; "
      "v_mov_b32_e32 v2, s1; v_lshlrev_b32_e64 v3, 2, s0; "
      "s_mov_b32 s4, " +
      std::to_string(static_cast<u32>(address)) + "; s_mov_b32 s5, " + std::to_string(static_cast<u32>(address >> 32)) +
      "; global_store_b32 v3, v2, s[4:5]; s_endpgm";
  for (const char* arch : {"gfx1201", "gfx1250"}) {
    std::fill(memory.begin(), memory.end(), 0);
    const auto report = run_waves(arch, text, 3, memory, 1u << 14);
    EXPECT_EQ(report.faults, 0u) << arch << ": " << describe(report.first_fault.kind);
    const u32 state = memory[0];
    EXPECT_EQ(state & 0x7f1, 0x21u) << arch << std::hex << state;
    EXPECT_EQ(memory[1], state) << arch;
    EXPECT_EQ(memory[2], 0u) << arch;
  }
}

TEST(NamedBarrier, OneThatCannotCompleteIsADeadlock) {
  std::vector<u32> memory(4);
  const auto report = run_waves(
      "gfx1201",
      "s_mov_b32 m0, 0x50002; s_barrier_init m0; s_barrier_join 2; s_barrier_signal 2; s_barrier_wait 2; s_endpgm", 2,
      memory);
  EXPECT_EQ(report.faults, 1u);
  EXPECT_EQ(report.first_fault.kind, FaultKind::deadlock);
}

TEST(NamedBarrier, WithoutBarriersNothingHappens) {
  std::vector<u32> memory(4);
  const auto report = run_waves(
      "gfx1250",
      "s_mov_b32 m0, 0x50002; s_barrier_init m0; s_barrier_join 2; s_barrier_signal 2; s_barrier_wait 2; s_endpgm", 2,
      memory);
  EXPECT_EQ(report.faults, 0u);
}

TEST(NamedBarrier, FirstAndLast) {
  auto s = make_snippet(
      "gfx1201",
      "s_mov_b32 m0, 0x20003; s_barrier_init m0; s_barrier_join 3; s_barrier_signal_isfirst 3; s_cselect_b32 s0, 1, 0; "
      "s_barrier_signal_isfirst 3; s_cselect_b32 s1, 1, 0; s_barrier_leave; s_cselect_b32 s2, 1, 0; s_barrier_join 3; "
      "s_barrier_leave; s_cselect_b32 s3, 1, 0");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(lane_of(*s, "s0"), 1u);
  EXPECT_EQ(lane_of(*s, "s1"), 0u);
  EXPECT_EQ(lane_of(*s, "s2"), 0u);
  EXPECT_EQ(lane_of(*s, "s3"), 1u);
}

}  // namespace
}  // namespace gfxisa
