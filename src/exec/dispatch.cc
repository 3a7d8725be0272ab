#include "exec/dispatch.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include "exec/access.h"
#include "exec/global_sync.h"
#include "exec/interpreter.h"
#include "exec/observer.h"
#include "exec/program.h"
#include "exec/surroundings.h"
#include "exec/wave_setup.h"
#include "inst/tables.h"

namespace gfxisa::exec {
namespace {

enum class Epoch { gfx9, gfx10, gfx11, gfx12 };

Epoch epoch_of(unsigned chip) {
  const std::string_view name = tables().text(tables().chips[chip].epoch);
  if (name == "gfx9") return Epoch::gfx9;
  if (name == "gfx10") return Epoch::gfx10;
  return name == "gfx11" ? Epoch::gfx11 : Epoch::gfx12;
}

std::string_view chip_name(unsigned chip) { return tables().text(tables().chips[chip].name); }

/// One VGPR holds all three work-item ids, ten bits each: gfx90a and later CDNA, gfx11 and later.
bool has_packed_ids(unsigned chip) { return chip_name(chip) != "cdna1" && epoch_of(chip) != Epoch::gfx10; }

// gfx12 gives workgroup ids in trap registers: x in ttmp9, y in the low and z in the high half of ttmp7.
constexpr u32 code_ttmp7 = 108 + 7, code_ttmp8 = 108 + 8, code_ttmp9 = 108 + 9;

/// The last two words of the descriptor that kernels reach scratch through: words of the lanes side by side, the lane's
/// number as index, as many lanes as the wave has.
u64 scratch_descriptor_end(unsigned chip, unsigned wave_size, u64 bytes) {
  constexpr u32 add_lane = 1u << 23, words_of_4_bytes = 1u << 19, no_bounds = 2u << 28, format_32_uint = 20u << 12;
  const u32 together = (wave_size == 64 ? 3u : 2u) << 21;
  const u32 last =
      add_lane | together | (epoch_of(chip) == Epoch::gfx9 ? words_of_4_bytes : no_bounds | format_32_uint);
  return u64{last} << 32 | std::min<u64>(bytes, 0xffffffffu);
}
constexpr u64 swizzle_enable = u64{1} << 63;

/// Instructions a wave runs before another has its turn, so that waves may wait for each other by polling. Fewer where
/// workgroups do as well.
constexpr u64 slice = 1u << 18, cooperative_slice = 1u << 12;

/// Scratch and LDS of one thread, used by one workgroup after the other.
class Arena {
 public:
  Arena(u64 scratch_bytes, u64 lds_bytes)
      : scratch_(map(scratch_bytes)), scratch_bytes_(scratch_bytes), lds_(lds_bytes) {}
  ~Arena() {
    if (scratch_ != nullptr) munmap(scratch_, scratch_bytes_);
  }
  Arena(const Arena&) = delete;
  u8* scratch() const { return scratch_; }
  u64 scratch_bytes() const { return scratch_bytes_; }
  std::vector<u8>& lds() { return lds_; }

 private:
  static u8* map(u64 bytes) {
    if (bytes == 0) return nullptr;
    void* start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return start == MAP_FAILED ? nullptr : static_cast<u8*>(start);
  }
  u8* scratch_;
  u64 scratch_bytes_;
  std::vector<u8> lds_;
};

/// Everything that the threads of one dispatch share.
struct Shared {
  const LaunchConfig& config;
  const MemoryMap& memory;
  u64 workgroups = 0;
  std::atomic<u64> next{0};
  std::mutex report_lock;
  LaunchReport report;
  u64 fault_number = ~u64{0};
  std::atomic<bool> has_failed{false};
  GlobalSync& sync;
  // Under sync.lock: threads at work, those of them whose waves all wait, and for which change.
  unsigned threads = 0, waiting = 0;
  u64 awaited = 0;

  bool must_stop() const {
    return has_failed.load(std::memory_order_relaxed) ||
           (config.is_cancelled != nullptr && config.is_cancelled->load(std::memory_order_relaxed));
  }

  /// All waves of a thread wait for the global wave sync, which it last looked at after `seen` changes: comes back when
  /// there is another. False when there will be none, as every thread waits.
  bool wait_for_change(u64 seen) {
    std::unique_lock guard(sync.lock);
    if (sync.changes() != seen) return true;
    if (std::exchange(awaited, seen) != seen) waiting = 0;
    if (++waiting >= threads) sync.changed.notify_all();
    while (sync.changes() == seen && waiting < threads && !must_stop())
      sync.changed.wait_for(guard, std::chrono::milliseconds(20));
    return sync.changes() != seen || waiting < threads;
  }
  void thread_ends() {
    const std::lock_guard guard(sync.lock);
    --threads;
    sync.changed.notify_all();
  }
};

class GroupRunner {
 public:
  GroupRunner(Shared& shared, Arena& arena) : shared_(shared), config_(shared.config), arena_(arena) {
    waves_needed_ = (config_.size.block_items() + config_.wave_size - 1) / config_.wave_size;
    for (unsigned i = 0; i < waves_needed_; ++i) {
      waves_.emplace_back(config_.wave_size, vector_registers());
      ids_.push_back(ids_of_wave(i));
    }
  }

  bool is_busy() const { return is_busy_; }

  /// Adds what was run to the report.
  void report() {
    const std::lock_guard lock(shared_.report_lock);
    shared_.report.waves += waves_run_;
    shared_.report.instructions += instructions_;
  }

  /// Takes up workgroup `number`.
  void begin(u64 number) {
    number_ = number;
    is_busy_ = true;
    set_up(number);
  }

  /// Each wave that can runs up to `slice` instructions. False when all of them wait for waves of other workgroups.
  bool take_turn(u64 slice, HostControl& control) {
    bool progress = false, waits_for_others = false;
    for (Wave& wave : waves_) {
      if (shared_.must_stop()) {
        end();
        return true;
      }
      if (wave.has_ended || wave.is_blocked()) continue;
      if (wave.sync_wait.kind != SyncWait::Kind::none && shared_.sync.blocks(wave)) {
        waits_for_others = true;
        continue;
      }
      progress = true;
      const u64 most = std::min(slice, config_.max_instructions - wave.executed);
      const WaveState state = config_.observers.empty() ? run_wave(wave, most, control)
                                                        : run_wave_observed(wave, most, control, config_.observers);
      if (state == WaveState::ended) group_.leave();
      if (state == WaveState::running && wave.executed >= config_.max_instructions)
        stop(wave, FaultKind::too_many_instructions);
      if (wave.fault) {
        record_fault(wave);
        return true;
      }
    }
    if (group_.live_waves == 0) end();
    if (progress || !is_busy_) return true;
    if (!waits_for_others) stop_in_deadlock();
    return !waits_for_others;
  }

  /// What the waves wait for will not happen.
  void stop_in_deadlock() {
    for (Wave& wave : waves_) {
      if (wave.has_ended) continue;
      stop(wave, FaultKind::deadlock);
      return record_fault(wave);
    }
  }

  /// The workgroup is done, or given up.
  void end() {
    is_busy_ = false;
    count();
  }

 private:
  u32 vector_registers() const {
    // v0 .. v2 hold work-item ids even where the code never names them.
    return std::max<u32>(config_.program->vector_registers(), 4);
  }

  static void stop(Wave& wave, FaultKind why) {
    wave.fail(why, 0, 0, 0);
    wave.fault.code_address = wave.code_base + wave.next->code_offset;
  }

  void set_up(u64 number) {
    group_.reset();
    const u64 count_x = config_.size.workgroups(0), count_y = config_.size.workgroups(1);
    group_.id = {static_cast<u32>(number % count_x), static_cast<u32>(number / count_x % count_y),
                 static_cast<u32>(number / count_x / count_y)};
    is_whole_ = true;
    for (unsigned axis = 0; axis < 3; ++axis) {
      const u64 start = u64{group_.id[axis]} * config_.size.block[axis];
      items_left_[axis] = static_cast<u32>(std::min<u64>(config_.size.grid[axis] - start, config_.size.block[axis]));
      is_whole_ = is_whole_ && items_left_[axis] == config_.size.block[axis];
    }
    std::fill(arena_.lds().begin(), arena_.lds().end(), u8{0});
    group_.lds = arena_.lds().data();
    group_.lds_bytes = config_.lds_bytes;
    group_.faults_outside_lds = true;
    group_.wave_count = waves_needed_;
    if (is_cdna5_) group_.named_barriers = std::min(config_.descriptor.named_barriers(), most_named_barriers);
    group_.live_waves = 0;
    group_.sync = &shared_.sync;
    for (unsigned i = 0; i < waves_needed_; ++i) set_up_wave(waves_[i], i);
  }

  void set_up_wave(Wave& wave, unsigned index) {
    wave.reset(granted_registers_);
    const u64 wave_scratch = u64{config_.scratch_bytes} * config_.wave_size;
    const Scratch scratch{arena_.scratch() + wave_scratch * index, config_.scratch_bytes};
    connect_wave(wave, *config_.program, traits_, group_, shared_.memory, scratch, config_.mode);
    wave.number = index;
    wave.next = config_.program->step_at(config_.entry_offset);
    set_up_lanes(wave, index);
    set_up_scalars(wave);
    wave.has_ended = wave.exec() == 0;
    if (!wave.has_ended) ++group_.live_waves;
  }

  /// Work-item ids and EXEC: lanes beyond the grid's edge are off.
  void set_up_lanes(Wave& wave, unsigned index) {
    const std::vector<u32>& ids = ids_[index];
    std::memcpy(wave.row(0), ids.data(), ids.size() * 4);
    wave.set_exec(is_whole_ ? lanes_in_block(index) : lanes_in_grid(index));
  }

  /// What each wave's first registers hold, the same for all workgroups: a row of packed ids, or a row an axis.
  std::vector<u32> ids_of_wave(unsigned index) const {
    const unsigned rows = has_packed_ids_ ? 1 : std::min(3u, config_.descriptor.work_item_id_axes());
    std::vector<u32> ids(std::size_t{rows} * config_.wave_size);
    each_item(index, [&](u32 lane, const std::array<u32, 3>& id) {
      if (has_packed_ids_) ids[lane] = id[0] | id[1] << 10 | id[2] << 20;
      for (unsigned axis = 0; !has_packed_ids_ && axis < rows; ++axis) ids[axis * config_.wave_size + lane] = id[axis];
    });
    return ids;
  }

  /// Calls f(lane, id) for the items of a wave, whether or not they are in the grid.
  template <class F>
  void each_item(unsigned index, F f) const {
    const auto& block = config_.size.block;
    const u32 first = index * config_.wave_size;
    const u32 count = std::min(config_.wave_size, config_.size.block_items() - first);
    std::array<u32, 3> id{first % block[0], first / block[0] % block[1], first / block[0] / block[1]};
    for (u32 lane = 0; lane < count; ++lane) {
      f(lane, id);
      if (++id[0] < block[0]) continue;
      id[0] = 0;
      if (++id[1] < block[1]) continue;
      id[1] = 0;
      ++id[2];
    }
  }

  u64 lanes_in_block(unsigned index) const {
    const u32 count = std::min(config_.wave_size, config_.size.block_items() - index * config_.wave_size);
    return count == 64 ? ~u64{0} : (u64{1} << count) - 1;
  }

  u64 lanes_in_grid(unsigned index) const {
    u64 lanes = 0;
    each_item(index, [&](u32 lane, const std::array<u32, 3>& id) { lanes |= u64{is_inside(id)} << lane; });
    return lanes;
  }

  bool is_inside(const std::array<u32, 3>& id) const {
    return id[0] < items_left_[0] && id[1] < items_left_[1] && id[2] < items_left_[2];
  }

  void set_up_scalars(Wave& wave) {
    const KernelDescriptor& d = config_.descriptor;
    u32* s = wave.scalar_file();
    u32 next = 0;
    const auto put_pair = [&](bool wanted, u64 value) {
      if (!wanted) return;
      wave.set_pair(next, value);
      next += 2;
    };
    // Scratch of all waves; the wave's offset comes in a register of its own.
    const u64 scratch = reinterpret_cast<u64>(arena_.scratch());
    put_pair(d.wants_private_segment_buffer(), (scratch & 0xffffffffffffu) | swizzle_enable);
    put_pair(d.wants_private_segment_buffer(), scratch_end_);
    put_pair(d.wants_dispatch_ptr(), config_.dispatch_address);
    put_pair(d.wants_queue_ptr(), config_.queue_address);
    put_pair(d.wants_kernarg_ptr(), config_.kernarg_address);
    put_pair(d.wants_dispatch_id(), config_.dispatch_id);
    put_pair(d.wants_flat_scratch_init(), scratch);
    if (d.wants_private_segment_size()) s[next++] = config_.scratch_bytes;
    preload_arguments(s, next);
    // The descriptor may reserve more user registers than it fills.
    next = std::max(next, d.user_register_count());
    if (has_ids_in_trap_registers_) {
      s[code_ttmp8] = wave.number << 25;
      s[code_ttmp9] = group_.id[0];
      s[code_ttmp7] = (group_.id[1] & 0xffff) | group_.id[2] << 16;
      return;
    }
    for (unsigned axis = 0; axis < 3; ++axis) {
      if (d.wants_workgroup_id(axis)) s[next++] = group_.id[axis];
    }
    if (d.wants_workgroup_info()) s[next++] = group_.wave_count;
    if (d.wants_scratch() && !traits_.has_architected_scratch)
      s[next++] = static_cast<u32>(wave.scratch.base - arena_.scratch());
  }

  /// Kernel arguments that the descriptor wants in SGPRs before the first instruction.
  void preload_arguments(u32* s, u32& next) const {
    const u32 count = config_.descriptor.preload & 0x7f, first = config_.descriptor.preload >> 7;
    if (count == 0 || config_.kernarg_address == 0) return;
    const u64 address = config_.kernarg_address + first * 4;
    if (shared_.memory.find(address, u64{count} * 4) == nullptr) return;
    for (u32 i = 0; i < count && next < 106; ++i)
      std::memcpy(&s[next++], reinterpret_cast<const u8*>(address) + i * 4, 4);
  }

  void count() {
    for (const Wave& wave : waves_) instructions_ += wave.executed;
    waves_run_ += waves_needed_;
  }

  void record_fault(const Wave& wave) {
    end();
    const std::lock_guard lock(shared_.report_lock);
    ++shared_.report.faults;
    if (config_.stops_at_fault) shared_.has_failed = true;
    if (number_ >= shared_.fault_number) return;
    shared_.fault_number = number_;
    shared_.report.first_fault = wave.fault;
    shared_.report.fault_workgroup = group_.id;
    shared_.report.fault_wave = static_cast<u32>(&wave - &waves_.front());
  }

  Shared& shared_;
  const LaunchConfig& config_;
  Arena& arena_;
  unsigned waves_needed_ = 0;
  u64 number_ = 0;
  bool is_busy_ = false;
  const bool is_cdna5_ = tables().text(tables().chips[config_.chip].name) == "cdna5";
  /// Vector registers that the descriptor asks for, in the largest units there are; with AccVGPRs, which lie elsewhere,
  /// all of them.
  const u32 granted_registers_ = config_.program->vector_registers() > Program::first_accumulator
                                     ? config_.program->vector_registers()
                                     : std::max(4u, config_.descriptor.vector_register_units() * 16);
  const WaveTraits traits_{config_.chip};
  const bool has_packed_ids_ = has_packed_ids(config_.chip);
  const bool has_ids_in_trap_registers_ = epoch_of(config_.chip) == Epoch::gfx12;
  const u64 scratch_end_ = scratch_descriptor_end(config_.chip, config_.wave_size, arena_.scratch_bytes());
  std::array<u32, 3> items_left_{};    ///< of the grid, from the workgroup's first item on
  bool is_whole_ = false;              ///< the workgroup lies within the grid
  std::vector<std::vector<u32>> ids_;  ///< by wave
  std::vector<Wave> waves_;
  Workgroup group_;
  u64 instructions_ = 0, waves_run_ = 0;
};

/// A thread at work: a workgroup in each arena, one turn after the other.
void work(Shared& shared, std::deque<Arena>& arenas) {
  surroundings = shared.config.surroundings;
  HostControl control;
  std::deque<GroupRunner> runners;
  for (Arena& arena : arenas) runners.emplace_back(shared, arena);
  const u64 turn = runners.size() > 1 ? cooperative_slice : slice;
  for (bool is_busy = true; is_busy;) {
    const u64 seen = shared.sync.changes();
    bool progress = false;
    is_busy = false;
    for (GroupRunner& runner : runners) {
      if (!runner.is_busy()) {
        if (shared.must_stop()) continue;
        const u64 number = shared.next.fetch_add(1, std::memory_order_relaxed);
        if (number >= shared.workgroups) continue;
        runner.begin(number);
      }
      is_busy = true;
      if (runner.take_turn(turn, control)) progress = true;
    }
    if (!is_busy || progress || shared.wait_for_change(seen)) continue;
    for (GroupRunner& runner : runners) {
      if (runner.is_busy()) runner.stop_in_deadlock();
    }
  }
  for (GroupRunner& runner : runners) runner.report();
  shared.thread_ends();
  surroundings = nullptr;
}

}  // namespace

u32 initial_mode(const KernelDescriptor& d, unsigned chip) {
  u32 mode = d.float_round_32() | d.float_round_16_64() << 2 | d.float_denorm_32() << 4 | d.float_denorm_16_64() << 6;
  const bool always = epoch_of(chip) == Epoch::gfx12;
  if (always || d.dx10_clamp()) mode |= 1u << 8;
  if (always || d.ieee_mode()) mode |= 1u << 9;
  if (d.fp16_overflow()) mode |= 1u << 23;
  return mode;
}

LaunchReport dispatch(const LaunchConfig& config, MemoryMap memory) {
  const auto start = std::chrono::steady_clock::now();
  const u64 groups = u64{config.size.workgroups(0)} * config.size.workgroups(1) * config.size.workgroups(2);
  unsigned threads = config.threads != 0 ? config.threads : std::max(1u, std::thread::hardware_concurrency());
  if (!config.observers.empty()) threads = 1;
  for (Observer* observer : config.observers) observer->start(*config.program);
  threads = static_cast<unsigned>(std::min<u64>(threads, std::max<u64>(groups, 1)));
  const u64 waves = (config.size.block_items() + config.wave_size - 1) / config.wave_size;
  const u64 scratch = u64{config.scratch_bytes} * config.wave_size * waves;
  // Workgroups that a thread has under way at once: all that it gets when they wait for each other.
  const u64 places = config.is_cooperative ? (groups + threads - 1) / threads : 1;
  std::vector<std::deque<Arena>> arenas(threads);
  for (std::deque<Arena>& own : arenas) {
    for (u64 i = 0; i < places; ++i) {
      own.emplace_back(scratch, config.lds_bytes);
      if (own.back().scratch() != nullptr) memory.add(own.back().scratch(), scratch, true);
    }
  }
  GlobalSync own_sync;
  Shared shared{config, memory, groups, {}, {}, {}, ~u64{0}, {}, config.sync != nullptr ? *config.sync : own_sync,
                threads};
  std::vector<std::thread> helpers;
  for (unsigned i = 1; i < threads; ++i) helpers.emplace_back([&, i] { work(shared, arenas[i]); });
  work(shared, arenas[0]);
  for (std::thread& helper : helpers) helper.join();
  shared.report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return shared.report;
}

}  // namespace gfxisa::exec
