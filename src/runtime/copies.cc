#include "runtime/copies.h"

#include <algorithm>

#include "runtime/bells.h"
#include "runtime/signals.h"

namespace gfxisa::runtime {

bool Copies::Job::is_due() const {
  return std::all_of(dependencies.begin(), dependencies.end(),
                     [](hsa_signal_t signal) { return signal.handle == 0 || load_signal(signal) <= 0; });
}

void Copies::Job::run() const {
  const u64 start = now_nanoseconds();
  const bool worked = work();
  if (done.handle == 0) return;
  signal_of(done)->start_ts = start;
  signal_of(done)->end_ts = now_nanoseconds();
  if (worked)
    complete_signal(done);
  else
    store_signal(done, -static_cast<i64>(HSA_STATUS_ERROR_INVALID_ARGUMENT));
}

void Copies::add(std::function<bool()> work, bool is_small, std::vector<hsa_signal_t> dependencies, hsa_signal_t done) {
  Job job{std::move(work), std::move(dependencies), done};
  if (is_small && job.is_due()) return job.run();
  const std::lock_guard lock(mutex_);
  jobs_.push_back(std::move(job));
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  ring(&jobs_);
}

bool Copies::take_due(Job& job) {
  const std::lock_guard lock(mutex_);
  const auto due = std::find_if(jobs_.begin(), jobs_.end(), [](const Job& waiting) { return waiting.is_due(); });
  if (due == jobs_.end()) return false;
  job = std::move(*due);
  jobs_.erase(due);
  return true;
}

void Copies::run() {
  Listener listener(nullptr);
  while (!stops_.load()) {
    Job job;
    if (take_due(job))
      job.run();
    else
      listener.sleep();
  }
}

void Copies::stop() {
  stops_.store(true);
  ring(&jobs_);
  if (thread_.joinable() && thread_.get_id() != std::this_thread::get_id()) thread_.join();
}

}  // namespace gfxisa::runtime
