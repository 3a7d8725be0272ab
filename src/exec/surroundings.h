// What surrounds the machine while a dispatch runs: asked when a wave goes beyond what it was given at the start.
#pragma once
#include "machine/memory_map.h"

namespace gfxisa::exec {

/// Implemented by who owns the memory and listens to messages. Called by several threads at once.
class Surroundings {
 public:
  virtual ~Surroundings() = default;
  /// Memory that the guest was given since the dispatch began, or under another address: `range` in host addresses.
  /// False when there is none at [address, address + bytes). `address` is changed to the host's.
  virtual bool find_memory(u64& address, u64 bytes, MemoryRange& range) const = 0;
  /// A wave sends a message to the host (s_sendmsg).
  virtual void message(u32 number) const = 0;
};

/// The surroundings of the dispatch that this thread works for; nullptr when there are none.
extern thread_local const Surroundings* surroundings;

}  // namespace gfxisa::exec
