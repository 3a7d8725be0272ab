#include "runtime/report.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace gfxisa::runtime {

void report(std::string_view message) {
  if (std::getenv("GFXISA_QUIET") != nullptr) return;
  const std::string line = "gfxisa: " + std::string(message) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace gfxisa::runtime
