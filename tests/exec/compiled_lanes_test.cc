// Kernels of work-items that go their own ways (integer.cl, control.cl, float.cl): the device's result against that of
// the same text compiled for the host.
#include "compiled.h"
#include "opencl_host.h"

namespace gfxisa {
namespace opencl {

#include "../kernels/integer.cl"
#undef OPERANDS
#include "../kernels/control.cl"
#undef OPERANDS
#include "../kernels/float.cl"
#undef OPERANDS

}  // namespace opencl

#undef kernel
#undef global
#undef constant

namespace {

constexpr u32 items = 512;

/// How a result word is compared: bit for bit, or as a float with an error in units of the last place.
struct Exactness {
  enum class Type : u8 { bits, f32, f64 } type = Type::bits;
  u64 ulps = 0;
};
constexpr Exactness exact{};
constexpr Exactness f32_within(u64 ulps) { return {Exactness::Type::f32, ulps}; }
constexpr Exactness f64_within(u64 ulps) { return {Exactness::Type::f64, ulps}; }

struct Case {
  const char* file;
  const char* name;
  void (*host)(const u64*, u64*);
  Exactness exactness = exact;
};
#define CASE(file, name, ...)                                                                       \
  {                                                                                                 \
#file, #name, [](const u64* in, u64* out) { opencl::name(in, out); } __VA_OPT__(, ) __VA_ARGS__ \
  }

constexpr Case cases[] = {
    CASE(integer, add_subtract),
    CASE(integer, divide32),
    CASE(integer, divide64),
    CASE(integer, multiply),
    CASE(integer, shifts),
    CASE(integer, bits),
    CASE(integer, saturate),
    CASE(integer, narrow),
    CASE(integer, checksums),
    CASE(integer, siphash),
    CASE(control, switches),
    CASE(control, collatz),
    CASE(control, divisors),
    CASE(control, insertion_sort),
    CASE(control, private_table),
    CASE(control, structures),
    CASE(control, calls),
    CASE(control, early_return),
    CASE(control, tokens),
    CASE(control, binary_search),
    CASE(float, float_arithmetic),
    CASE(float, float_select),
    CASE(float, float_rounding),
    CASE(float, float_scaling),
    CASE(float, float_to_integer),
    CASE(float, integer_to_float),
    CASE(float, double_arithmetic),
    CASE(float, double_convert),
    CASE(float, half_arithmetic),
    CASE(float, mandelbrot_double),
    CASE(float, horner),
    CASE(float, bodies),
    // The errors that OpenCL C allows, of the worst function of each.
    CASE(float, divide_float, f32_within(4)),
    CASE(float, sines, f32_within(6)),
    CASE(float, exponentials, f32_within(16)),
    CASE(float, hyperbolic, f32_within(16)),
    CASE(float, double_functions, f64_within(16)),
};

/// Distance on the line of all floats, both zeros being the same; 0 for two NaNs.
u64 distance(u64 a, u64 b, Exactness::Type type) {
  if (a == b) return 0;
  if (type == Exactness::Type::bits) return ~u64{0};
  const u64 sign = type == Exactness::Type::f32 ? 1u << 31 : u64{1} << 63;
  const auto place = [&](u64 bits) {
    const i64 magnitude = static_cast<i64>(bits & (sign - 1));
    return (bits & sign) != 0 ? -magnitude : magnitude;
  };
  const i64 between = place(a) - place(b);
  return static_cast<u64>(between < 0 ? -between : between);
}

class CompiledLanes : public testing::TestWithParam<compiled::Build> {
 protected:
  void check(const std::string& file) {
    const std::vector<u64> in = compiled::operands(items * 4);
    LaunchSize size;
    size.grid = {items, 1, 1};
    size.block = {128, 1, 1};
    for (const Case& each : cases) {
      if (each.file != file) continue;
      std::vector<u64> expected(items * 8), out(items * 8);
      for (opencl::work_item = 0; opencl::work_item < items; ++opencl::work_item) each.host(in.data(), expected.data());
      compiled::run(GetParam(), each.file, each.name, size, in, out);
      int shown = 0;
      for (std::size_t i = 0; i < out.size() && shown < 4; ++i) {
        if (distance(out[i], expected[i], each.exactness.type) <= each.exactness.ulps) continue;
        ++shown;
        ADD_FAILURE() << each.name << ", item " << i / 8 << ", result " << i % 8 << std::hex << ": 0x" << out[i]
                      << ", not 0x" << expected[i] << "; operands 0x" << in[i / 8 * 4] << " 0x" << in[i / 8 * 4 + 1]
                      << " 0x" << in[i / 8 * 4 + 2] << " 0x" << in[i / 8 * 4 + 3];
      }
    }
  }
};

TEST_P(CompiledLanes, Integer) { check("integer"); }
TEST_P(CompiledLanes, Control) { check("control"); }
TEST_P(CompiledLanes, Float) { check("float"); }

INSTANTIATE_TEST_SUITE_P(Builds, CompiledLanes, testing::ValuesIn(compiled::builds()), compiled::name_of);

}  // namespace
}  // namespace gfxisa
