// Integer work without memory: a 32-bit xorshift generator stirred by a 64-bit linear congruential one.
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void xorshift(global uint *restrict out, uint rounds) {
  const uint i = (uint)get_group_id(0) * 256u + (uint)get_local_id(0);
  uint x = i * 2654435761u + 1u;
  ulong y = 88172645463325252ul + i;
  for (uint k = 0; k < rounds; ++k) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    y = y * 6364136223846793005ul + x;
    x += (uint)(y >> 33);
  }
  out[i] = x;
}
