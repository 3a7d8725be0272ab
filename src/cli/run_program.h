// `gfxisa run -- PROGRAM`: a GPU program on a machine without the GPU.
#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "base/types.h"

namespace gfxisa::cli {

struct ProgramOptions {
  std::string target;  ///< family or processor
  unsigned threads = 0, devices = 1;
  u64 max_instructions = ~u64{0};
  bool wants_statistics = false, wants_trace = false;
  std::vector<std::string> command;  ///< the program and its arguments
};

/// Becomes the program; comes back only with an error.
Error run_program(const ProgramOptions& options);

}  // namespace gfxisa::cli
