// Kernels that reach across the lanes of a wave. Each gives the same result in waves of 32 and of 64 lanes, as it works on rows of 16 or 32.
#include "ids.h"
#define ITEM const uint item = (uint)get_local_id(0), at = (uint)get_global_id(0)
#define GROUP_OF_256 __attribute__((reqd_work_group_size(256, 1, 1)))

// Lane (lane ^ 5) of each 32.
GROUP_OF_256 kernel void swizzle(global const ulong *in, global ulong *out) {
  ITEM;
  const uint v = (uint)in[at * 4];
  out[at] = (uint)__builtin_amdgcn_ds_swizzle((int)v, 0x1f | 5 << 10);
}

// The lane that the low bits of the item's second word name, of the 32 that its own belongs to.
GROUP_OF_256 kernel void permute(global const ulong *in, global ulong *out) {
  ITEM;
  const uint from = (item & 32) + ((uint)in[at * 4 + 1] & 31);
  out[at] = (uint)__builtin_amdgcn_ds_bpermute((int)(from * 4), (int)in[at * 4]);
}

// Sums of rows of 16 by DPP: rotations by 8, 4, 2, 1.
GROUP_OF_256 kernel void row_sums(global const ulong *in, global ulong *out) {
  ITEM;
  int v = (int)in[at * 4];
  v += __builtin_amdgcn_update_dpp(0, v, 0x128, 0xf, 0xf, false);
  v += __builtin_amdgcn_update_dpp(0, v, 0x124, 0xf, 0xf, false);
  v += __builtin_amdgcn_update_dpp(0, v, 0x122, 0xf, 0xf, false);
  v += __builtin_amdgcn_update_dpp(0, v, 0x121, 0xf, 0xf, false);
  out[at] = (uint)v;
}

// Quads in another order, rows mirrored, rows moved with lanes that nothing comes from.
GROUP_OF_256 kernel void row_moves(global const ulong *in, global ulong *out) {
  ITEM;
  const int v = (int)in[at * 4];
  const int quad = __builtin_amdgcn_update_dpp(7, v, 0x1b, 0xf, 0xf, false);
  const int mirrored = __builtin_amdgcn_update_dpp(7, v, 0x140, 0xf, 0xf, false);
  const int half_mirrored = __builtin_amdgcn_update_dpp(7, v, 0x141, 0xf, 0xf, false);
  const int moved = __builtin_amdgcn_update_dpp(7, v, 0x113, 0xf, 0xf, false);
  const int zeroed = __builtin_amdgcn_update_dpp(7, v, 0x102, 0xf, 0xf, true);
  const int masked = __builtin_amdgcn_update_dpp(7, v, 0x111, 0xf, 0x5, false);
  out[at] = (uint)(quad + 3 * mirrored + 5 * half_mirrored + 7 * moved + 11 * zeroed + 13 * masked);
}

// Of the 32 lanes: how many before this one have an odd value, and how many have at all.
GROUP_OF_256 kernel void votes(global const ulong *in, global ulong *out) {
  ITEM;
  local uint masks[8];
  const bool is_odd = in[at * 4] & 1;
  if (item < 8) masks[item] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef __GFX9__  // waves of 64
  const ulong ballot = __builtin_amdgcn_ballot_w64(is_odd);
  const uint half_ballot = item & 32 ? (uint)(ballot >> 32) : (uint)ballot;
#else
  const uint half_ballot = __builtin_amdgcn_ballot_w32(is_odd);
#endif
  if ((item & 31) == 0) masks[item >> 5] = half_ballot;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint mask = masks[item >> 5];
  out[at] = (ulong)popcount(mask & ((1u << (item & 31)) - 1)) << 32 | popcount(mask);
}

// A value for each wave from its first active lane, found while only some lanes are on.
GROUP_OF_256 kernel void first_lane(global const ulong *in, global ulong *out) {
  ITEM;
  uint v = 0;
  if ((item & 31) >= 5) v = (uint)__builtin_amdgcn_readfirstlane((int)(item & 31)) * 100 + 1;
  out[at] = v;
}

// The values of a group are handed round: each distinct value among the lanes is taken once, by a loop over who is left.
GROUP_OF_256 kernel void waterfall(global const ulong *in, global ulong *out) {
  ITEM;
  const uint mine = (uint)in[at * 4] & 7;
  uint result = 0;
  for (bool is_left = true; is_left;) {
    const uint taken = (uint)__builtin_amdgcn_readfirstlane((int)mine);
    if (taken == mine) {
      result = taken * taken + 3;
      is_left = false;
    }
  }
  out[at] = result;
}
