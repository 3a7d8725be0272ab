// SHA-256 compressions in a chain: each work-item hashes `rounds` blocks that it makes from its number and its state,
// and stores the exclusive or of the eight words of the result.
constant uint round_constants[64] = {
  0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u,
  0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u,
  0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau,
  0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u,
  0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u,
  0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u,
  0x19a4c116u, 0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
  0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u,
};

uint rotate_right(uint x, uint n) { return rotate(x, 32u - n); }

kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void sha256(global uint *restrict out, uint rounds) {
  const uint id = (uint)get_group_id(0) * 256u + (uint)get_local_id(0);
  uint state[8] = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au, 0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
  for (uint round = 0; round < rounds; ++round) {
    uint w[16];
#pragma unroll
    for (uint i = 0; i < 16; ++i) w[i] = (id * (i + 1u)) ^ state[i & 7u] ^ round;
    uint a = state[0], b = state[1], c = state[2], d = state[3];
    uint e = state[4], f = state[5], g = state[6], h = state[7];
#pragma unroll
    for (uint i = 0; i < 64; ++i) {
      if (i >= 16) {
        const uint early = w[(i + 1) & 15], late = w[(i + 14) & 15];
        w[i & 15] += (rotate_right(early, 7) ^ rotate_right(early, 18) ^ (early >> 3)) + w[(i + 9) & 15] +
                     (rotate_right(late, 17) ^ rotate_right(late, 19) ^ (late >> 10));
      }
      const uint t1 = h + (rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25)) + bitselect(g, f, e) +
                      round_constants[i] + w[i & 15];
      const uint t2 = (rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22)) + ((a & b) | (c & (a | b)));
      h = g; g = f; f = e; e = d + t1; d = c; c = b; b = a; a = t1 + t2;
    }
    state[0] += a; state[1] += b; state[2] += c; state[3] += d;
    state[4] += e; state[5] += f; state[6] += g; state[7] += h;
  }
  out[id] = state[0] ^ state[1] ^ state[2] ^ state[3] ^ state[4] ^ state[5] ^ state[6] ^ state[7];
}
