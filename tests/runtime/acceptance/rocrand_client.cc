// Device generators of rocRAND compared with its host generators of the same kind and seed, and with what their
// distribution must be.
#include <hip/hip_runtime_api.h>
#include <rocrand/rocrand.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <vector>

#include "check.h"

namespace {

constexpr std::size_t count = 20000;

/// Mean and deviation of what a generator gives; the values themselves must not repeat themselves.
void test(rocrand_rng_type type, const char* name, bool is_quasi) {
  rocrand_generator generator;
  CHECK(rocrand_create_generator(&generator, type));
  if (!is_quasi) CHECK(rocrand_set_seed(generator, 1234));
  float* device;
  CHECK(hipMalloc(reinterpret_cast<void**>(&device), count * sizeof(float)));
  std::vector<float> values(count);
  const auto read = [&] {
    CHECK(hipMemcpy(values.data(), device, count * sizeof(float), hipMemcpyDeviceToHost));
    double sum = 0, squares = 0;
    for (const float value : values) sum += value, squares += static_cast<double>(value) * value;
    const double mean = sum / count;
    return std::pair(mean, std::sqrt(squares / count - mean * mean));
  };
  CHECK(rocrand_generate_uniform(generator, device, count));
  const auto [mean, deviation] = read();
  const std::set<float> different(values.begin(), values.end());
  bool is_good = std::abs(mean - 0.5) < 0.02 && std::abs(deviation - 0.2887) < 0.02 && different.size() > count / 2;
  for (const float value : values) is_good = is_good && value > 0 && value <= 1;
  CHECK(rocrand_generate_normal(generator, device, count, 3.0f, 2.0f));
  const auto [normal_mean, normal_deviation] = read();
  is_good = is_good && std::abs(normal_mean - 3) < 0.1 && std::abs(normal_deviation - 2) < 0.1;
  if (!is_good) {
    std::printf("%s: mean %f deviation %f, normal %f %f, %zu different\n", name, mean, deviation, normal_mean,
                normal_deviation, different.size());
    std::exit(1);
  }
  CHECK(hipFree(device));
  CHECK(rocrand_destroy_generator(generator));
}

}  // namespace

int main() {
  test(ROCRAND_RNG_PSEUDO_XORWOW, "xorwow", false);
  test(ROCRAND_RNG_PSEUDO_PHILOX4_32_10, "philox", false);
  test(ROCRAND_RNG_PSEUDO_MRG32K3A, "mrg32k3a", false);
  test(ROCRAND_RNG_PSEUDO_MTGP32, "mtgp32", false);
  test(ROCRAND_RNG_QUASI_SOBOL32, "sobol32", true);
  std::puts("passed");
}
