#include "runtime/runtime.h"

#include <fmt/format.h>
#include <pthread.h>

#include <cstdlib>
#include <utility>

#include "exec/fidelity.h"
#include "runtime/bells.h"

namespace gfxisa::runtime {
namespace {

// Never destroyed: programs may call while the process exits.
pthread_mutex_t lifetime_lock = PTHREAD_MUTEX_INITIALIZER;
Runtime* instance = nullptr;
u32 references = 0;

class LifetimeLock {
 public:
  LifetimeLock() { pthread_mutex_lock(&lifetime_lock); }
  ~LifetimeLock() { pthread_mutex_unlock(&lifetime_lock); }
  LifetimeLock(const LifetimeLock&) = delete;
};

// A forked child has none of the parent's threads: it begins without a runtime.
void before_fork() { pthread_mutex_lock(&lifetime_lock); }
void after_fork_in_parent() { pthread_mutex_unlock(&lifetime_lock); }
void after_fork_in_child() {
  instance = nullptr;
  references = 0;
  pthread_mutex_unlock(&lifetime_lock);
}

u64 number_of(const char* name, u64 otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr && *text != '\0' ? std::strtoull(text, nullptr, 10) : otherwise;
}

u64 free_memory_of(const Agent& agent) {
  const Runtime* runtime = Runtime::get();
  const Pool& pool = agent.pools.front();
  return runtime == nullptr ? 0 : pool.bytes - runtime->memory.used(pool);
}

/// When the process exits: after the libraries that use this one, before those it uses.
__attribute__((destructor)) void at_exit() {
  if (instance == nullptr) return;
  instance->halt();
  end_all_waits();
  instance->say_goodbye();
}

}  // namespace

void Statistics::add(const std::string& kernel, const exec::LaunchReport& report) {
  const std::lock_guard lock(mutex_);
  Row& row = rows_[kernel];
  ++row.dispatches;
  row.waves += report.waves;
  row.instructions += report.instructions;
  row.seconds += report.seconds;
}

std::string Statistics::text() const {
  const std::lock_guard lock(mutex_);
  std::string out = "kernels of this run: dispatches, waves, instructions, seconds";
  for (const auto& [name, row] : rows_)
    out += fmt::format("\n  {:>6} {:>10} {:>14} {:>9.3f}  {}", row.dispatches, row.waves, row.instructions, row.seconds,
                       name);
  return out;
}

hsa_status_t Runtime::start() {
  const LifetimeLock lock;
  if (references == ~u32{0}) return HSA_STATUS_ERROR_REFCOUNT_OVERFLOW;
  if (instance == nullptr) {
    static const int registered = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    (void)registered;
    auto fresh = std::make_unique<Runtime>();
    const auto filled = fill_machine(fresh->machine);
    if (!filled) {
      report(filled.error().message + (filled.error().hint.empty() ? "" : ": " + filled.error().hint));
      return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    for (Agent& agent : fresh->machine.agents) agent.free_memory = free_memory_of;
    __atomic_store_n(&instance, fresh.release(), __ATOMIC_RELEASE);
  }
  ++references;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t Runtime::shut_down() {
  Runtime* last = nullptr;
  {
    const LifetimeLock lock;
    if (references == 0) return HSA_STATUS_ERROR_NOT_INITIALIZED;
    if (--references == 0) last = __atomic_exchange_n(&instance, nullptr, __ATOMIC_ACQ_REL);
  }
  if (last != nullptr) last->say_goodbye();
  delete last;
  return HSA_STATUS_SUCCESS;
}

Runtime* Runtime::get() { return __atomic_load_n(&instance, __ATOMIC_ACQUIRE); }

Runtime::Runtime() {
  settings.threads = static_cast<unsigned>(number_of("GFXISA_THREADS", 0));
  settings.max_instructions = number_of("GFXISA_MAX_INSTRUCTIONS", ~u64{0});
  settings.wants_statistics = number_of("GFXISA_STATS", 0) != 0;
  settings.wants_fidelity = number_of("GFXISA_FIDELITY", 0) != 0;
  settings.wants_trace = number_of("GFXISA_TRACE", 0) != 0;
}

Runtime::~Runtime() {
  halt();
  queues_.clear();
  retired_.clear();
  memory.release_all();
}

void Runtime::say_goodbye() const {
  if (settings.wants_statistics) report(statistics.text());
  if (!settings.wants_fidelity) return;
  for (const std::string& note : exec::run_notes()) report(note);
}

void Runtime::halt() {
  // Other threads may destroy queues meanwhile.
  std::vector<std::shared_ptr<Queue>> queues;
  {
    const std::lock_guard lock(mutex_);
    queues = retired_;
    for (const auto& [abi, queue] : queues_) queues.push_back(queue);
  }
  for (const auto& queue : queues) queue->stop();
  copies.stop();
  handlers.stop();
}

hsa_status_t Runtime::create_queue(const Agent* agent, u32 packets, hsa_queue_type32_t type, QueueCallback callback,
                                   void* data, hsa_signal_t doorbell, u32 features, hsa_queue_t** out) {
  auto queue = std::make_shared<Queue>(*this, agent, type, callback, data);
  const std::lock_guard lock(mutex_);
  if (!queue->start(packets, next_queue_id_++, doorbell, features)) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  *out = queue->abi();
  queues_.emplace(queue->abi(), std::move(queue));
  return HSA_STATUS_SUCCESS;
}

std::shared_ptr<Queue> Runtime::find_queue(const hsa_queue_t* queue) {
  const std::lock_guard lock(mutex_);
  const auto found = queues_.find(queue);
  return found == queues_.end() ? nullptr : found->second;
}

bool Runtime::destroy_queue(const hsa_queue_t* queue) {
  std::shared_ptr<Queue> last;
  {
    const std::lock_guard lock(mutex_);
    const auto found = queues_.find(queue);
    if (found == queues_.end()) return false;
    last = std::move(found->second);
    queues_.erase(found);
    if (last->is_own_thread()) retired_.push_back(last);
  }
  last->stop();
  return true;
}

void Runtime::add_event_handler(hsa_amd_system_event_callback_t function, void* data) {
  const std::lock_guard lock(mutex_);
  event_handlers_.emplace_back(function, data);
}

void Runtime::tell_handlers(const hsa_amd_event_t& event) {
  std::vector<std::pair<hsa_amd_system_event_callback_t, void*>> functions;
  {
    const std::lock_guard lock(mutex_);
    functions = event_handlers_;
  }
  for (const auto& [function, data] : functions) function(&event, data);
}

}  // namespace gfxisa::runtime
