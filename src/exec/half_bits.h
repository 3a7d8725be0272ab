// Numbers of the host as binary16, for values given by a person.
#pragma once
#include <cmath>

#include "base/types.h"

namespace gfxisa::exec {

/// The nearest binary16 (ties to even); overflow gives infinity.
inline u16 half_bits(double value) {
  const u16 sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return 0x7e00;
  const double size = std::fabs(value);
  if (size >= 65520.0) return sign | 0x7c00;
  int exponent = 0;
  std::frexp(size, &exponent);
  const int scale = exponent - 1 < -14 ? -24 : exponent - 11;  // of the last bit
  const auto units = static_cast<u32>(std::nearbyint(std::ldexp(size, -scale)));
  if (exponent - 1 < -14 || units == 0) return static_cast<u16>(sign | units);
  // Rounding up to the next power of two carries into the exponent by itself.
  return static_cast<u16>(sign | ((static_cast<u32>(exponent + 14) << 10) + (units - 1024)));
}

}  // namespace gfxisa::exec
