// Semantic trees as C++: one file a spec file, and the table of all kernels of a SIMD level.
#pragma once
#include <string>
#include <vector>

#include "gen/output.h"
#include "model/isa.h"

namespace gfxisa::gen {

/// Writes `kernels_<file>.cc` for each of `spec_files` (`scalar/bitfield.isa`), also when nothing in it has a body, and
/// `kernels.cc`. The text is compiled once a level with GFXISA_LEVEL set to baseline, avx2 or avx512. Returns a line
/// for each body that no kernel can do.
std::vector<std::string> generate_kernels(const model::Isa& isa, const std::vector<std::string>& spec_files,
                                          OutputFolder& output);

}  // namespace gfxisa::gen
