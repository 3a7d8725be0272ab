// What an instruction touches, gathered from its slots, its body and data/counters.ref.
#pragma once
#include <string>
#include <vector>

#include "base/types.h"

namespace gfxisa {

struct Effects {
  std::vector<std::string> reads, writes;
  std::string counter;
  std::vector<std::string> behaviour;
};
Effects effects_of(u32 form, unsigned chip);

}  // namespace gfxisa
