// A sparse matrix times a vector by hipSPARSE's generic interface, against the CPU.
#include <hipsparse/hipsparse.h>

#include "sparse_matrix.h"

int main() {
  const SparseProblem problem;
  hipsparseHandle_t handle;
  hipsparseSpMatDescr_t matrix;
  hipsparseDnVecDescr_t x, y;
  float* result = on_device(problem.y);
  CHECK(hipsparseCreate(&handle));
  CHECK(hipsparseCreateCsr(&matrix, problem.rows, problem.columns, problem.entries, on_device(problem.starts),
                           on_device(problem.places), on_device(problem.values), HIPSPARSE_INDEX_32I,
                           HIPSPARSE_INDEX_32I, HIPSPARSE_INDEX_BASE_ZERO, HIP_R_32F));
  CHECK(hipsparseCreateDnVec(&x, problem.columns, on_device(problem.x), HIP_R_32F));
  CHECK(hipsparseCreateDnVec(&y, problem.rows, result, HIP_R_32F));
  const auto operation = HIPSPARSE_OPERATION_NON_TRANSPOSE;
  const auto algorithm = HIPSPARSE_SPMV_CSR_ALG1;
  std::size_t bytes = 0;
  CHECK(hipsparseSpMV_bufferSize(handle, operation, &problem.alpha, matrix, x, &problem.beta, y, HIP_R_32F, algorithm,
                                 &bytes));
  void* buffer = nullptr;
  CHECK(hipMalloc(&buffer, bytes));
  CHECK(hipsparseSpMV(handle, operation, &problem.alpha, matrix, x, &problem.beta, y, HIP_R_32F, algorithm, buffer));
  if (!problem.is_solved(result)) return 1;
  CHECK(hipsparseDestroySpMat(matrix));
  CHECK(hipsparseDestroyDnVec(x));
  CHECK(hipsparseDestroyDnVec(y));
  CHECK(hipsparseDestroy(handle));
  std::puts("passed");
}
