// Matrix operations by the compiler's builtins: D = A * B of 16 by 64 and 64 by 16 numbers in one wave. Operand i * 64 + k is element (i, k)
// of A, and 1024 + k * 16 + j element (k, j) of B; result i * 16 + j is element (i, j) of D.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#if defined(__gfx908__) || defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)
#define MFMA 1
#elif defined(__gfx1100__) || defined(__gfx1150__)
#define WMMA11 1
#elif defined(__gfx1201__)
#define WMMA12 1
#elif defined(__gfx1250__)
#define WMMA1250 1
#endif

#if MFMA || WMMA11 || WMMA12 || WMMA1250
#define LANE get_local_id(0)
#if MFMA
#define SUM 4
#define ROW(j) (4 * (LANE / 16) + (j))
#elif WMMA11
#define SUM 8
#define ROW(j) (2 * (j) + LANE / 16)
#else
#define SUM 8
#define ROW(j) (8 * (LANE / 16) + (j))
#endif
// Column of element j of a lane that has COUNT of STEP columns: neighbours lie in a lane, the next ones in the next sixteen lanes.
#if WMMA11
#define COLUMN(j, count) (j)
#elif MFMA
#define COLUMN(j, count) ((count) * (LANE / 16) + (j))
#else
#define COLUMN(j, count) (8 * (LANE / 16) + (j) % 8 + 16 * ((j) / 8))
#endif

int small(ulong x) { return (int)(x % 17) - 8; }
float real(ulong x) { return (float)((int)(x & 0xfff) - 2048) / 1024.0f; }
ulong of_a(global const ulong *in, int k) { return in[LANE % 16 * 64 + k]; }
ulong of_b(global const ulong *in, int k) { return in[1024 + k * 16 + LANE % 16]; }

typedef float sum_t __attribute__((ext_vector_type(SUM)));
typedef int whole_sum_t __attribute__((ext_vector_type(SUM)));

void put(global ulong *out, sum_t d) {
  for (int j = 0; j < SUM; ++j) out[ROW(j) * 16 + LANE % 16] = as_uint(d[j]);
}
void put_whole(global ulong *out, whole_sum_t d) {
  for (int j = 0; j < SUM; ++j) out[ROW(j) * 16 + LANE % 16] = (ulong)(long)d[j];
}

// ---- half floats

#if MFMA
#define HALVES 4
#define HALF_STEP 16
#define HALF_PRODUCT(a, b, c) __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0)
#elif WMMA11
#define HALVES 16
#define HALF_STEP 16
#define HALF_PRODUCT(a, b, c) __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a, b, c)
#elif WMMA12
#define HALVES 8
#define HALF_STEP 16
#define HALF_PRODUCT(a, b, c) __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(a, b, c)
#else
#define HALVES 16
#define HALF_STEP 32
#define HALF_PRODUCT(a, b, c) __builtin_amdgcn_wmma_f32_16x16x32_f16(0, a, 0, b, (short)0, c, false, false)
#endif
typedef half halves_t __attribute__((ext_vector_type(HALVES)));

#define HALF_KERNEL(name, number)                                                  \
  kernel void name(global const ulong *in, global ulong *out) {                    \
    sum_t d = 0;                                                                   \
    for (int k = 0; k < 64; k += HALF_STEP) {                                      \
      halves_t a, b;                                                               \
      for (int j = 0; j < HALVES; ++j) {                                           \
        a[j] = (half)number(of_a(in, k + COLUMN(j, HALVES)));                      \
        b[j] = (half)number(of_b(in, k + COLUMN(j, HALVES)));                      \
      }                                                                            \
      d = HALF_PRODUCT(a, b, d);                                                   \
    }                                                                              \
    put(out, d);                                                                   \
  }
HALF_KERNEL(matrix_half, small)
HALF_KERNEL(matrix_half_real, real)

// ---- bfloat16

#ifndef __gfx908__
#if MFMA
typedef short brains_t __attribute__((ext_vector_type(HALVES)));
#define BRAIN_PRODUCT(a, b, c) __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(a, b, c, 0, 0, 0)
#define BRAIN(x) ((short)(as_uint((float)(x)) >> 16))
#elif WMMA11
typedef short brains_t __attribute__((ext_vector_type(HALVES)));
#define BRAIN_PRODUCT(a, b, c) __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(a, b, c)
#define BRAIN(x) ((short)(as_uint((float)(x)) >> 16))
#elif WMMA12
typedef short brains_t __attribute__((ext_vector_type(HALVES)));
#define BRAIN_PRODUCT(a, b, c) __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12(a, b, c)
#define BRAIN(x) ((short)(as_uint((float)(x)) >> 16))
#else
typedef __bf16 brains_t __attribute__((ext_vector_type(HALVES)));
#define BRAIN_PRODUCT(a, b, c) __builtin_amdgcn_wmma_f32_16x16x32_bf16(0, a, 0, b, (short)0, c, false, false)
#define BRAIN(x) ((__bf16)(float)(x))
#endif
kernel void matrix_brain(global const ulong *in, global ulong *out) {
  sum_t d = 0;
  for (int k = 0; k < 64; k += HALF_STEP) {
    brains_t a, b;
    for (int j = 0; j < HALVES; ++j) {
      a[j] = BRAIN(small(of_a(in, k + COLUMN(j, HALVES))));
      b[j] = BRAIN(small(of_b(in, k + COLUMN(j, HALVES))));
    }
    d = BRAIN_PRODUCT(a, b, d);
  }
  put(out, d);
}
#endif

// ---- bytes: whole numbers, and eight-bit floats

#if defined(__gfx908__) || defined(__gfx90a__)
#define BYTES 4
#define BYTE_STEP 16
typedef int bytes_t;
#define BYTE_PRODUCT(a, b, c) __builtin_amdgcn_mfma_i32_16x16x16i8(a, b, c, 0, 0, 0)
#elif MFMA
#define BYTES 8
#define BYTE_STEP 32
typedef long bytes_t;
#define BYTE_PRODUCT(a, b, c) __builtin_amdgcn_mfma_i32_16x16x32_i8(a, b, c, 0, 0, 0)
#define EIGHTH_PRODUCT(a, b, c) __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(a, b, c, 0, 0, 0)
#elif WMMA11
#define BYTES 16
#define BYTE_STEP 16
typedef int4 bytes_t;
#define BYTE_PRODUCT(a, b, c) __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(true, a, true, b, c, false)
#elif WMMA12
#define BYTES 8
#define BYTE_STEP 16
typedef int2 bytes_t;
#define BYTE_PRODUCT(a, b, c) __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12(true, a, true, b, c, false)
#define EIGHTH_PRODUCT(a, b, c) __builtin_amdgcn_wmma_f32_16x16x16_fp8_fp8_w32_gfx12(a, b, c)
#else
#define BYTES 32
#define BYTE_STEP 64
typedef int8 bytes_t;
#define BYTE_PRODUCT(a, b, c) __builtin_amdgcn_wmma_i32_16x16x64_iu8(true, a, true, b, c, false, false)
#define EIGHTH_PRODUCT(a, b, c) __builtin_amdgcn_wmma_f32_16x16x64_fp8_fp8(a, b, (short)0, c, false, false)
#endif

typedef union {
  uchar byte[BYTES];
  bytes_t all;
} packed_t;

kernel void matrix_bytes(global const ulong *in, global ulong *out) {
  whole_sum_t d = 0;
  for (int k = 0; k < 64; k += BYTE_STEP) {
    packed_t a, b;
    for (int j = 0; j < BYTES; ++j) {
      a.byte[j] = (uchar)of_a(in, k + COLUMN(j, BYTES));
      b.byte[j] = (uchar)of_b(in, k + COLUMN(j, BYTES));
    }
    d = BYTE_PRODUCT(a.all, b.all, d);
  }
  put_whole(out, d);
}

#ifdef EIGHTH_PRODUCT
kernel void matrix_eighths(global const ulong *in, global ulong *out) {
  sum_t d = 0;
  for (int k = 0; k < 64; k += BYTE_STEP) {
    packed_t a, b;
    for (int j = 0; j < BYTES; ++j) {
      const float x = small(of_a(in, k + COLUMN(j, BYTES))), y = small(of_b(in, k + COLUMN(j, BYTES)));
      const int both = __builtin_amdgcn_cvt_pk_fp8_f32(x, y, 0, false);
      a.byte[j] = (uchar)both;
      b.byte[j] = (uchar)(both >> 8);
    }
    d = EIGHTH_PRODUCT(a.all, b.all, d);
  }
  put(out, d);
}
#endif

// ---- doubles

#if MFMA && !defined(__gfx908__)
kernel void matrix_double(global const ulong *in, global ulong *out) {
  double4 d = 0;
  for (int k = 0; k < 64; k += 4) {
    const int column = k + LANE / 16;
    d = __builtin_amdgcn_mfma_f64_16x16x4f64((double)small(of_a(in, column)), (double)small(of_b(in, column)), d, 0, 0, 0);
  }
  for (int j = 0; j < 4; ++j) out[(4 * j + LANE / 16) * 16 + LANE % 16] = as_ulong(d[j]);
}
#endif
#endif
