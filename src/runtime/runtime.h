// The runtime between hsa_init and hsa_shut_down.
#pragma once
#include <hsa/hsa_ext_amd.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/agents.h"
#include "runtime/copies.h"
#include "runtime/executables.h"
#include "runtime/memory.h"
#include "runtime/queues.h"
#include "runtime/report.h"
#include "runtime/signals.h"

namespace gfxisa::runtime {

/// From the environment.
struct Settings {
  unsigned threads = 0;            ///< GFXISA_THREADS; 0: all cores
  u64 max_instructions = ~u64{0};  ///< GFXISA_MAX_INSTRUCTIONS, of one wave
  bool wants_statistics = false;   ///< GFXISA_STATS
  bool wants_fidelity = false;     ///< GFXISA_FIDELITY
  bool wants_trace = false;        ///< GFXISA_TRACE
};

/// Counts what kernels did, by name.
class Statistics {
 public:
  void add(const std::string& kernel, const exec::LaunchReport& report);
  std::string text() const;

 private:
  struct Row {
    u64 dispatches = 0, waves = 0, instructions = 0;
    double seconds = 0;
  };
  mutable std::mutex mutex_;
  std::map<std::string, Row> rows_;
};

class Runtime {
 public:
  /// hsa_init and hsa_shut_down: counted.
  static hsa_status_t start();
  static hsa_status_t shut_down();
  /// nullptr when not initialised.
  static Runtime* get();

  Runtime();
  ~Runtime();

  Machine machine;
  Settings settings;
  Memory memory;
  Signals signals{memory};
  SignalHandlers handlers{signals};
  Executables executables{memory};
  Copies copies;
  Statistics statistics;

  hsa_status_t create_queue(const Agent* agent, u32 packets, hsa_queue_type32_t type, QueueCallback callback,
                            void* data, hsa_signal_t doorbell, u32 features, hsa_queue_t** out);
  std::shared_ptr<Queue> find_queue(const hsa_queue_t* queue);
  bool destroy_queue(const hsa_queue_t* queue);

  void add_event_handler(hsa_amd_system_event_callback_t function, void* data);
  void tell_handlers(const hsa_amd_event_t& event);

  /// Ends all threads; kernels that run stop. What the program still asks for afterwards is answered without them.
  void halt();
  /// What the settings want to be said at the end.
  void say_goodbye() const;

 private:
  std::mutex mutex_;
  std::map<const hsa_queue_t*, std::shared_ptr<Queue>> queues_;
  std::vector<std::shared_ptr<Queue>>
      retired_;  ///< destroyed from their own callbacks; their threads end by themselves
  u64 next_queue_id_ = 0;
  std::vector<std::pair<hsa_amd_system_event_callback_t, void*>> event_handlers_;
};

}  // namespace gfxisa::runtime
