// Atomic additions of all items to one word, and to 64 words in another order for each item.
__attribute__((reqd_work_group_size(256, 1, 1)))
kernel void contend(global uint *counts, uint per) {
  const uint i = (uint)get_group_id(0) * 256u + (uint)get_local_id(0);
  for (uint k = 0; k < per; ++k) {
    atomic_add(counts, 1u);
    atomic_add(&counts[1 + ((i * 2654435761u + k * 40503u) >> 26)], k);
  }
}
