// User-mode queues: a ring of AQL packets in memory and a thread that processes them in order.
#pragma once
#include <hsa/amd_hsa_queue.h>
#include <hsa/hsa_ext_amd.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include "exec/dispatch.h"
#include "exec/global_sync.h"
#include "runtime/agents.h"

namespace gfxisa::runtime {

class Runtime;

using QueueCallback = void (*)(hsa_status_t status, hsa_queue_t* source, void* data);

class Queue {
 public:
  /// `id`: unique in the process.
  Queue(Runtime& runtime, const Agent* agent, hsa_queue_type32_t type, QueueCallback callback, void* data);
  ~Queue();
  Queue(const Queue&) = delete;
  /// Allocates the ring and starts processing. False when there is no memory. Without an agent the program processes
  /// the packets itself and gives the doorbell.
  bool start(u32 packets, u64 id, hsa_signal_t doorbell, u32 features);
  /// Ends processing; a kernel that runs stops. Waits for the end, unless the queue's own thread calls. Any number of
  /// threads may.
  void stop();
  bool is_own_thread() const { return own_thread_.load() == std::this_thread::get_id(); }

  hsa_queue_t* abi() const { return &queue_->hsa_queue; }
  const Agent* agent() const { return agent_; }
  exec::GlobalSync& global_sync() { return sync_; }
  std::vector<u32> unit_mask;  ///< compute units the program wants, bit by bit; empty: all

 private:
  void run();
  bool is_ready() const;
  u8* packet() const;
  void process(u16 header);
  hsa_status_t dispatch(const hsa_kernel_dispatch_packet_t& packet);
  hsa_status_t launch(exec::LaunchConfig& config, const struct LoadedKernel& kernel);
  bool wait_for_all(const hsa_signal_t* signals, unsigned count);
  bool wait_for_one(const hsa_signal_t* signals, unsigned count);
  bool wait_for_value(const hsa_amd_barrier_value_packet_t& packet);
  bool wait_until(const std::function<bool()>& is_satisfied);
  void fail(hsa_status_t status);
  hsa_status_t report_fault(const exec::LaunchReport& report, const struct LoadedKernel& kernel);

  Runtime& runtime_;
  const Agent* agent_;
  hsa_queue_type32_t type_;
  QueueCallback callback_;
  void* data_;
  amd_queue_t* queue_ = nullptr;
  volatile u64* doorbell_ = nullptr;
  bool has_own_doorbell_ = false;
  u64 next_ = 0;
  exec::GlobalSync sync_;  ///< one kernel sets it up for the next
  hsa_status_t failure_ = HSA_STATUS_SUCCESS;
  std::atomic<bool> stops_{false};
  std::atomic<std::thread::id> own_thread_{};
  std::mutex joining_;
  std::thread thread_;
};

}  // namespace gfxisa::runtime
