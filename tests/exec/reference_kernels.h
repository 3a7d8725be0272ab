// The six example kernels in plain C++: what they must compute.
#pragma once
#include <array>
#include <cmath>
#include <vector>

#include "base/types.h"

namespace gfxisa::reference {

inline std::vector<f32> saxpy(const std::vector<f32>& x, std::vector<f32> y, f32 a) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = std::fma(a, x[i], y[i]);
  return y;
}

inline std::vector<f32> matmul(const std::vector<f32>& a, const std::vector<f32>& b, u32 n) {
  std::vector<f32> c(std::size_t{n} * n);
  for (u32 row = 0; row < n; ++row) {
    for (u32 column = 0; column < n; ++column) {
      f32 sum = 0;
      for (u32 k = 0; k < n; ++k) sum = std::fma(a[row * n + k], b[k * n + column], sum);
      c[row * n + column] = sum;
    }
  }
  return c;
}

inline std::vector<u32> hist64(const std::vector<u32>& words) {
  std::vector<u32> counts(64);
  for (const u32 word : words) ++counts[word >> 26];
  return counts;
}

inline std::vector<u32> mandel(u32 w, u32 h, u32 limit) {
  std::vector<u32> steps(std::size_t{w} * h);
  for (u32 y = 0; y < h; ++y) {
    for (u32 x = 0; x < w; ++x) {
      const f32 c_re = std::fma(static_cast<f32>(x), 3.0f / 512.0f, -2.0f), c_im = std::fma(static_cast<f32>(y), 3.0f / 512.0f, -1.5f);
      f32 re = 0, im = 0;
      u32 count = 0;
      for (; count < limit; ++count) {
        const f32 re2 = re * re, im2 = im * im;
        if (re2 + im2 > 4.0f) break;
        im = std::fma(2.0f * re, im, c_im);
        re = re2 - im2 + c_re;
      }
      steps[y * w + x] = count;
    }
  }
  return steps;
}

inline std::vector<u32> xorshift(u32 items, u32 rounds) {
  std::vector<u32> out(items);
  for (u32 i = 0; i < items; ++i) {
    u32 x = i * 2654435761u + 1u;
    u64 y = 88172645463325252ull + i;
    for (u32 k = 0; k < rounds; ++k) {
      x ^= x << 13;
      x ^= x >> 17;
      x ^= x << 5;
      y = y * 6364136223846793005ull + x;
      x += static_cast<u32>(y >> 33);
    }
    out[i] = x;
  }
  return out;
}

constexpr u32 rotate_right(u32 x, u32 n) { return x >> n | x << (32 - n); }

/// One SHA-256 compression of `w` into `state` (FIPS 180-4); `constants` are its 64 round constants.
inline void compress(std::array<u32, 8>& state, std::array<u32, 64> w, const std::array<u32, 64>& constants) {
  for (u32 i = 16; i < 64; ++i) {
    w[i] = w[i - 16] + w[i - 7] + (rotate_right(w[i - 15], 7) ^ rotate_right(w[i - 15], 18) ^ w[i - 15] >> 3) +
           (rotate_right(w[i - 2], 17) ^ rotate_right(w[i - 2], 19) ^ w[i - 2] >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (u32 i = 0; i < 64; ++i) {
    const u32 t1 = h + (rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25)) + ((e & f) ^ (~e & g)) + constants[i] + w[i];
    const u32 t2 = (rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const std::array<u32, 8> added{a, b, c, d, e, f, g, h};
  for (u32 i = 0; i < 8; ++i) state[i] += added[i];
}

/// The round constants: the first 32 bits of the fractions of the cube roots of the first 64 primes.
inline std::array<u32, 64> round_constants() {
  std::array<u32, 64> out{};
  u32 found = 0;
  for (u32 n = 2; found < 64; ++n) {
    bool prime = true;
    for (u32 d = 2; d * d <= n; ++d) prime = prime && n % d != 0;
    if (prime) out[found++] = static_cast<u32>(static_cast<u64>(std::cbrt(static_cast<long double>(n)) * 4294967296.0L));
  }
  return out;
}

inline std::vector<u32> sha256(u32 items, u32 rounds) {
  const auto constants = round_constants();
  std::vector<u32> out(items);
  for (u32 id = 0; id < items; ++id) {
    std::array<u32, 8> state{0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au, 0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
    for (u32 round = 0; round < rounds; ++round) {
      std::array<u32, 64> w{};
      for (u32 i = 0; i < 16; ++i) w[i] = (id * (i + 1u)) ^ state[i & 7u] ^ round;
      compress(state, w, constants);
    }
    for (const u32 word : state) out[id] ^= word;
  }
  return out;
}

}  // namespace gfxisa::reference
