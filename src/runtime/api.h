// What the files of entry points share.
#pragma once
#include <memory>
#include <mutex>
#include <unordered_map>

#include "base/types.h"

namespace gfxisa::runtime {

/// Objects that programs hold by handle; an unknown handle is told from a known one.
template <class T>
class HandleTable {
 public:
  u64 add(T object) {
    auto entry = std::make_shared<T>(std::move(object));
    const u64 handle = reinterpret_cast<u64>(entry.get());
    const std::lock_guard lock(mutex_);
    entries_.emplace(handle, std::move(entry));
    return handle;
  }
  std::shared_ptr<T> find(u64 handle) const {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(handle);
    return found == entries_.end() ? nullptr : found->second;
  }
  bool remove(u64 handle) {
    const std::lock_guard lock(mutex_);
    return entries_.erase(handle) != 0;
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<u64, std::shared_ptr<T>> entries_;
};

}  // namespace gfxisa::runtime
