// Compares the output of the xorshift kernel (16,384 items, 256 rounds) in a file with the same arithmetic on this CPU.
#include <cstdio>
#include <fstream>

#include "exec/reference_kernels.h"

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: check_xorshift OUTPUT\n"), 2;
  const auto expected = gfxisa::reference::xorshift(16384, 256);
  std::vector<gfxisa::u32> found(expected.size());
  std::ifstream file(argv[1], std::ios::binary);
  file.read(reinterpret_cast<char*>(found.data()), static_cast<std::streamsize>(found.size() * 4));
  if (!file) return std::fprintf(stderr, "%s is too short\n", argv[1]), 1;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] != expected[i]) return std::printf("item %zu: 0x%08x, expected 0x%08x\n", i, found[i], expected[i]), 1;
  }
  std::printf("checked: all %zu results are right (item 16383: 0x%08x)\n", found.size(), found.back());
}
