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

/// `body`, over and over while SCC is set after it.
std::string repeat(std::string_view arch, const std::string& body) {
  const std::size_t words = assemble_program(arch, body, 64).size() / 4;
  return fmt::format("{}; s_cbranch_scc1 {}", body, 0xffff - words);
}

/// Two workgroups of one wave of 64 lanes, a thread for each.
void run_two_groups(std::string_view arch, std::span<const u8> code, std::span<u32> memory) {
  exec::LaunchConfig config;
  config.chip = static_cast<unsigned>(find_chip(arch));
  config.wave_size = 64;
  const exec::Program program(config.chip, config.wave_size, code);
  config.program = &program;
  config.size.grid = {2 * 64, 1, 1};
  config.size.block = {64, 1, 1};
  config.threads = 2;
  exec::MemoryMap map;
  map.add(memory.data(), memory.size_bytes(), true);
  EXPECT_EQ(exec::dispatch(config, map).faults, 0u);
}

// One workgroup stores elements of two or four equal words, counting up, until another has loaded them many times: it
// must not see parts of two stores. Programs rely on it that put a flag beside a value.
void expect_whole_elements(u32 words, u64 lanes, u32 stride) {
  const std::string_view arch = "gfx90a";
  alignas(64) std::array<u32, 32 + 64 * 8> memory{};
  enum : u32 { arrived, has_read, unequal };  // words of memory; elements begin at byte 128
  const u64 address = reinterpret_cast<u64>(memory.data());
  const std::string writer =
      repeat(arch, fmt::format(
                       "v_add_u32_e32 v12, 1, v12; v_mov_b32_e32 v13, v12; v_mov_b32_e32 v14, v12;"
                       "v_mov_b32_e32 v15, v12; global_store_dwordx{} v1, v[12:{}], s[0:1] offset:128;"
                       "global_load_dword v7, v2, s[0:1] offset:{} glc; v_readfirstlane_b32 s3, v7; s_cmp_eq_u32 s3, 0",
                       words, 11 + words, has_read * 4)) +
      "; s_endpgm";
  const std::string reader =
      "s_mov_b32 s4, 0x20000;" +
      repeat(arch, fmt::format("global_load_dwordx{} v[12:{}], v1, s[0:1] offset:128 glc; v_xor_b32_e32 v5, v12, v13;"
                               "v_xor_b32_e32 v6, v12, v{}; v_xor_b32_e32 v7, v12, v{}; v_or3_b32 v8, v8, v5, v6;"
                               "v_or_b32_e32 v8, v8, v7; s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0",
                               words, 11 + words, 10 + words, 11 + words)) +
      fmt::format("; global_atomic_or v2, v8, s[0:1] offset:{}; global_store_dword v2, v3, s[0:1] offset:{}; s_endpgm",
                  unequal * 4, has_read * 4);
  const std::vector<u8> code = assemble_program(
      arch,
      fmt::format("s_mov_b32 s0, 0x{:x}; s_mov_b32 s1, 0x{:x}; v_mov_b32_e32 v2, 0; v_mov_b32_e32 v3, 1;"
                  "v_mov_b32_e32 v8, 0; v_mov_b32_e32 v12, 0; v_mul_u32_u24_e32 v1, {}, v0; s_mov_b64 exec, 1;"
                  "global_atomic_add v4, v2, v3, s[0:1] glc; v_readfirstlane_b32 s2, v4; s_mov_b32 exec_lo, 0x{:x};"
                  "s_mov_b32 exec_hi, 0x{:x}; s_cmp_eq_u32 s2, 0; s_cbranch_scc1 {}; {}; {}",
                  static_cast<u32>(address), address >> 32, stride, static_cast<u32>(lanes), lanes >> 32,
                  assemble_program(arch, writer, 64).size() / 4, writer, reader),
      64);
  run_two_groups(arch, code, memory);
  EXPECT_EQ(memory[arrived], 2u);
  EXPECT_EQ(memory[unequal], 0u) << words << " words, lanes " << lanes << ", " << stride << " bytes apart";
}

TEST(Dispatch, ElementsAreStoredAndLoadedWhole) {
  for (const u32 words : {2u, 4u}) {
    for (const u64 lanes : {u64{1}, u64{0x8421}, ~u64{0}}) {
      expect_whole_elements(words, lanes, words * 4);
      expect_whole_elements(words, lanes, 32);
    }
    expect_whole_elements(words, ~u64{0}, 0);
  }
}

// Each of two workgroups stores, waits until that is done, and loads what the other stored: one of them sees it.
TEST(Dispatch, StoresAreSeenBeforeLoadsThatFollowAWait) {
  constexpr u32 rounds = 10000, line = 32;  // words between places, a round after the other
  const std::string_view arch = "gfx90a";
  std::vector<u32> memory((rounds + 1) * 2 * line);
  const u64 address = reinterpret_cast<u64>(memory.data());
  const auto loop = [&](const std::string& body) { return repeat(arch, body); };
  const std::string meet =
      "global_atomic_add v2, v3, s[0:1] offset:4; s_add_u32 s6, s6, 2;" +
      loop("global_load_dword v7, v2, s[0:1] offset:4 glc; v_readfirstlane_b32 s3, v7; s_cmp_lt_u32 s3, s6");
  const std::vector<u8> code = assemble_program(
      arch,
      fmt::format("s_mov_b32 s0, 0x{:x}; s_mov_b32 s1, 0x{:x}; s_mov_b64 exec, 1; v_mov_b32_e32 v2, 0;"
                  "v_mov_b32_e32 v3, 1; global_atomic_add v4, v2, v3, s[0:1] glc; v_lshlrev_b32_e32 v5, 7, v4;"
                  "v_xor_b32_e32 v6, 0x80, v5; s_mov_b32 s6, 0; s_movk_i32 s4, {};",
                  static_cast<u32>(address), address >> 32, rounds) +
          loop("v_add_u32_e32 v5, 0x100, v5; v_add_u32_e32 v6, 0x100, v6;" + meet +
               "; global_store_dword v5, v3, s[0:1]; s_waitcnt vmcnt(0); global_load_dword v8, v6, s[0:1] glc;"
               "s_waitcnt vmcnt(0); global_store_dword v5, v8, s[0:1] offset:4; s_sub_u32 s4, s4, 1;"
               "s_cmp_lg_u32 s4, 0") +
          "; s_endpgm",
      64);
  run_two_groups(arch, code, memory);
  u32 unseen = 0;
  for (u32 i = 1; i <= rounds; ++i) {
    const u32* of_round = memory.data() + i * 2 * line;
    EXPECT_EQ(of_round[0] + of_round[line], 2u) << "round " << i;
    unseen += of_round[1] == 0 && of_round[line + 1] == 0;
  }
  EXPECT_EQ(unseen, 0u);
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
