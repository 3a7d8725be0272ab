// Calls of device code to the host: printf, and memory for the device's malloc. The device library leaves packets in a
// buffer and rings a signal; a thread answers.
#pragma once
#include "base/types.h"

namespace gfxisa::hip {

/// The buffer that kernels of a device get as their hidden argument, made when asked for first; 0 when it cannot be.
u64 hostcall_buffer(int device);

/// What the device's malloc keeps its books in, likewise.
u64 device_heap(int device);

}  // namespace gfxisa::hip
