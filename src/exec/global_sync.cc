#include "exec/global_sync.h"

#include <utility>

namespace gfxisa::exec {

void GlobalSync::tell() {
  ++changes_;
  changed.notify_all();
}

void GlobalSync::init(u32 id, u32 count) {
  const std::lock_guard guard(lock);
  at(id).count = count;
  tell();
}

void GlobalSync::add(u32 id, u32 count) {
  const std::lock_guard guard(lock);
  at(id).count += count;
  tell();
}

void GlobalSync::free(u32 id) {
  const std::lock_guard guard(lock);
  at(id).count += at(id).waiting;
  tell();
}

bool GlobalSync::take(u32 id, Wave& wave) {
  const std::lock_guard guard(lock);
  Resource& resource = at(id);
  const bool was_waiting = std::exchange(wave.sync_wait.kind, SyncWait::Kind::none) != SyncWait::Kind::none;
  if (resource.count == 0) {
    if (!was_waiting) ++resource.waiting;
    wave.sync_wait = {SyncWait::Kind::count, id, 0};
    return false;
  }
  if (was_waiting) --resource.waiting;
  --resource.count;
  return true;
}

bool GlobalSync::arrive(u32 id, u32 next, Wave& wave) {
  const std::lock_guard guard(lock);
  Resource& resource = at(id);
  if (resource.count == 0) {
    resource.count = next;
    ++resource.phase;
    tell();
    return true;
  }
  --resource.count;
  wave.sync_wait = {SyncWait::Kind::barrier, id, resource.phase};
  return false;
}

bool GlobalSync::blocks(const Wave& wave) {
  const std::lock_guard guard(lock);
  const Resource& resource = at(wave.sync_wait.id);
  return wave.sync_wait.kind == SyncWait::Kind::barrier ? resource.phase == wave.sync_wait.phase : resource.count == 0;
}

}  // namespace gfxisa::exec
