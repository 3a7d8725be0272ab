// Kernels of branches, loops, private arrays, calls and structures; compiled twice like integer.cl.
#include "ids.h"
#define OPERANDS                                                      \
  const ulong a = in[get_global_id(0) * 4], b = in[get_global_id(0) * 4 + 1]; \
  const ulong c = in[get_global_id(0) * 4 + 2], d = in[get_global_id(0) * 4 + 3]; \
  global ulong *const r = out + get_global_id(0) * 8;                 \
  (void)a, (void)b, (void)c, (void)d

kernel void switches(global const ulong *in, global ulong *out) {
  OPERANDS;
  ulong state = a;
  for (int k = 0; k < 8; ++k) {
    switch ((state >> (k * 3)) & 15u) {
      case 0: state += b; break;
      case 1: state ^= c; break;
      case 2: state = state << 5 | state >> 59; break;
      case 3: state -= d;  // falls through
      case 4: state *= 3u; break;
      case 5: state = ~state; break;
      case 7: state = state / 3u + 1u; break;
      case 9: state = (state ^ b) - c; break;
      case 10: state += (ulong)k; break;
      case 12: state = state >> 1 ^ d; break;
      case 14: state = state * b + 1u; break;
      default: state += 0x9e3779b97f4a7c15ul; break;
    }
    r[k] = state;
  }
}

kernel void collatz(global const ulong *in, global ulong *out) {
  OPERANDS;
  const uint starts[4] = {(uint)a & 0xffffu, (uint)b & 0xfffu, (uint)c & 0xffu, (uint)d & 15u};
  for (int k = 0; k < 4; ++k) {
    ulong n = starts[k] + 1u, highest = n;
    uint steps = 0;
    while (n != 1u) {
      n = n & 1u ? 3u * n + 1u : n >> 1;
      highest = n > highest ? n : highest;
      if (++steps == 300u) break;
    }
    r[k * 2] = steps;
    r[k * 2 + 1] = highest;
  }
}

kernel void divisors(global const ulong *in, global ulong *out) {
  OPERANDS;
  ulong x = a | 1u, y = b | 1u;
  uint rounds = 0;
  while (y != 0u && rounds < 200u) {
    const ulong rest = x % y;
    x = y, y = rest;
    ++rounds;
  }
  r[0] = x;
  r[1] = rounds;
  uint n = ((uint)c & 0x3ffu) + 2u, found = 0;
  for (uint candidate = 2; candidate <= n; ++candidate) {
    bool is_prime = true;
    for (uint factor = 2; factor * factor <= candidate; ++factor) {
      if (candidate % factor != 0u) continue;
      is_prime = false;
      break;
    }
    found += is_prime;
  }
  r[2] = found;
  for (int k = 3; k < 8; ++k) r[k] = found + (ulong)k;
}

kernel void insertion_sort(global const ulong *in, global ulong *out) {
  OPERANDS;
  uint values[16];
  const ulong words[4] = {a, b, c, d};
  for (int k = 0; k < 16; ++k) values[k] = (uint)(words[k >> 2] >> (16 * (k & 3))) & 0xffffu;
  for (int k = 1; k < 16; ++k) {
    const uint value = values[k];
    int at = k;
    for (; at > 0 && values[at - 1] > value; --at) values[at] = values[at - 1];
    values[at] = value;
  }
  for (int k = 0; k < 8; ++k) r[k] = (ulong)values[2 * k] << 32 | values[2 * k + 1];
}

kernel void private_table(global const ulong *in, global ulong *out) {
  OPERANDS;
  uint counts[32];
  uchar order[64];
  for (int k = 0; k < 32; ++k) counts[k] = 0;
  for (int k = 0; k < 64; ++k) order[k] = (uchar)((a >> (k & 31)) + (ulong)k);
  for (int k = 0; k < 64; ++k) counts[order[k] & 31u] += order[(b >> (k & 15)) & 63u];
  for (int k = 0; k < 8; ++k) r[k] = counts[k] + counts[(c >> k) & 31u] * 7u + (ulong)order[(d >> (4 * k)) & 63u];
}

struct Pair {
  uint key;
  ushort weight;
  uchar tag;
};
struct Item {
  uchar kind;
  ulong value;
  struct Pair pairs[3];
};

static ulong weigh(const struct Item *item) {
  ulong sum = item->value + item->kind;
  for (int k = 0; k < 3; ++k) sum = sum * 31u + item->pairs[k].key * (ulong)item->pairs[k].weight + item->pairs[k].tag;
  return sum;
}

kernel void structures(global const ulong *in, global ulong *out) {
  OPERANDS;
  struct Item items[4];
  for (int k = 0; k < 4; ++k) {
    items[k].kind = (uchar)(a >> (8 * k));
    items[k].value = b >> k;
    for (int j = 0; j < 3; ++j) {
      items[k].pairs[j].key = (uint)(c >> (k + j));
      items[k].pairs[j].weight = (ushort)(d >> (k * 3 + j));
      items[k].pairs[j].tag = (uchar)(k * 3 + j);
    }
  }
  const struct Item chosen = items[a & 3u];
  items[b & 3u] = chosen;
  for (int k = 0; k < 8; ++k) r[k] = weigh(&items[k & 3]) + (ulong)k;
}

__attribute__((noinline)) static ulong mix(ulong x, ulong y, uint times) {
  for (uint k = 0; k < times; ++k) x = (x ^ y) * 0x2545f4914f6cdd1dul + (x >> 29);
  return x;
}
__attribute__((noinline)) static ulong mix_some(ulong x, ulong y) { return (x & 1u) != 0u ? mix(x, y, 3) : mix(y, x, (uint)(x & 7u)); }

kernel void calls(global const ulong *in, global ulong *out) {
  OPERANDS;
  r[0] = mix(a, b, 2);
  r[1] = mix_some(a, b);
  r[2] = mix_some(c, d) + mix_some(d, c);
  r[3] = (a & 2u) != 0u ? mix_some(a ^ c, d) : 5u;
  for (int k = 4; k < 8; ++k) r[k] = mix_some(r[k - 4], r[k - 3]);
}

kernel void early_return(global const ulong *in, global ulong *out) {
  OPERANDS;
  for (int k = 0; k < 8; ++k) r[k] = 1000u + (ulong)k;
  if ((a & 3u) == 0u) return;
  r[0] = a;
  if ((b & 1u) != 0u) {
    r[1] = b;
    for (int k = 2; k < 8; ++k) {
      if ((c >> k & 3u) == 1u) return;
      r[k] = c >> k;
    }
    return;
  }
  r[7] = d;
}

kernel void tokens(global const ulong *in, global ulong *out) {
  OPERANDS;
  uchar text[32];
  const ulong words[4] = {a, b, c, d};
  for (int k = 0; k < 32; ++k) text[k] = (uchar)(words[k >> 3] >> (8 * (k & 7))) & 63u;
  uint numbers = 0, names = 0, others = 0, longest = 0, value = 0, total = 0;
  int at = 0;
next:
  if (at >= 32) goto done;
  if (text[at] < 20u) goto number;
  if (text[at] < 50u) goto name;
  ++others, ++at;
  goto next;
number:
  ++numbers, value = 0;
  while (at < 32 && text[at] < 20u) value = value * 20u + text[at++];
  total += value;
  goto next;
name : {
  const int start = at;
  ++names;
  while (at < 32 && text[at] >= 20u && text[at] < 50u) ++at;
  longest = (uint)(at - start) > longest ? (uint)(at - start) : longest;
}
  goto next;
done:
  r[0] = numbers, r[1] = names, r[2] = others, r[3] = longest, r[4] = total, r[5] = value, r[6] = (ulong)at, r[7] = 0;
}

kernel void binary_search(global const ulong *in, global ulong *out) {
  OPERANDS;
  ulong sorted[16];
  for (uint k = 0; k < 16u; ++k) sorted[k] = (a >> 8) / 16u * k;
  for (int k = 0; k < 8; ++k) {
    const ulong wanted = (b >> k) ^ c >> 9;
    uint low = 0, high = 16;
    while (low < high) {
      const uint middle = (low + high) / 2u;
      if (sorted[middle] < wanted)
        low = middle + 1u;
      else
        high = middle;
    }
    r[k] = low;
  }
}
