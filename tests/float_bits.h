// Floats as bits, for tests that compare what hardware gives.
#pragma once
#include "base/types.h"

namespace gfxisa {

/// Of a float of 16, 32 or 64 bits.
inline bool is_nan(u64 bits, unsigned width) {
  if (width == 64) return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
  return width == 32 ? (bits & 0x7fffffff) > 0x7f800000 : (bits & 0x7fff) > 0x7c00;
}

}  // namespace gfxisa
