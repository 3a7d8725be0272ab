// Words from all over a table, `per` for each item; the places come one from the other, so that no two items go the same way.
__attribute__((reqd_work_group_size(256, 1, 1)))
kernel void gather(global const uint *restrict table, global uint *restrict out, uint mask, uint per) {
  const uint i = (uint)get_group_id(0) * 256u + (uint)get_local_id(0);
  uint place = i * 2654435761u, sum = 0;
  for (uint k = 0; k < per; ++k) {
    sum += table[place >> 8 & mask];
    place = place * 1664525u + 1013904223u;
  }
  out[i] = sum;
}
