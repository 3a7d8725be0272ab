// Bytes in hexadecimal.
#pragma once
#include <span>
#include <string>

#include "base/types.h"

namespace gfxisa {

/// Two digits a byte: `80020088`.
inline std::string hex_of(std::span<const u8> bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string hex;
  hex.reserve(bytes.size() * 2);
  for (const u8 byte : bytes) (hex += digits[byte >> 4]) += digits[byte & 15];
  return hex;
}

}  // namespace gfxisa
