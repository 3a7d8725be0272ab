// Programs with known results, one JSON object a line: `gfxisa exec --vectors`.
#pragma once
#include <functional>
#include <istream>
#include <string>

#include "base/types.h"

namespace gfxisa::exec {

struct VectorSummary {
  u64 passed = 0, failed = 0, skipped = 0;
};

enum class VectorOutcome : u8 { passed, failed, skipped };

/// One line's outcome, and why when it did not pass.
struct VectorResult {
  VectorOutcome outcome = VectorOutcome::passed;
  std::string id;
  std::string reason;
};

/// Runs one line of a file. Lines that are no vector fail; those that need what is not there are skipped with a reason.
VectorResult run_vector(const std::string& line);

/// Runs all lines; `report` is called for each that did not pass.
VectorSummary run_vectors(std::istream& file, const std::function<void(const VectorResult&)>& report);

}  // namespace gfxisa::exec
