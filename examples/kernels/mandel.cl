// Steps until z = z * z + c leaves the circle of radius 2, for a w x h picture of [-2, 1] x [-1.5, 1.5] at 512 points a side.
kernel __attribute__((reqd_work_group_size(64, 4, 1)))
void mandel(global uint *restrict steps, uint w, uint h, uint limit) {
  const uint x = (uint)get_group_id(0) * 64u + (uint)get_local_id(0);
  const uint y = (uint)get_group_id(1) * 4u + (uint)get_local_id(1);
  const float c_re = fma((float)x, 3.0f / 512.0f, -2.0f);
  const float c_im = fma((float)y, 3.0f / 512.0f, -1.5f);
  float re = 0.0f, im = 0.0f;
  uint count = 0;
  for (; count < limit; ++count) {
    const float re2 = re * re, im2 = im * im;
    if (re2 + im2 > 4.0f) break;
    im = fma(2.0f * re, im, c_im);
    re = re2 - im2 + c_re;
  }
  if (x < w && y < h) steps[y * w + x] = count;
}
