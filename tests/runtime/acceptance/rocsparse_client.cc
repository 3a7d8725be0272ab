// A sparse matrix times a vector by rocSPARSE, against the CPU.
#include <hip/hip_runtime_api.h>
#include <rocsparse/rocsparse.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "check.h"

namespace {

template <class T>
T* on_device(const std::vector<T>& values) {
  T* memory = nullptr;
  CHECK(hipMalloc(reinterpret_cast<void**>(&memory), values.size() * sizeof(T)));
  CHECK(hipMemcpy(memory, values.data(), values.size() * sizeof(T), hipMemcpyHostToDevice));
  return memory;
}

}  // namespace

int main() {
  constexpr int rows = 5000, columns = 4000;
  std::vector<int> starts{0}, places;
  std::vector<float> values, x(columns), y(rows, 1.0f), wanted(rows), result(rows);
  for (int i = 0; i < columns; ++i) x[i] = static_cast<float>(i % 17);
  const float alpha = 2.0f, beta = 3.0f;
  for (int row = 0; row < rows; ++row) {
    double sum = 0;
    for (int i = 0; i < row % 40; ++i) {
      const int column = (row * 7 + i * 97) % columns;
      places.push_back(column);
      values.push_back(static_cast<float>((row + i) % 5) - 2);
      sum += values.back() * x[column];
    }
    starts.push_back(static_cast<int>(places.size()));
    wanted[row] = static_cast<float>(alpha * sum + beta * y[row]);
  }
  const auto entries = static_cast<int>(places.size());
  rocsparse_handle handle;
  rocsparse_mat_descr matrix;
  CHECK(rocsparse_create_handle(&handle));
  CHECK(rocsparse_create_mat_descr(&matrix));
  const int *device_starts = on_device(starts), *device_places = on_device(places);
  const float *device_values = on_device(values), *device_x = on_device(x);
  float* device_y = on_device(y);
  CHECK(rocsparse_scsrmv(handle, rocsparse_operation_none, rows, columns, entries, &alpha, matrix, device_values,
                         device_starts, device_places, nullptr, device_x, &beta, device_y));
  CHECK(hipMemcpy(result.data(), device_y, rows * sizeof(float), hipMemcpyDeviceToHost));
  for (int row = 0; row < rows; ++row) {
    if (std::abs(result[row] - wanted[row]) <= 1e-3f) continue;
    std::printf("row %d: %f, not %f\n", row, result[row], wanted[row]);
    return 1;
  }
  CHECK(rocsparse_destroy_mat_descr(matrix));
  CHECK(rocsparse_destroy_handle(handle));
  std::puts("passed");
}
