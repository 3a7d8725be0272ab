// The digits of 2 / pi that large arguments of trigonometric functions are reduced with.
#pragma once
#include "base/types.h"

namespace gfxisa {

/// 64 bits of 2 / pi from bit `from` behind the point on, the first one highest. 1201 bits are kept; zeros follow.
u64 two_over_pi(u32 from);

}  // namespace gfxisa
