// Copies that programs do not wait for: done by one thread, each when the signals it depends on are zero.
#pragma once
#include <hsa/hsa_ext_amd.h>

#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "base/types.h"

namespace gfxisa::runtime {

class Copies {
 public:
  ~Copies() { stop(); }
  /// Runs `work` when all of `dependencies` have reached zero; then `done` (may be 0) is decremented, or set negative
  /// when `work` gives false. At once, in this thread, when nothing is to be waited for and the work is small.
  void add(std::function<bool()> work, bool is_small, std::vector<hsa_signal_t> dependencies, hsa_signal_t done);
  void stop();

 private:
  struct Job {
    std::function<bool()> work;
    std::vector<hsa_signal_t> dependencies;
    hsa_signal_t done;
    bool is_due() const;
    void run() const;
  };
  void run();
  bool take_due(Job& job);

  std::mutex mutex_;
  std::deque<Job> jobs_;
  std::thread thread_;
  std::atomic<bool> stops_{false};
};

}  // namespace gfxisa::runtime
