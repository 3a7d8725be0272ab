// With how many threads kernels run in tests: GFXISA_THREADS, or as many as there are cores.
#pragma once
#include <cstdlib>

namespace gfxisa {

inline unsigned wanted_threads() {
  const char* wish = std::getenv("GFXISA_THREADS");
  return wish == nullptr ? 0 : static_cast<unsigned>(std::strtoul(wish, nullptr, 10));
}

}  // namespace gfxisa
