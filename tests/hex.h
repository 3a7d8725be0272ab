// Bytes in hexadecimal, as the tests' files hold them.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "base/hex.h"
#include "codec/encode.h"

namespace gfxisa {

/// `80020088` or `80 02 00 88`.
inline std::vector<u8> bytes_of(std::string hex) {
  std::erase(hex, ' ');
  std::vector<u8> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<u8>(std::stoul(hex.substr(i, 2), nullptr, 16)));
  return bytes;
}

inline std::string hex_of(const Instruction& instruction) {
  std::vector<u8> bytes(max_words * 4);
  append_bytes(instruction, bytes.data());
  bytes.resize(instruction.size);
  return hex_of(bytes);
}

}  // namespace gfxisa
