// Kernels of whole workgroups of 256: local memory, barriers, atomics, three-dimensional ranges. tests/exec/compiled_groups_test.cc has what
// they must compute. They read `in` and write `out` like those of integer.cl, a word a work-item unless said otherwise.
#include "ids.h"
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define ITEM const uint item = (uint)get_local_id(0), at = (uint)get_global_id(0)
#define GROUP_OF_256 __attribute__((reqd_work_group_size(256, 1, 1)))

GROUP_OF_256 kernel void reduce_sum(global const ulong *in, global ulong *out) {
  local ulong sums[256];
  ITEM;
  sums[item] = in[at * 4];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 128; step > 0; step >>= 1) {
    if (item < step) sums[item] += sums[item + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[at] = sums[0];
}

GROUP_OF_256 kernel void prefix_sum(global const ulong *in, global ulong *out) {
  local uint sums[2][256];
  ITEM;
  uint from = 0;
  sums[0][item] = (uint)in[at * 4];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < 256; step <<= 1) {
    sums[1 - from][item] = sums[from][item] + (item >= step ? sums[from][item - step] : 0);
    from = 1 - from;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[at] = sums[from][item];
}

GROUP_OF_256 kernel void transpose(global const ulong *in, global ulong *out) {
  local ulong tile[16][17];
  ITEM;
  tile[item >> 4][item & 15] = in[at * 4 + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = tile[item & 15][item >> 4];
}

GROUP_OF_256 kernel void bitonic_sort(global const ulong *in, global ulong *out) {
  local uint keys[256];
  ITEM;
  keys[item] = (uint)in[at * 4 + 2];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint size = 2; size <= 256; size <<= 1) {
    for (uint step = size >> 1; step > 0; step >>= 1) {
      const uint other = item ^ step;
      if (other > item) {
        const uint x = keys[item], y = keys[other];
        if ((x > y) == ((item & size) == 0)) keys[item] = y, keys[other] = x;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  out[at] = keys[item];
}

GROUP_OF_256 kernel void local_atomics(global const ulong *in, global ulong *out) {
  local uint cells[8];
  local int extremes[2];
  ITEM;
  const uint v = (uint)in[at * 4];
  if (item < 8) cells[item] = item == 3 ? 0xffffffffu : item == 5 ? ~0u : 0;
  if (item < 2) extremes[item] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&cells[0], v);
  atomic_sub(&cells[1], v >> 3);
  atomic_max(&cells[2], v);
  atomic_min(&cells[3], v);
  atomic_or(&cells[4], v & 0x10101u << (item & 7));
  atomic_and(&cells[5], v | 0xffff0fffu);
  atomic_xor(&cells[6], v);
  if (v & 1) atomic_inc(&cells[7]);
  atomic_max(&extremes[0], (int)v);
  atomic_min(&extremes[1], (int)v);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = item < 8 ? cells[item] : item < 10 ? (ulong)(long)extremes[item - 8] : 0;
}

GROUP_OF_256 kernel void local_atomics64(global const ulong *in, global ulong *out) {
  local ulong cells[6];
  ITEM;
  const ulong v = in[at * 4];
  if (item < 6) cells[item] = item == 2 ? ~0ul : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atom_add(&cells[0], v);
  atom_max(&cells[1], v);
  atom_min(&cells[2], v);
  atom_xor(&cells[3], v);
  atom_or(&cells[4], v & 0x1111);
  atom_sub(&cells[5], v);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = item < 6 ? cells[item] : 0;
}

// Exchange loops: sums of small whole numbers as floats, which are exact in any order. Every ticket is given once.
GROUP_OF_256 kernel void exchange_loops(global const ulong *in, global ulong *out) {
  local uint sum, tickets;
  local uint taken[256];
  ITEM;
  if (item == 0) sum = 0, tickets = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint old = sum, was;
  do {
    was = old;
    old = atomic_cmpxchg(&sum, was, as_uint(as_float(was) + (float)((uint)in[at * 4] & 255)));
  } while (old != was);
  taken[atomic_inc(&tickets)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = (ulong)taken[item] << 32 | sum;
}

// All workgroups add to the 16 words behind the items' own.
GROUP_OF_256 kernel void global_atomics(global const ulong *in, global ulong *out) {
  ITEM;
  const ulong v = in[at * 4];
  global ulong *const cells = out + get_global_size(0);
  global uint *const words = (global uint *)(cells + 8);
  atom_add(&cells[0], v);
  atom_max(&cells[1], v);
  atom_xor(&cells[2], v);
  atom_or(&cells[3], v & 0xff0000ff00ul);
  atomic_add(&words[0], (uint)v);
  atomic_max((volatile global int *)&words[1], (int)v);
  atomic_xor(&words[2], (uint)(v >> 32));
  atomic_or(&words[3], (uint)v & 0x1000);
  atomic_sub(&words[4], (uint)v & 15);
  if (atomic_xchg(&words[5], at + 1) == at + 1) atomic_inc(&words[6]);  // never: each value is put once
  out[at] = atomic_inc(&words[7]) < get_global_size(0);
}

GROUP_OF_256 kernel void stencil(global const ulong *in, global ulong *out) {
  local int row[258];
  ITEM;
  const uint n = (uint)get_global_size(0);
  row[item + 1] = (int)in[at * 4];
  if (item == 0) row[0] = at == 0 ? 0 : (int)in[(at - 1) * 4];
  if (item == 255) row[257] = at + 1 == n ? 0 : (int)in[(at + 1) * 4];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = (ulong)(long)(row[item] - 2 * row[item + 1] + row[item + 2]);
}

// Its local memory is as large as the launch says: 64 counters.
GROUP_OF_256 kernel void dynamic_histogram(global const ulong *in, global ulong *out, local uint *counts) {
  ITEM;
  if (item < 64) counts[item] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = 0; k < 4; ++k) atomic_inc(&counts[in[at * 4 + k] & 63]);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = counts[item & 63];
}

GROUP_OF_256 kernel void matrix_tiles(global const ulong *in, global ulong *out) {
  local double left[16][16], right[16][16];
  ITEM;
  const uint row = item >> 4, column = item & 15;
  left[row][column] = (double)(int)in[at * 4];
  right[row][column] = (double)(int)in[at * 4 + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  double sum = 0;
  for (uint k = 0; k < 16; ++k) sum += left[row][k] * right[k][column] * 0x1p-40;
  out[at] = as_ulong(sum);
}

// Ids and sizes of a range of three dimensions, with workgroups that need not be full.
kernel void places(global const ulong *in, global ulong *out) {
  const ulong x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const ulong at = (z * get_global_size(1) + y) * get_global_size(0) + x;
  out[at] = get_local_id(0) | get_local_id(1) << 8 | get_local_id(2) << 16 | get_group_id(0) << 24 | get_group_id(1) << 32 |
            get_group_id(2) << 40 | get_num_groups(0) << 48 | get_local_size(0) << 56;
}

// Halves of bytes and floats packed in vectors.
GROUP_OF_256 kernel void vectors(global const ulong *in, global ulong *out) {
  ITEM;
  const uchar8 bytes = as_uchar8(in[at * 4]);
  const ushort4 shorts = as_ushort4(in[at * 4 + 1]);
  const uchar8 mixed = bytes.s76543210 + (uchar8)(1, 2, 3, 4, 5, 6, 7, 8);
  const ushort4 product = shorts * shorts.wzyx - (ushort4)(bytes.s0, bytes.s1, bytes.s2, bytes.s3);
  const int4 wide = convert_int4(shorts) * convert_int4(as_short4(in[at * 4 + 2]));
  out[at] = as_ulong(mixed) ^ as_ulong(product) ^ ((ulong)(uint)(wide.x + wide.y) << 32 | (uint)(wide.z ^ wide.w));
}
