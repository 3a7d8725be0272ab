// Device generators of rocRAND compared with the same generators on the host: integers and uniform numbers bit by bit,
// normal ones as closely as the device's logarithm, sine and cosine allow.
#include <hip/hip_runtime.h>
// The header's generators for the host too.
#define FQUALIFIERS __forceinline__ __device__ __host__
#include <rocrand/rocrand.h>
#include <rocrand/rocrand_kernel.h>
#include <rocrand/rocrand_mtgp32_11213.h>
#include <rocrand/rocrand_sobol32_precomputed.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "check.h"

namespace {

namespace detail = rocrand_device::detail;
constexpr std::size_t count = 300000;
constexpr unsigned long long seed = 1234;
constexpr std::size_t engines = 131072;  // of the library: each takes every so many places

/// Raw numbers in the order in which the library gives them, `width` of an engine side by side.
template <class State, class Next>
std::vector<unsigned> from_engines(std::size_t width, Next next) {
  std::vector<unsigned> out(count);
  for (std::size_t engine = 0; engine < engines; ++engine) {
    State state;
    rocrand_init(seed, engine, 0, &state);
    for (std::size_t at = engine * width; at < count; at += engines * width) {
      for (std::size_t i = 0; i < width && at + i < count; ++i) out[at + i] = next(state);
    }
  }
  return out;
}

template <class State, class Next>
std::vector<unsigned> from_one(State state, Next next) {
  std::vector<unsigned> out(count);
  for (unsigned& value : out) value = next(state);
  return out;
}

/// The Mersenne twister for graphics processors, one number after the other; the header has it for a whole workgroup
/// only.
class Twister {
 public:
  Twister(const mtgp32_fast_params& params, unsigned mask, unsigned start) : params_(params), mask_(mask) {
    rocrand_device::rocrand_mtgp32_init_state(state_, &params, start);
  }
  unsigned next() {
    const auto at = [this](unsigned i) -> unsigned& { return state_[(place_ + i) % MTGP_STATE]; };
    unsigned mixed = (at(0) & mask_) ^ at(1);
    mixed ^= mixed << params_.sh1;
    mixed ^= at(params_.pos) >> params_.sh2;
    const unsigned fresh = at(MTGP_N) = mixed ^ params_.tbl[mixed % 16];
    unsigned other = at(params_.pos - 1);
    other ^= other >> 16;
    other ^= other >> 8;
    ++place_;
    return fresh ^ params_.tmp_tbl[other % 16];
  }

 private:
  const mtgp32_fast_params& params_;
  unsigned mask_, place_ = 0, state_[MTGP_STATE] = {};
};

/// A workgroup of the library draws for all its lanes at once, `width` times before it stores what each lane got side
/// by side.
std::vector<unsigned> from_twisters(std::size_t width) {
  constexpr std::size_t groups = 512, lanes = 256;
  std::vector<unsigned> out(count);
  for (std::size_t group = 0; group < groups; ++group) {
    Twister twister(mtgp32dc_params_fast_11213[group], mtgp32dc_params_fast_11213[0].mask, seed + group + 1);
    for (std::size_t first = group * lanes * width; first < count; first += groups * lanes * width) {
      for (std::size_t i = 0; i < width * lanes; ++i) {
        const unsigned value = twister.next();
        const std::size_t at = first + i % lanes * width + i / lanes;
        if (at < count) out[at] = value;
      }
    }
  }
  return out;
}

class Generator {
 public:
  Generator(rocrand_rng_type type) {
    CHECK(rocrand_create_generator(&handle, type));
    if (type < ROCRAND_RNG_QUASI_DEFAULT) CHECK(rocrand_set_seed(handle, seed));
  }
  ~Generator() { CHECK(rocrand_destroy_generator(handle)); }
  rocrand_generator handle;
};

template <class T>
struct Values {
  Values() { CHECK(hipMalloc(reinterpret_cast<void**>(&device), count * sizeof(T))); }
  ~Values() { CHECK(hipFree(device)); }
  std::vector<T> read() const {
    std::vector<T> out(count);
    CHECK(hipMemcpy(out.data(), device, count * sizeof(T), hipMemcpyDeviceToHost));
    return out;
  }
  T* device;
};

template <class T, class Want>
void compare(const char* name, const char* what, const std::vector<T>& got, Want want, double tolerance) {
  for (std::size_t i = 0; i < count; ++i) {
    const double wanted = want(i);
    if (std::abs(got[i] - wanted) <= tolerance * std::fmax(1, std::abs(wanted))) continue;
    std::printf("%s: %s[%zu] is %.9g, on the host %.9g\n", name, what, i, static_cast<double>(got[i]), wanted);
    std::exit(1);
  }
}

/// `raw`: what the generator gives one by one; `raw_normal`: what the normal numbers are made of.
template <class Uniform, class Normal>
void test(const char* name, rocrand_rng_type type, const std::vector<unsigned>& raw,
          const std::vector<unsigned>& raw_normal, Uniform uniform, Normal normal, double tolerance,
          bool compares_integers = true) {
  const Values<float> floats;
  if (compares_integers) {
    const Values<unsigned> integers;
    CHECK(rocrand_generate(Generator(type).handle, integers.device, count));
    compare(
        name, "integer", integers.read(), [&](std::size_t i) { return raw[i]; }, 0);
  }
  CHECK(rocrand_generate_uniform(Generator(type).handle, floats.device, count));
  compare(
      name, "uniform", floats.read(), [&](std::size_t i) { return uniform(raw[i]); }, 0);
  CHECK(rocrand_generate_normal(Generator(type).handle, floats.device, count, 3.0f, 2.0f));
  compare(
      name, "normal", floats.read(), [&](std::size_t i) { return 3 + 2 * normal(raw_normal, i); }, tolerance);
}

}  // namespace

int main() {
  const auto next = [](auto& state) { return rocrand(&state); };
  const auto next_raw = [](auto& state) { return state.next(); };
  const auto uniform = [](unsigned value) { return detail::uniform_distribution(value); };
  // Two normal numbers come of two.
  const auto pairs = [](auto make) {
    return [make](const std::vector<unsigned>& raw, std::size_t i) {
      const float2 both = make(raw[i & ~std::size_t{1}], raw[i | 1]);
      return i % 2 == 0 ? both.x : both.y;
    };
  };
  const auto box_muller = pairs([](unsigned a, unsigned b) { return detail::normal_distribution2(a, b); });
  const auto inverse = [](const std::vector<unsigned>& raw, std::size_t i) {
    return detail::normal_distribution(raw[i]);
  };
  constexpr double tolerance = 1e-5;

  using Xorwow = rocrand_state_xorwow;
  test("xorwow", ROCRAND_RNG_PSEUDO_XORWOW, from_engines<Xorwow>(1, next), from_engines<Xorwow>(2, next), uniform,
       box_muller, tolerance);

  rocrand_state_philox4x32_10 philox;
  rocrand_init(seed, 0, 0, &philox);
  const auto one = from_one(philox, next);
  test("philox", ROCRAND_RNG_PSEUDO_PHILOX4_32_10, one, one, uniform, box_muller, tolerance);

  using Mrg = rocrand_state_mrg32k3a;
  test(
      "mrg32k3a", ROCRAND_RNG_PSEUDO_MRG32K3A, from_engines<Mrg>(1, next_raw), from_engines<Mrg>(2, next_raw),
      [](unsigned value) { return detail::mrg_uniform_distribution(value); },
      pairs([](unsigned a, unsigned b) { return detail::mrg_normal_distribution2(a, b); }), tolerance, false);

  test("mtgp32", ROCRAND_RNG_PSEUDO_MTGP32, from_twisters(1), from_twisters(2), uniform, box_muller, tolerance);

  rocrand_state_sobol32 sobol;
  rocrand_init(h_sobol32_direction_vectors, 0, &sobol);
  const auto quasi = from_one(sobol, next);
  // Near the mean the library's formula is the root of a difference that cancels: 0 may as well be 0.0007.
  test("sobol32", ROCRAND_RNG_QUASI_SOBOL32, quasi, quasi, uniform, inverse, 2e-3);
  std::puts("passed");
}
