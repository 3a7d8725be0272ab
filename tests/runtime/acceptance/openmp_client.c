// Target regions of OpenMP: reductions, loops over both levels, data that stays on the device; checked on the CPU.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { count = 100000 };

static int fail(const char *what) {
  printf("wrong: %s\n", what);
  return 1;
}

int main(void) {
  double *x = malloc(count * sizeof *x), *y = malloc(count * sizeof *y), dot = 0, most = 0, wanted = 0;
  long sum = 0;
  int on_device = 0;
  for (int i = 0; i < count; ++i) {
    x[i] = i % 100;
    y[i] = (i * 7) % 31;
    wanted += x[i] * y[i];
  }
#pragma omp target map(from : on_device)
  on_device = !omp_is_initial_device();
  if (!on_device) return fail("the region ran on the host");

#pragma omp target teams distribute parallel for reduction(+ : dot) map(to : x[:count], y[:count])
  for (int i = 0; i < count; ++i) dot += x[i] * y[i];
  if (dot != wanted) return fail("sum of products");

#pragma omp target teams distribute parallel for reduction(+ : sum) reduction(max : most) map(to : x[:count])
  for (int i = 0; i < count; ++i) {
    sum += i;
    most = most > x[i] ? most : x[i];
  }
  if (sum != (long)count * (count - 1) / 2 || most != 99) return fail("two reductions at once");

#pragma omp target data map(tofrom : y[:count]) map(to : x[:count])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < count; ++i) y[i] += 2 * x[i];
#pragma omp target teams distribute parallel for collapse(2)
    for (int i = 0; i < count / 100; ++i)
      for (int j = 0; j < 100; ++j) y[i * 100 + j] -= x[i * 100 + j];
  }
  for (int i = 0; i < count; ++i) {
    if (y[i] != (i * 7) % 31 + i % 100) return fail("loops over mapped data");
  }
  puts("passed");
  return 0;
}
