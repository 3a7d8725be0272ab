// A sparse matrix times a vector by rocSPARSE, against the CPU.
#include <rocsparse/rocsparse.h>

#include "sparse_matrix.h"

int main() {
  const SparseProblem problem;
  rocsparse_handle handle;
  rocsparse_mat_descr matrix;
  CHECK(rocsparse_create_handle(&handle));
  CHECK(rocsparse_create_mat_descr(&matrix));
  const int *starts = on_device(problem.starts), *places = on_device(problem.places);
  const float *values = on_device(problem.values), *x = on_device(problem.x);
  float* y = on_device(problem.y);
  CHECK(rocsparse_scsrmv(handle, rocsparse_operation_none, problem.rows, problem.columns, problem.entries,
                         &problem.alpha, matrix, values, starts, places, nullptr, x, &problem.beta, y));
  if (!problem.is_solved(y)) return 1;
  CHECK(rocsparse_destroy_mat_descr(matrix));
  CHECK(rocsparse_destroy_handle(handle));
  std::puts("passed");
}
