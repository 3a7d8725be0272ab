// Histogram of the top six bits of words: counted in LDS by each workgroup, then added to memory.
// A workgroup reads 256 * per consecutive words.
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void hist64(global const uint *restrict words, global uint *restrict histogram, uint per) {
  local uint counts[64];
  const uint item = (uint)get_local_id(0);
  if (item < 64u) counts[item] = 0u;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint first = (uint)get_group_id(0) * 256u * per + item;
  for (uint k = 0; k < per; ++k) atomic_inc(&counts[words[first + k * 256u] >> 26]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < 64u) atomic_add(&histogram[item], counts[item]);
}
