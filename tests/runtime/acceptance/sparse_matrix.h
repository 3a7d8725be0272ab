// A sparse matrix, vectors, and their product as the CPU makes it; what the clients of sparse libraries share.
#pragma once
#include <hip/hip_runtime_api.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "check.h"

template <class T>
T* on_device(const std::vector<T>& values) {
  T* memory = nullptr;
  CHECK(hipMalloc(reinterpret_cast<void**>(&memory), values.size() * sizeof(T)));
  CHECK(hipMemcpy(memory, values.data(), values.size() * sizeof(T), hipMemcpyHostToDevice));
  return memory;
}

/// y = alpha * A * x + beta * y with A in compressed rows.
struct SparseProblem {
  static constexpr int rows = 5000, columns = 4000;
  std::vector<int> starts{0}, places;
  std::vector<float> values, x, y, wanted;
  float alpha = 2.0f, beta = 3.0f;
  int entries = 0;

  SparseProblem() : x(columns), y(rows, 1.0f), wanted(rows) {
    for (int i = 0; i < columns; ++i) x[i] = static_cast<float>(i % 17);
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
    entries = static_cast<int>(places.size());
  }

  bool is_solved(const float* device_y) const {
    std::vector<float> result(rows);
    CHECK(hipMemcpy(result.data(), device_y, rows * sizeof(float), hipMemcpyDeviceToHost));
    for (int row = 0; row < rows; ++row) {
      if (std::abs(result[row] - wanted[row]) <= 1e-3f) continue;
      std::printf("row %d: %f, not %f\n", row, result[row], wanted[row]);
      return false;
    }
    return true;
  }
};
