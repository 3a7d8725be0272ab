// Kernels of floating point; compiled twice like integer.cl. NaNs are written as one and the same.
#include "ids.h"
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF
#ifdef __OPENCL_C_VERSION__
#define fma __builtin_elementwise_fma  // libclc's own, when it is not optimised, is a program that flushes denormals
#endif
#define OPERANDS                                                                                              \
  const ulong a = in[get_global_id(0) * 4], b = in[get_global_id(0) * 4 + 1];                                 \
  const ulong c = in[get_global_id(0) * 4 + 2], d = in[get_global_id(0) * 4 + 3];                             \
  const float x = number(a), y = number(b), z = number(c), w = number(d);                                     \
  global ulong *const r = out + get_global_id(0) * 8;                                                         \
  (void)a, (void)b, (void)c, (void)d, (void)x, (void)y, (void)z, (void)w
#define DOUBLES                                                                                               \
  const double p = number64(a), q = number64(b), s = number64(c), t = number64(d);                            \
  (void)p, (void)q, (void)s, (void)t

static ulong f(float v) { return isnan(v) ? 0x7fc00000u : as_uint(v); }
static ulong g(double v) { return isnan(v) ? 0x7ff8000000000000ul : as_ulong(v); }
// Any value but a signalling NaN: what becomes of those is not laid down.
static float number(ulong v) { return as_float((v & 0x7fffffffu) > 0x7f800000u ? (uint)v | 0x400000u : (uint)v); }
static double number64(ulong v) { return as_double((v & ~(1ul << 63)) > 0x7fful << 52 ? v | 1ul << 51 : v); }
// A moderate value from the bits: about -16 to 16.
static float small(uint v) { return (float)(int)v * (1.0f / 134217728.0f); }

kernel void float_arithmetic(global const ulong *in, global ulong *out) {
  OPERANDS;
  r[0] = f(x + y);
  r[1] = f(x - z);
  r[2] = f(x * y);
  r[3] = f(fma(x, y, z));
  r[4] = f(x * y + w);
  r[5] = f(fma(-x, z, w) - y * z);
  r[6] = f((x + y) * (z - w));
  r[7] = f(0.5f * x + 4.0f * y - z * 0.15915494f);
}

kernel void float_select(global const ulong *in, global ulong *out) {
  OPERANDS;
  r[0] = f(fmin(x, y) + 0.0f), r[1] = f(fmax(x, z) + 0.0f);  // which zero is the smaller is not laid down
  r[2] = (ulong)(x < y) | (ulong)(x <= y) << 1 | (ulong)(x == z) << 2 | (ulong)(x != w) << 3 | (ulong)(x > y) << 4 | (ulong)(x >= w) << 5;
  r[3] = (ulong)(isnan(x) != 0) | (ulong)(isinf(y) != 0) << 1 | (ulong)(isfinite(z) != 0) << 2 | (ulong)(signbit(w) != 0) << 3 |
         (ulong)(isnormal(x) != 0) << 4;
  r[4] = f(x < y ? z : w), r[5] = f(copysign(x, y)), r[6] = f(fabs(x) - fabs(y));
  r[7] = f(x > 0.0f ? (y > 0.0f ? x : -x) : (z < 1.0f ? y : w));
}

kernel void float_rounding(global const ulong *in, global ulong *out) {
  OPERANDS;
  const float v = small((uint)c) * 7.3f;
  r[0] = f(floor(x)), r[1] = f(ceil(y)), r[2] = f(trunc(z)), r[3] = f(rint(w));
  r[4] = f(floor(v)) + f(ceil(v)) * 3u, r[5] = f(rint(v)) + f(trunc(v)) * 3u, r[6] = f(round(v)), r[7] = f(v - floor(v));
}

kernel void float_scaling(global const ulong *in, global ulong *out) {
  OPERANDS;
  r[0] = f(ldexp(x, (int)(b & 127u) - 64)), r[1] = f(ldexp(small((uint)a), (int)(b & 511u) - 256));
  int e = 0;
  const float m = frexp(small((uint)a) + 1.5f, &e);
  r[2] = f(m), r[3] = (ulong)(long)e;
  r[4] = (ulong)(long)ilogb(small((uint)c) + 17.0f), r[5] = f(nextafter(small((uint)a), y)), r[6] = f(fdim(small((uint)a), small((uint)b)));
  r[7] = f(fmod(small((uint)a), small((uint)b) + 17.0f));
}

kernel void float_to_integer(global const ulong *in, global ulong *out) {
  OPERANDS;
  const float v = small((uint)a) * 1000.0f;
  r[0] = (ulong)(long)(int)v, r[1] = (uint)fabs(v), r[2] = (ulong)(long)v, r[3] = (ulong)fabs(v * 1e12f);
  r[4] = (ulong)(long)convert_int_sat(x), r[5] = convert_uint_sat(y), r[6] = (ulong)(long)convert_int_rte(v), r[7] = (uchar)(uint)fabs(v);
}

kernel void integer_to_float(global const ulong *in, global ulong *out) {
  OPERANDS;
  r[0] = f((float)(int)a), r[1] = f((float)(uint)b), r[2] = f((float)(long)c), r[3] = f((float)d);
  r[4] = f((float)(uchar)a + (float)(uchar)(a >> 8)), r[5] = f((float)(short)b), r[6] = g((double)(long)c), r[7] = g((double)d);
}

kernel void double_arithmetic(global const ulong *in, global ulong *out) {
  OPERANDS;
  DOUBLES;
  r[0] = g(p + q), r[1] = g(p - s), r[2] = g(p * q), r[3] = g(fma(p, q, s));
  r[4] = g(p / q), r[5] = g(sqrt(fabs(s))), r[6] = g((p + q) * (s - t)), r[7] = g(p * q + t);
}

kernel void double_convert(global const ulong *in, global ulong *out) {
  OPERANDS;
  DOUBLES;
  const double v = (double)small((uint)a) * 1e8;
  r[0] = f((float)p), r[1] = g((double)x), r[2] = (ulong)(long)v, r[3] = (ulong)(long)(int)v, r[4] = (uint)fabs(v);
  r[5] = g(floor(v)) ^ g(rint(v)), r[6] = g(fmin(p, q) + 0.0), r[7] = g(fmax(s, t) + 0.0);
}

kernel void half_arithmetic(global const ulong *in, global ulong *out) {
  OPERANDS;
  const half h = as_half((ushort)a), i = as_half((ushort)b), j = as_half((ushort)c);
  r[0] = f((float)(half)(h + i)), r[1] = f((float)(half)(h * j)), r[2] = f((float)(half)(h - j)), r[3] = f((float)fma(h, i, j));
  r[4] = f((float)h + (float)i), r[5] = f((float)(half)x), r[6] = f((float)(half)small((uint)a)), r[7] = (ulong)(h < i) | (ulong)(h == j) << 1;
}

kernel void divide_float(global const ulong *in, global ulong *out) {
  OPERANDS;
  const float u = small((uint)a), v = small((uint)b) + 17.0f;
  r[0] = f(u / v), r[1] = f(1.0f / v), r[2] = f(sqrt(v)), r[3] = f(rsqrt(v)), r[4] = f(u / 3.0f), r[5] = f(u / (v * 1e30f));
  r[6] = f(u * 1e-30f / v), r[7] = f(hypot(u, v));
}

kernel void sines(global const ulong *in, global ulong *out) {
  OPERANDS;
  const float u = small((uint)a);
  r[0] = f(sin(u)), r[1] = f(cos(u)), r[2] = f(tan(u * 0.09f)), r[3] = f(sin(u * 1e5f)), r[4] = f(asin(u * 0.0624f)), r[5] = f(acos(u * 0.0624f));
  r[6] = f(atan(u)), r[7] = f(atan2(u, small((uint)b)));
}

kernel void exponentials(global const ulong *in, global ulong *out) {
  OPERANDS;
  const float u = small((uint)a), v = fabs(small((uint)b)) + 0.001f;
  r[0] = f(exp(u)), r[1] = f(exp2(u)), r[2] = f(log(v)), r[3] = f(log2(v)), r[4] = f(log10(v)), r[5] = f(pow(v, u * 0.5f));
  r[6] = f(exp10(u)), r[7] = f(cbrt(u));
}

kernel void hyperbolic(global const ulong *in, global ulong *out) {
  OPERANDS;
  const float u = small((uint)a), v = fabs(small((uint)b)) + 0.001f;
  r[0] = f(sinh(u)), r[1] = f(cosh(u)), r[2] = f(tanh(u)), r[3] = f(asinh(u)), r[4] = f(acosh(v + 1.0f)), r[5] = f(expm1(u * 0.25f));
  r[6] = f(log1p(v)), r[7] = f(erf(u * 0.2f));
}

kernel void double_functions(global const ulong *in, global ulong *out) {
  OPERANDS;
  const double u = (double)(long)a * 0x1p-59, v = fabs((double)(long)b * 0x1p-59) + 0.001;
  r[0] = g(sin(u)), r[1] = g(cos(u)), r[2] = g(exp(u)), r[3] = g(log(v)), r[4] = g(pow(v, u * 0.25)), r[5] = g(atan2(u, v));
  r[6] = g(cbrt(u)), r[7] = g(tanh(u));
}

kernel void mandelbrot_double(global const ulong *in, global ulong *out) {
  OPERANDS;
  const double u = (double)(int)a * 0x1p-30, v = (double)(int)b * 0x1p-31;
  double re = 0, im = 0;
  uint n = 0;
  for (; n < 200u && re * re + im * im < 4.0; ++n) {
    const double next = re * re - im * im + u;
    im = 2.0 * re * im + v, re = next;
  }
  r[0] = n, r[1] = g(re), r[2] = g(im);
  for (int k = 3; k < 8; ++k) r[k] = n * (ulong)k;
}

kernel void horner(global const ulong *in, global ulong *out) {
  OPERANDS;
  const float u = small((uint)a) * 0.05f;
  const float k[8] = {1.0f, -0.5f, 0.25f, 1.0f / 3.0f, 0.1f, -0.7f, small((uint)b), small((uint)c)};
  float sum = 0.0f;
  for (int n = 7; n >= 0; --n) sum = fma(sum, u, k[n]), r[n] = f(sum);
}

kernel void bodies(global const ulong *in, global ulong *out) {
  OPERANDS;
  float px[4], vx[4];
  const ulong words[4] = {a, b, c, d};
  for (int k = 0; k < 4; ++k) px[k] = small((uint)words[k]), vx[k] = 0.0f;
  for (int step = 0; step < 4; ++step) {
    for (int k = 0; k < 4; ++k) {
      float force = 0.0f;
      for (int j = 0; j < 4; ++j) {
        const float away = px[j] - px[k];
        force += away * 0.125f * (j == k ? 0.0f : 1.0f);
      }
      vx[k] += force * 0.01f;
    }
    for (int k = 0; k < 4; ++k) px[k] += vx[k];
  }
  for (int k = 0; k < 4; ++k) r[k] = f(px[k]), r[k + 4] = f(vx[k]);
}
