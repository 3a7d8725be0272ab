// What our HIP asks of the runtime beyond HSA.
#pragma once
#include <hsa/hsa.h>

#include <cstdint>

extern "C" {

/// Sets a counter of the global wave sync that kernels of a queue share, as a kernel with ds_gws_init would.
void gfxisa_queue_set_global_sync(hsa_queue_t* queue, uint32_t resource, uint32_t count);
}
