// The engine through short programs: operands, masks, modifiers, control flow, memory, faults.
#include "program_text.h"

namespace gfxisa {
namespace {

using exec::Fault;
using exec::FaultKind;

TEST(Snippet, ScalarArithmeticAndItsFlag) {
  auto s = make_snippet("gfx1250", "s_bfe_u32 s0, s1, s2");
  set(*s, "s1=0x12345678");
  set(*s, "s2=0x80004");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(text_of(*s, "s0"), "s0 = 0x00000067");
  EXPECT_EQ(text_of(*s, "scc"), "scc = 1");
}

TEST(Snippet, SignsOfALongWordCountWithDppBehindIt) {
  auto s = make_snippet("gfx1100", "v_add_f32_e64_dpp v2, -v4, |v6| quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf");
  set(*s, "v4=1.0f");
  set(*s, "v6=-3.0f");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(text_of(*s, "v2").substr(0, 16), "v2 = [0x40000000");
}

TEST(Snippet, EndsAtEndpgm) {
  auto s = make_snippet("gfx1100", "s_mov_b32 s0, 1; s_endpgm; s_mov_b32 s0, 2");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(lane_of(*s, "s0"), 1u);
}

TEST(Snippet, LanesThatAreOffKeepTheirRegisters) {
  auto s = make_snippet("gfx1100", "v_add_nc_u32_e32 v0, 1, v1");
  set(*s, "v0=77");
  set(*s, "v1=10,20,30");
  set(*s, "exec=0x2");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(lane_of(*s, "v0", 0), 77u);
  EXPECT_EQ(lane_of(*s, "v0", 1), 21u);
  EXPECT_EQ(lane_of(*s, "v0", 2), 77u);
}

TEST(Snippet, DestinationMayBeASource) {
  auto s = make_snippet("gfx1100", "v_lshlrev_b64 v[1:2], 4, v[0:1]");
  set(*s, "v[0:1]=0x1122334455667788");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(text_of(*s, "v[1:2]").substr(0, 30), "v[1:2] = [0x1223344556677880, ");
}

TEST(Snippet, WavesOf64UseBothHalves) {
  auto s = make_snippet("gfx90a", "v_cmp_gt_u32_e64 s[4:5], v0, s0; v_add_u32_e32 v1, s0, v0", 64);
  for (u32 lane = 0; lane < 64; ++lane) s->wave().row(0)[lane] = lane;
  set(*s, "s0=39");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(text_of(*s, "s[4:5]"), "s[4:5] = 0xffffff0000000000");
  EXPECT_EQ(lane_of(*s, "v1", 63), 102u);
}

TEST(Snippet, ComparesGiveZeroForLanesThatAreOff) {
  auto s = make_snippet("gfx1100", "v_cmp_eq_u32_e32 vcc_lo, 0, v0");
  set(*s, "exec=0xf0f0");
  set(*s, "vcc=0xffffffff");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(lane_of(*s, "vcc"), 0xf0f0u);
}

TEST(Snippet, ConstantsAndLiterals) {
  auto s = make_snippet("gfx1100", "v_mul_f32_e32 v0, 0.5, v1; v_add_f32_e32 v2, 0x40490fdb, v1; s_mov_b64 s[0:1], -4");
  set(*s, "v1=3.0f");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(lane_of(*s, "v0"), 0x3fc00000u);
  EXPECT_EQ(lane_of(*s, "v2"), 0x40c487eeu);
  EXPECT_EQ(text_of(*s, "s[0:1]"), "s[0:1] = 0xfffffffffffffffc");
}

TEST(Snippet, SignModifiers) {
  auto s = make_snippet("gfx1100", "v_add_f32_e64 v0, -v1, |v2|");
  set(*s, "v1=1.5f");
  set(*s, "v2=-4.0f");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(lane_of(*s, "v0"), 0x40200000u);
}

TEST(Snippet, ModeDecidesRounding) {
  for (const auto& [mode, expected] : {std::pair{"mode=0xf0", 0x3f800000u}, std::pair{"mode=0xf1", 0x3f800001u}}) {
    auto s = make_snippet("gfx1100", "v_add_f32_e32 v0, v1, v2");
    set(*s, mode);
    set(*s, "v1=1.0f");
    set(*s, "v2=0x30800000");
    EXPECT_FALSE(s->run());
    EXPECT_EQ(lane_of(*s, "v0"), expected) << mode;
  }
}

TEST(Snippet, ModeDecidesDenormals) {
  for (const auto& [mode, expected] : {std::pair{"mode=0xf0", 0x00400000u}, std::pair{"mode=0xc0", 0u}}) {
    auto s = make_snippet("gfx1100", "v_mul_f32_e32 v0, 0.5, v1");
    set(*s, mode);
    set(*s, "v1=0x00800000");
    EXPECT_FALSE(s->run());
    EXPECT_EQ(lane_of(*s, "v0"), expected) << mode;
  }
}

TEST(Snippet, DppReadsOtherLanes) {
  auto s = make_snippet("gfx1100", "v_mov_b32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1");
  set(*s, "v0=99");
  for (u32 lane = 0; lane < 32; ++lane) s->wave().row(1)[lane] = 100 + lane;
  EXPECT_FALSE(s->run());
  EXPECT_EQ(lane_of(*s, "v0", 0), 0u);
  EXPECT_EQ(lane_of(*s, "v0", 5), 104u);
  EXPECT_EQ(lane_of(*s, "v0", 16), 0u);
}

TEST(Snippet, InterpolationReadsTheLanesOfAQuad) {
  auto s = make_snippet("gfx1100", "v_interp_p10_f32 v3, v0, v1, v0; v_interp_p2_f32 v3, v0, v2, v3");
  set(*s, "v0=1.0f,2.0f,4.0f,0,10.0f,20.0f,40.0f,0");  // P0, P10 and P20 of two primitives
  set(*s, "v1=0.5f");
  set(*s, "v2=0.25f");
  set(*s, "exec=0x99");
  EXPECT_FALSE(s->run());
  for (const auto& [lane, expected] : {std::pair{0u, 3.0f}, {1u, 0.0f}, {3u, 3.0f}, {4u, 30.0f}, {7u, 30.0f}})
    EXPECT_EQ(lane_of(*s, "v3", lane), std::bit_cast<u32>(expected)) << lane;
}

TEST(Snippet, InterpolationHasSignsClampAndHalves) {
  auto s = make_snippet("gfx1100",
                        "v_interp_p2_f32 v4, -v1, v2, v3; v_interp_p2_f32 v5, -v1, v2, v3 clamp;"
                        "v_interp_p2_f16_f32 v6, v0, v2, v3; v_interp_p2_f16_f32 v7, v0, v2, v3 op_sel:[1,0,0,1]");
  set(*s, "v0=0x44003c00");  // 4 and 1
  set(*s, "v1=1.0f");
  set(*s, "v2=2.0f");
  set(*s, "v3=0.5f");
  set(*s, "v6=0x12345678");
  set(*s, "v7=0x12345678");
  set(*s, "exec=0x2");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(lane_of(*s, "v4", 1), std::bit_cast<u32>(-1.5f));
  EXPECT_EQ(lane_of(*s, "v4", 2), 0u);
  EXPECT_EQ(lane_of(*s, "v5", 1), 0u);
  EXPECT_EQ(lane_of(*s, "v6", 1), 0x12344100u);
  EXPECT_EQ(lane_of(*s, "v7", 1), 0x48405678u);  // 8.5
  EXPECT_EQ(lane_of(*s, "v7", 2), 0x12345678u);
}

TEST(Snippet, OneValueOfTheDataShareForWholeQuads) {
  // Type and address in M0: a signed byte at 6.
  for (const auto& [arch, name] :
       {std::pair{"gfx1100", "lds_direct_load v2"}, std::pair{"gfx1201", "ds_direct_load v2"}}) {
    auto s = make_snippet(arch, std::string("v_mov_b32_e32 v0, 4; v_mov_b32_e32 v1, 0xff850000; ds_store_b32 v0, v1; "
                                            "s_mov_b32 m0, 0x40006; s_mov_b32 exec_lo, 0x20; ") +
                                    name);
    set(*s, "v2=7");
    EXPECT_FALSE(s->run());
    EXPECT_EQ(lane_of(*s, "v2", 3), 7u);
    EXPECT_EQ(lane_of(*s, "v2", 4), 0xffffff85u);
    EXPECT_EQ(lane_of(*s, "v2", 7), 0xffffff85u);
    EXPECT_EQ(lane_of(*s, "v2", 8), 7u);
  }
}

TEST(Snippet, HalvesOfRegistersInShortEncodings) {
  auto s = make_snippet("gfx1100", "hex 0139007f");
  set(*s, "v0=0x11112222");
  set(*s, "v1=0x33334444");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(lane_of(*s, "v0"), 0x44442222u);
}

TEST(Snippet, HalfResultsClearOrKeepTheUpperHalf) {
  for (const auto& [arch, expected] : {std::pair{"gfx90a", 0x00004400u}, std::pair{"gfx1030", 0x11114400u}}) {
    auto s = make_snippet(arch, "v_add_f16_e32 v0, v1, v2", find_chip(arch) == find_chip("gfx90a") ? 64 : 32);
    set(*s, "v0=0x11112222");
    set(*s, "v1=0x4000");
    set(*s, "v2=0x4000");
    EXPECT_FALSE(s->run());
    EXPECT_EQ(lane_of(*s, "v0"), expected) << arch;
  }
}

TEST(Snippet, DualInstructionsReadBeforeTheyWrite) {
  auto s = make_snippet("gfx1100", "v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v1, v0");
  set(*s, "v0=1");
  set(*s, "v1=2");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(lane_of(*s, "v0"), 2u);
  EXPECT_EQ(lane_of(*s, "v1"), 1u);
}

TEST(Snippet, LoopsCountDown) {
  auto s =
      make_snippet("gfx1100", "s_add_i32 s0, s0, -1; s_add_i32 s1, s1, 3; s_cmp_lg_u32 s0, 0; s_cbranch_scc1 65532");
  set(*s, "s0=10");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(lane_of(*s, "s1"), 30u);
}

TEST(Snippet, EndlessLoopIsAFault) {
  auto s = make_snippet("gfx1100", "s_branch 65535");
  EXPECT_EQ(s->run().kind, FaultKind::too_many_instructions);
}

TEST(Snippet, BranchOutOfTheCodeIsAFault) {
  auto s = make_snippet("gfx1100", "s_branch 100");
  EXPECT_EQ(s->run().kind, FaultKind::end_of_code);
}

TEST(Snippet, BadInstructionIsAFault) {
  exec::SnippetOptions options;
  options.chip = static_cast<unsigned>(find_chip("gfx1100"));
  const std::vector<u8> code{0xff, 0xff, 0xff, 0xff};
  exec::Snippet s(options, code);
  const Fault fault = s.run();
  EXPECT_EQ(fault.kind, FaultKind::bad_instruction);
  EXPECT_EQ(s.describe(fault), "at offset 0x0: not an instruction");
}

TEST(Snippet, PairsAreNoInstructionsInWavesOf64) {
  exec::SnippetOptions options;
  options.chip = static_cast<unsigned>(find_chip("gfx1100"));
  const std::vector<u8> code{0x80, 0x00, 0x10, 0xca,
                             0xc1, 0x00, 0x02, 0x01};  // v_dual_mov_b32 v1, 0 :: v_dual_mov_b32 v2, -1
  EXPECT_FALSE(exec::Snippet(options, code).run());
  options.wave_size = 64;
  exec::Snippet s(options, code);
  const Fault fault = s.run();
  EXPECT_EQ(fault.kind, FaultKind::bad_instruction);
  EXPECT_EQ(s.describe(fault), "at offset 0x0: not an instruction");
}

TEST(Snippet, GoesOnAfterSleep) {
  auto s = make_snippet("gfx1100", "s_sleep 1; s_sleep 2; s_mov_b32 s1, 5");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(s->read("s1")->values[0], 5u);
}

TEST(Snippet, TrapIsAFault) {
  auto s = make_snippet("gfx1100", "s_trap 2");
  const Fault fault = s->run();
  EXPECT_EQ(fault.kind, FaultKind::trap);
  EXPECT_EQ(fault.number, 2u);
}

// Vector memory as bytes: global_load_b32 v2, v0, s[0:1] offset:4 and global_store_b32 v0, v2, s[0:1] offset:128.
TEST(Snippet, GlobalMemory) {
  std::vector<u32> memory(64);
  for (u32 i = 0; i < 64; ++i) memory[i] = 1000 + i;
  auto s = make_snippet("gfx1100", "hex 040052dc00000002; hex 80006adc00020000");
  s->memory().add(memory.data(), memory.size() * 4, true);
  set(*s, "s[0:1]=" + std::to_string(reinterpret_cast<u64>(memory.data())));
  for (u32 lane = 0; lane < 32; ++lane) s->wave().row(0)[lane] = lane * 4;
  EXPECT_FALSE(s->run());
  EXPECT_EQ(lane_of(*s, "v2", 7), 1008u);
  EXPECT_EQ(memory[32 + 7], 1008u);
}

TEST(Snippet, WildAddressesAreFaults) {
  std::vector<u32> memory(32);
  auto s = make_snippet("gfx1100", "v_mov_b32_e32 v3, 0; hex 000052dc00007c02");
  s->memory().add(memory.data(), memory.size() * 4, true);
  for (u32 lane = 0; lane < 32; ++lane) {
    const u64 address = lane == 9 ? 0x1000 : reinterpret_cast<u64>(memory.data()) + lane * 4;
    s->wave().row(0)[lane] = static_cast<u32>(address);
    s->wave().row(1)[lane] = static_cast<u32>(address >> 32);
  }
  const Fault fault = s->run();
  EXPECT_EQ(fault.kind, FaultKind::bad_address);
  EXPECT_EQ(fault.lane, 9u);
  EXPECT_EQ(fault.address, 0x1000u);
  EXPECT_EQ(fault.code_address - s->wave().code_base, 4u);
}

TEST(Snippet, LastBytesOfMemoryAreReachedAndNoMore) {
  std::vector<u32> memory(32);
  for (const u32 offset : {124u, 125u, 128u}) {
    auto s = make_snippet("gfx1100", "hex 000052dc00000002");
    s->memory().add(memory.data(), memory.size() * 4, true);
    set(*s, "s[0:1]=" + std::to_string(reinterpret_cast<u64>(memory.data())));
    set(*s, "exec=1");
    set(*s, "v0=" + std::to_string(offset));
    EXPECT_EQ(s->run().kind, offset == 124 ? FaultKind::none : FaultKind::bad_address) << offset;
  }
}

TEST(Snippet, StoresToReadOnlyMemoryAreFaults) {
  std::vector<u32> memory(64);
  auto s = make_snippet("gfx1100", "hex 000052dc00000002; hex 00006adc00020000");
  s->memory().add(memory.data(), memory.size() * 4, false);
  set(*s, "s[0:1]=" + std::to_string(reinterpret_cast<u64>(memory.data())));
  EXPECT_EQ(s->run().kind, FaultKind::read_only);
}

// s_load_b32 s4, s[0:1], null
TEST(Snippet, ScalarLoadsFaultToo) {
  auto s = make_snippet("gfx1100", "hex 000100f4000000f8; s_mov_b32 s5, 1");
  const Fault fault = s->run();
  EXPECT_EQ(fault.kind, FaultKind::bad_address);
  EXPECT_EQ(fault.code_address, s->wave().code_base);
  EXPECT_EQ(lane_of(*s, "s5"), 0u);
}

TEST(Snippet, DataShareAndItsAtomics) {
  auto s = make_snippet("gfx1100", "ds_add_u32 v0, v1; ds_add_rtn_u32 v2, v0, v1; ds_load_b32 v3, v0");
  set(*s, "v1=1");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(lane_of(*s, "v3"), 64u);
  EXPECT_EQ(lane_of(*s, "v2", 31), 63u);
}

TEST(Snippet, DataShareOutsideReadsZero) {
  auto s = make_snippet("gfx1100", "ds_load_b32 v3, v0");
  set(*s, "v0=0xfffffffe");
  set(*s, "v3=5");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(lane_of(*s, "v3"), 0u);
}

TEST(Snippet, FlatAddressesReachDataShareAndScratch) {
  auto s = make_snippet("gfx1100",
                        "s_mov_b64 s[0:1], src_shared_base; v_mov_b32_e32 v1, s1; v_mov_b32_e32 v0, 8; "
                        "flat_store_b32 v[0:1], v2; ds_load_b32 v3, v0");
  set(*s, "v2=0x1234");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(lane_of(*s, "v3"), 0x1234u);
}

// Before gfx940 and gfx11 scratch lies in words of the lanes side by side; accesses that are larger are put together.
TEST(Snippet, InterleavedScratchIsWhatOneLaneSees) {
  for (const char* arch : {"gfx908", "gfx1030"}) {
    SCOPED_TRACE(arch);
    auto s = make_snippet(
        arch,
        "v_mov_b32_e32 v0, 8; scratch_store_dwordx4 v0, v[4:7], off; scratch_load_dwordx2 v[8:9], v0, off offset:4;"
        "scratch_load_dword v10, v0, off offset:2; scratch_load_ubyte v11, v0, off offset:15;"
        "s_mov_b64 s[0:1], src_private_base; v_mov_b32_e32 v1, s1; flat_load_dwordx2 v[12:13], v[0:1];"
        "flat_atomic_add_x2 v[0:1], v[4:5]; scratch_load_dwordx2 v[14:15], v0, off",
        64);
    set(*s, "v4=0x11223344,1");
    set(*s, "v5=0x55667788,2");
    set(*s, "v6=0x99aabbcc,3");
    set(*s, "v7=0xddeeff00,4");
    EXPECT_FALSE(s->run());
    EXPECT_EQ(lane_of(*s, "v8"), 0x55667788u);
    EXPECT_EQ(lane_of(*s, "v9", 1), 3u);
    EXPECT_EQ(lane_of(*s, "v10"), 0x77881122u);
    EXPECT_EQ(lane_of(*s, "v11"), 0xddu);
    EXPECT_EQ(lane_of(*s, "v12"), 0x11223344u);
    EXPECT_EQ(lane_of(*s, "v13", 1), 2u);
    EXPECT_EQ(lane_of(*s, "v14"), 0x22446688u);
    EXPECT_EQ(lane_of(*s, "v15", 1), 4u);
  }
  auto beyond = make_snippet("gfx908", "v_mov_b32_e32 v0, 0x10000; scratch_load_dword v1, v0, off", 64);
  EXPECT_EQ(beyond->run().kind, FaultKind::bad_address);
}

TEST(Snippet, BarrierOfOneWaveDoesNotWait) {
  auto s = make_snippet("gfx1100", "s_barrier; s_mov_b32 s0, 1");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(lane_of(*s, "s0"), 1u);
}

TEST(Snippet, BarrierThatNobodyCompletesIsAFault) {
  auto s = make_snippet("gfx1201", "s_barrier_wait 0xffff");
  EXPECT_EQ(s->run().kind, FaultKind::deadlock);
}

TEST(Snippet, RegistersThatAreNotThere) {
  auto s = make_snippet("gfx1100", "s_nop 0");
  EXPECT_FALSE(s->set("s200=1"));
  EXPECT_FALSE(s->set("v0"));
  EXPECT_FALSE(s->set("v0=one"));
  EXPECT_FALSE(s->set("s0=1,2"));
  EXPECT_FALSE(s->set("s0=0x100000000"));
  EXPECT_FALSE(s->read("x7"));
  EXPECT_TRUE(s->set("s0=-1"));
  EXPECT_EQ(lane_of(*s, "s0"), 0xffffffffu);
}

TEST(Snippet, WordsOfMemoryAndDataShare) {
  auto s = make_snippet("gfx1100",
                        "v_mbcnt_lo_u32_b32 v0, -1, 0; v_lshlrev_b32_e32 v0, 2, v0; global_load_b32 v1, v0, s[0:1];"
                        "ds_store_b32 v0, v1 offset:8; ds_load_b32 v2, v0; global_store_b32 v0, v2, s[2:3]");
  set(*s, "s[0:1]=mem");
  set(*s, "s[2:3]=mem+0x100");
  set(*s, "mem[0]=1.5f,7");
  set(*s, "lds[4]=9");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(text_of(*s, "lds[0:12]"), "lds[0:12] = [0x00000000, 0x00000009, 0x3fc00000, 0x00000007]");
  EXPECT_EQ(text_of(*s, "mem[0x104]"), "mem[0x104] = 0x00000009");
  for (const char* wrong : {"lds[2]=1", "mem[65536]=1", "mem[65532]=1,2", "lds[]=1", "s0=mem", "s[0:1]=mem-4"})
    EXPECT_FALSE(s->set(wrong)) << wrong;
  EXPECT_FALSE(s->read("mem[8:4]"));
}

TEST(Snippet, FloatsAsValues) {
  const auto bits = [](std::string_view text, u32 width) {
    const auto value = exec::parse_register_value(text, width);
    return value ? *value : ~u64{0};
  };
  EXPECT_EQ(bits("1.5f", 32), 0x3fc00000u);
  EXPECT_EQ(bits("1.5h", 16), 0x3e00u);
  EXPECT_EQ(bits("-2.0d", 64), 0xc000000000000000u);
  EXPECT_EQ(bits("65504.0h", 16), 0x7bffu);
  EXPECT_EQ(bits("1e9h", 16), 0x7c00u);
  EXPECT_EQ(bits("6e-8h", 16), 1u);
  EXPECT_EQ(bits("0.99999h", 16), 0x3c00u);
  EXPECT_FALSE(exec::parse_register_value("1.5d", 32));
}

}  // namespace
}  // namespace gfxisa
