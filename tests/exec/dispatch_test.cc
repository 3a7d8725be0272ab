// Workgroups that wait for each other.
#include "exec/dispatch.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include "exec/global_sync.h"
#include "exec/program.h"
#include "program_text.h"

namespace gfxisa {
namespace {

constexpr u32 groups = 11;

/// Each workgroup counts itself, waits for all, and stores the count that it then sees in a place of its own.
struct Meeting {
  std::vector<u32> words = std::vector<u32>(64);
  exec::GlobalSync sync;

  exec::LaunchReport run(std::string_view arch, std::string_view wait, u32 count, unsigned threads) {
    const u64 address = reinterpret_cast<u64>(words.data());
    const std::vector<u8> code = assemble_program(
        arch,
        fmt::format(
            "s_mov_b64 exec, 1; s_mov_b32 m0, 0; s_mov_b32 s0, 0x{:x}; s_mov_b32 s1, 0x{:x}; v_mov_b32_e32 v0, 0;"
            "v_mov_b32_e32 v2, {}; v_mov_b32_e32 v3, 1; global_atomic_add v4, v0, v3, s[0:1] glc; {};"
            "global_load_dword v5, v0, s[0:1]; v_lshlrev_b32_e32 v6, 2, v4;"
            "global_store_dword v6, v5, s[0:1] offset:64; s_endpgm",
            static_cast<u32>(address), address >> 32, groups - 1, wait),
        64);
    exec::LaunchConfig config;
    config.chip = static_cast<unsigned>(find_chip(arch));
    config.wave_size = 64;
    const exec::Program program(config.chip, config.wave_size, code);
    config.program = &program;
    config.size.grid = {groups * 64, 1, 1};
    config.size.block = {64, 1, 1};
    config.threads = threads;
    config.is_cooperative = true;
    config.sync = &sync;
    sync.init(0, count);
    exec::MemoryMap map;
    map.add(words.data(), words.size() * 4, true);
    return exec::dispatch(config, map);
  }

  void expect_all_met() const {
    for (u32 i = 0; i < groups; ++i) EXPECT_EQ(words[16 + i], groups) << i;
  }
};

TEST(Dispatch, WorkgroupsMeetAtGlobalBarriers) {
  for (const char* arch : {"gfx908", "gfx90a", "gfx1030"}) {
    for (const unsigned threads : {1u, 2u, 4u}) {
      Meeting meeting;
      const auto report = meeting.run(arch, "ds_gws_barrier v2 gds; ds_gws_barrier v2 gds", groups - 1, threads);
      EXPECT_EQ(report.faults, 0u) << arch;
      EXPECT_EQ(report.waves, groups);
      meeting.expect_all_met();
    }
  }
}

TEST(Dispatch, GlobalSemaphoresLetAsManyPassAsTheyCount) {
  Meeting meeting;
  EXPECT_EQ(meeting.run("gfx90a", "ds_gws_sema_p gds; ds_gws_sema_v gds", 1, 3).faults, 0u);
  Meeting queue;
  EXPECT_EQ(queue.run("gfx90a", "ds_gws_sema_v gds; ds_gws_sema_p gds", 0, 2).faults, 0u);
}

TEST(Dispatch, WavesThatWaitForeverAreADeadlock) {
  for (const unsigned threads : {1u, 3u}) {
    Meeting meeting;
    const auto report = meeting.run("gfx90a", "ds_gws_barrier v2 gds", groups, threads);
    EXPECT_EQ(report.faults, groups);
    EXPECT_EQ(report.first_fault.kind, exec::FaultKind::deadlock);
  }
}

// Polling: nothing but memory tells that the others have come.
TEST(Dispatch, WorkgroupsThatPollAreAllResident) {
  Meeting meeting;
  const std::string poll = fmt::format(
      "global_load_dword v7, v0, s[0:1] glc; v_readfirstlane_b32 s2, v7; s_cmp_lt_u32 s2, {}; s_cbranch_scc1 65531",
      groups);
  EXPECT_EQ(meeting.run("gfx90a", poll, 0, 2).faults, 0u);
  meeting.expect_all_met();
}

/// A dispatch of gfx1100 in waves of 32.
exec::LaunchReport run_groups(std::string_view text, u32 count, u32 block, u32 scratch_bytes, u32 lds_bytes) {
  const std::vector<u8> code = assemble_program("gfx1100", text);
  exec::LaunchConfig config;
  config.chip = static_cast<unsigned>(find_chip("gfx1100"));
  const exec::Program program(config.chip, config.wave_size, code);
  config.program = &program;
  config.size.grid = {count * block, 1, 1};
  config.size.block = {block, 1, 1};
  config.scratch_bytes = scratch_bytes;
  config.lds_bytes = lds_bytes;
  config.threads = 2;
  return exec::dispatch(config, {});
}

// The first wave waits for the second and lets it run at once.
TEST(Dispatch, WavesThatSleepLetOthersRun) {
  const auto report = run_groups(
      "v_readfirstlane_b32 s0, v0; v_mov_b32_e32 v1, 0; s_cmp_eq_u32 s0, 0; s_cbranch_scc0 8;"
      "s_sleep 1; ds_load_b32 v2, v1; s_waitcnt lgkmcnt(0); v_readfirstlane_b32 s1, v2; s_cmp_eq_u32 s1, 0; "
      "s_cbranch_scc1 65529;"
      "s_endpgm; v_mov_b32_e32 v2, 1; ds_store_b32 v1, v2; s_endpgm",
      1, 64, 0, 64);
  EXPECT_EQ(report.faults, 0u);
  EXPECT_LT(report.instructions, 100u);
}

// Words 2 to 4 of the arguments are in registers before the first instruction.
TEST(Dispatch, ArgumentsInRegisters) {
  std::array<u32, 4> out{};
  const u64 address = reinterpret_cast<u64>(out.data());
  alignas(64) const std::array<u32, 16> arguments{0, 0, static_cast<u32>(address), static_cast<u32>(address >> 32), 77};
  const std::vector<u8> code = assemble_program(
      "gfx942", "v_mov_b32_e32 v0, 8; v_mov_b32_e32 v1, s2; global_store_dword v0, v1, s[0:1]; s_endpgm", 64);
  exec::LaunchConfig config;
  config.chip = static_cast<unsigned>(find_chip("gfx942"));
  config.wave_size = 64;
  const exec::Program program(config.chip, config.wave_size, code);
  config.program = &program;
  config.size.grid = config.size.block = {64, 1, 1};
  config.kernarg_address = reinterpret_cast<u64>(arguments.data());
  config.descriptor.preload = 3 | 2 << 7;
  exec::MemoryMap map;
  map.add(arguments.data(), sizeof arguments, false);
  map.add(out.data(), sizeof out, true);
  EXPECT_EQ(exec::dispatch(config, map).faults, 0u);
  EXPECT_EQ(out, (std::array<u32, 4>{0, 0, 77, 0}));
}

// Scratch of all waves of this grid together would be 32 GiB, of which each touches 128 KiB.
TEST(Dispatch, MemoryIsThatOfResidentWaves) {
  const auto peak_kilobytes = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  const long before = peak_kilobytes();
  const auto report = run_groups("scratch_store_b32 off, v0, off; s_endpgm", 1u << 16, 32, 16384, 1024);
  EXPECT_EQ(report.faults, 0u);
  EXPECT_EQ(report.waves, u64{1} << 16);
  EXPECT_LT(peak_kilobytes() - before, 64 * 1024);
}

}  // namespace
}  // namespace gfxisa
