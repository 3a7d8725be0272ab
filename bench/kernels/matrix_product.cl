// C = A * B of n by n numbers, half floats in and floats out, by matrix instructions. A lies row after row, B column after column. A wave
// makes 32 by 32 results of C.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define LANE ((uint)get_local_id(0))
#if defined(__gfx950__)
#define LANES 64
#define HALVES 8
#define STEP 32
#define SUM 4
#define ROW(j) (4 * (LANE / 16) + (j))
#define FIRST (8 * (LANE / 16))
#define PRODUCT(a, b, c) __builtin_amdgcn_mfma_f32_16x16x32_f16(a, b, c, 0, 0, 0)
#elif defined(__gfx1250__)
#define LANES 32
#define HALVES 16
#define STEP 32
#define SUM 8
#define ROW(j) (8 * (LANE / 16) + (j))
#define FIRST (8 * (LANE / 16))
#define PRODUCT(a, b, c) __builtin_amdgcn_wmma_f32_16x16x32_f16(0, a, 0, b, (short)0, c, false, false)
#else
#define LANES 32
#define HALVES 16
#define STEP 16
#define SUM 8
#define ROW(j) (2 * (j) + LANE / 16)
#define FIRST 0
#define PRODUCT(a, b, c) __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a, b, c)
#endif
typedef half halves_t __attribute__((ext_vector_type(HALVES)));
typedef half eight_t __attribute__((ext_vector_type(8)));
typedef float sum_t __attribute__((ext_vector_type(SUM)));

// Eight numbers lie side by side; where a lane has sixteen, the others come next, or 16 numbers on.
halves_t part(global const half *line) {
#if HALVES == 8
  return *(global const eight_t *)(line + FIRST);
#else
  const eight_t low = *(global const eight_t *)(line + FIRST);
  const eight_t high = *(global const eight_t *)(line + FIRST + (STEP == 32 ? 16 : 8));
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#endif
}

__attribute__((reqd_work_group_size(LANES, 1, 1)))
kernel void matrix_product(global const half *restrict a, global const half *restrict b, global float *restrict c, uint n) {
  const uint row = (uint)get_group_id(0) * 32, column = (uint)get_group_id(1) * 32;
  global const half *rows = a + (row + LANE % 16) * n;
  global const half *columns = b + (column + LANE % 16) * n;
  sum_t sum[2][2] = {{0, 0}, {0, 0}};
  for (uint k = 0; k < n; k += STEP) {
    const halves_t a0 = part(rows + k), a1 = part(rows + 16 * n + k);
    const halves_t b0 = part(columns + k), b1 = part(columns + 16 * n + k);
    sum[0][0] = PRODUCT(a0, b0, sum[0][0]);
    sum[0][1] = PRODUCT(a0, b1, sum[0][1]);
    sum[1][0] = PRODUCT(a1, b0, sum[1][0]);
    sum[1][1] = PRODUCT(a1, b1, sum[1][1]);
  }
  for (uint i = 0; i < 2; ++i)
    for (uint j = 0; j < 2; ++j)
      for (uint e = 0; e < SUM; ++e) c[(row + 16 * i + ROW(e)) * n + column + 16 * j + LANE % 16] = sum[i][j][e];
}
