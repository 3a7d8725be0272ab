// y[i] = a * x[i] + y[i], one element a work-item, rounded once.
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void saxpy(global const float *restrict x, global float *restrict y, float a, uint n) {
  const uint i = (uint)get_group_id(0) * 256u + (uint)get_local_id(0);
  if (i < n) y[i] = fma(a, x[i], y[i]);
}
