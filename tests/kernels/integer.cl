// Kernels of whole numbers. The same text is compiled by clang for each target and by the host's C++ compiler (opencl_host.h): a work-item
// reads four words of 64 bits and writes eight.
#include "ids.h"
#define OPERANDS                                                      \
  const ulong a = in[get_global_id(0) * 4], b = in[get_global_id(0) * 4 + 1]; \
  const ulong c = in[get_global_id(0) * 4 + 2], d = in[get_global_id(0) * 4 + 3]; \
  global ulong *const r = out + get_global_id(0) * 8;                 \
  (void)a, (void)b, (void)c, (void)d

kernel void add_subtract(global const ulong *in, global ulong *out) {
  OPERANDS;
  r[0] = a + b - c;
  r[1] = (uint)a + (uint)b * (uint)c;
  r[2] = (ulong)(long)(int)((uint)a - (uint)b);
  r[3] = (uint)a < (uint)b ? a : b;
  r[4] = (ulong)((long)a < (long)b ? (long)c : (long)d);
  r[5] = (ushort)((ushort)a + (ushort)b);
  r[6] = (ulong)(long)(char)((char)a - (char)b);
  r[7] = (ulong)(long)(short)((short)a * (short)b);
}

kernel void divide32(global const ulong *in, global ulong *out) {
  OPERANDS;
  const uint x = (uint)a, y = (uint)b | 1u;
  const int p = (int)(x >> 1), q = (int)(y >> 3) - 0x7000000, n = q == 0 ? 3 : q;
  r[0] = x / y;
  r[1] = x % y;
  r[2] = (ulong)(long)(p / n);
  r[3] = (ulong)(long)(p % n);
  r[4] = x / 7u;
  r[5] = x % 1000u;
  r[6] = (ulong)(long)((int)x / 10);
  r[7] = (uint)(ushort)x / (uint)(uchar)(y | 1u);
}

kernel void divide64(global const ulong *in, global ulong *out) {
  OPERANDS;
  const ulong y = b | 1u, small = (c & 0xffffu) + 1u;
  const long p = (long)(a >> 1) - (long)(d >> 2), n = (long)(y >> 20) + 1;
  r[0] = a / y;
  r[1] = a % y;
  r[2] = a / small;
  r[3] = a % small;
  r[4] = (ulong)(p / n);
  r[5] = (ulong)(p % n);
  r[6] = a / 1000000007u;
  r[7] = (ulong)((long)a / 12345);
}

kernel void multiply(global const ulong *in, global ulong *out) {
  OPERANDS;
  r[0] = a * b + c;
  r[1] = mul_hi(a, b);
  r[2] = (ulong)mul_hi((long)a, (long)c);
  r[3] = mul_hi((uint)a, (uint)b);
  r[4] = (ulong)(long)mul_hi((int)a, (int)b);
  r[5] = (ulong)(uint)a * (uint)b + d;
  r[6] = (ulong)((long)(int)a * (int)c);
  r[7] = mad24((int)(a & 0x7fffffu), (int)(b & 0x7fffffu), (int)c) + (uint)mul24((int)(c & 0x7fffffu), -3);
}

kernel void shifts(global const ulong *in, global ulong *out) {
  OPERANDS;
  r[0] = a << (b & 63u);
  r[1] = a >> (b & 63u);
  r[2] = (ulong)((long)a >> (c & 63u));
  r[3] = (uint)a << (b & 31u);
  r[4] = (ulong)(long)((int)a >> (c & 31u));
  r[5] = rotate((uint)a, (uint)b & 31u);
  r[6] = (a << 13 | a >> 51) ^ (b >> 7 | b << 57);
  r[7] = (ushort)((ushort)a >> (d & 15u)) | (ulong)(ushort)((short)b >> (d & 15u)) << 16;
}

kernel void bits(global const ulong *in, global ulong *out) {
  OPERANDS;
  r[0] = popcount(a) + popcount((uint)b);
  r[1] = clz(a) + (ulong)clz((uint)b) * 100u;
  r[2] = ctz(a | 1ul << 63) + (ulong)ctz((uint)b | 0x80000000u) * 100u;
  r[3] = (a & b) | (~a & c);
  r[4] = a ^ b ^ c ^ d;
  r[5] = ~(a & b) ^ (c | ~d);
  r[6] = ((uint)a >> ((uint)b & 15u)) & ((1u << ((uint)c & 15u)) - 1u);
  r[7] = (ulong)(long)((int)((uint)a << 7) >> 20);
}

kernel void saturate(global const ulong *in, global ulong *out) {
  OPERANDS;
  r[0] = add_sat((uint)a, (uint)b);
  r[1] = (ulong)(long)add_sat((int)a, (int)b);
  r[2] = sub_sat((uint)a, (uint)b);
  r[3] = (ulong)(long)sub_sat((int)a, (int)b);
  r[4] = abs_diff((int)a, (int)b);
  r[5] = hadd((uint)a, (uint)b);
  r[6] = rhadd((uint)a, (uint)b);
  r[7] = (ulong)(long)clamp((int)a, -1000, 100000) + abs((int)d);
}

kernel void narrow(global const ulong *in, global ulong *out) {
  OPERANDS;
  ushort sum = 0, biggest = 0;
  short least = 0x7fff;
  uchar parity = 0;
  for (int k = 0; k < 4; ++k) {
    const ushort x = (ushort)(a >> (16 * k)), y = (ushort)(b >> (16 * k));
    sum = (ushort)(sum + (ushort)((uint)x * y));
    biggest = x > biggest ? x : biggest;
    least = (short)y < least ? (short)y : least;
    parity ^= (uchar)(x >> 8) ^ (uchar)x;
  }
  r[0] = sum;
  r[1] = biggest;
  r[2] = (ulong)(long)least;
  r[3] = parity;
  r[4] = (ulong)(long)(char)(c >> 40);
  r[5] = (ushort)((ushort)c << 3) | (ushort)((ushort)d >> 2);
  r[6] = (ushort)((ushort)a - (ushort)b) < (ushort)c;
  r[7] = (uchar)(a >> 3) + (ulong)(uchar)(b >> 11) * (uchar)c;
}

constant uint crc_table[16] = {0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu, 0x76dc4190u, 0x6b6b51f4u, 0x4db26158u, 0x5005713cu,
                               0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu, 0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu};

kernel void checksums(global const ulong *in, global ulong *out) {
  OPERANDS;
  uint crc = 0xffffffffu, hash = 2166136261u;
  const ulong words[4] = {a, b, c, d};
  for (int k = 0; k < 32; ++k) {
    const uint byte = (uint)(words[k >> 3] >> (8 * (k & 7))) & 255u;
    crc = crc_table[(crc ^ byte) & 15u] ^ crc >> 4;
    crc = crc_table[(crc ^ byte >> 4) & 15u] ^ crc >> 4;
    hash = (hash ^ byte) * 16777619u;
    r[k >> 2] = (ulong)crc << 32 | hash;
  }
}

kernel void siphash(global const ulong *in, global ulong *out) {
  OPERANDS;
  ulong v0 = a ^ 0x736f6d6570736575ul, v1 = b ^ 0x646f72616e646f6dul, v2 = a ^ 0x6c7967656e657261ul, v3 = b ^ 0x7465646279746573ul;
  for (int k = 0; k < 8; ++k) {
    v3 ^= k & 1 ? c : d;
    for (int round = 0; round < 2; ++round) {
      v0 += v1, v1 = (v1 << 13 | v1 >> 51) ^ v0, v0 = v0 << 32 | v0 >> 32;
      v2 += v3, v3 = (v3 << 16 | v3 >> 48) ^ v2;
      v0 += v3, v3 = (v3 << 21 | v3 >> 43) ^ v0;
      v2 += v1, v1 = (v1 << 17 | v1 >> 47) ^ v2, v2 = v2 << 32 | v2 >> 32;
    }
    v0 ^= k & 1 ? c : d;
    r[k] = v0 ^ v1 ^ v2 ^ v3;
  }
}
