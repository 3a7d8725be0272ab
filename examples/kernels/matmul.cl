// C = A * B for n x n matrices in row-major order, n a multiple of 16. A workgroup makes one 16 x 16 tile of C.
kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void matmul(global const float *restrict a, global const float *restrict b, global float *restrict c, uint n) {
  local float tile_a[16][16];
  local float tile_b[16][16];
  const uint x = (uint)get_local_id(0), y = (uint)get_local_id(1);
  const uint column = (uint)get_group_id(0) * 16u + x, row = (uint)get_group_id(1) * 16u + y;
  float sum = 0.0f;
  for (uint start = 0; start < n; start += 16u) {
    tile_a[y][x] = a[row * n + start + x];
    tile_b[y][x] = b[(start + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 16u; ++k) sum = fma(tile_a[y][k], tile_b[k][x], sum);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
