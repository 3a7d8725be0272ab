// The target of each generation that the compiled kernels are built for.
#pragma once

namespace gfxisa {

inline constexpr const char* kernel_targets[] = {"gfx908",  "gfx90a",  "gfx942",  "gfx950",  "gfx1010",
                                                 "gfx1030", "gfx1100", "gfx1150", "gfx1201", "gfx1250"};

}  // namespace gfxisa
