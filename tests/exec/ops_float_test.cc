#include "ops_support.h"

namespace gfxisa::exec {
namespace {

template <class T>
constexpr bool is_narrow_test = std::is_same_v<T, Half> || std::is_same_v<T, Brain>;

/// Calls a lane operation as generated code does: 16-bit floats take the mode as well.
#define GFXISA_CALL(function, mode, ...) \
  call<T>([](auto... arguments) { return function(arguments...); }, mode, __VA_ARGS__)

template <class T, class F, class... Args>
auto call(F f, u32 mode, Args... arguments) {
  const HostMode host(mode);
  if constexpr (is_narrow_test<T>) {
    return opaque(f(opaque(arguments)..., float_mode(mode >> 4 & 3)));
  } else {
    return opaque(f(opaque(arguments)...));
  }
}

template <class T>
class FloatOperations : public testing::Test {};
using FloatTypes = testing::Types<f32, f64, Half, Brain>;
TYPED_TEST_SUITE(FloatOperations, FloatTypes);

#define GFXISA_BINARY(op, function)                                               \
  TYPED_TEST(FloatOperations, op) {                                               \
    using T = TypeParam;                                                          \
    const auto values = edge_values<T>(6);                                        \
    in_every_mode([&](u32 mode) {                                                 \
      for (const T a : values) {                                                  \
        for (const T b : values) {                                                \
          const u64 actual = bits_of_value(GFXISA_CALL(function, mode, a, b));    \
          if (!same(Op::op, core_type<T>(), 0, mode, actual, a, b)) return false; \
        }                                                                         \
      }                                                                           \
      return true;                                                                \
    });                                                                           \
  }
GFXISA_BINARY(fadd, float_add)
GFXISA_BINARY(fsub, float_subtract)
GFXISA_BINARY(fmul, float_multiply)
GFXISA_BINARY(fdiv, float_divide)
GFXISA_BINARY(fmin, float_minimum)
GFXISA_BINARY(fmax, float_maximum)
GFXISA_BINARY(fmin_num, float_minimum_number)
GFXISA_BINARY(fmax_num, float_maximum_number)

#define GFXISA_UNARY(op, function)                                           \
  TYPED_TEST(FloatOperations, op) {                                          \
    using T = TypeParam;                                                     \
    const auto values = edge_values<T>(300);                                 \
    in_every_mode([&](u32 mode) {                                            \
      for (const T a : values) {                                             \
        const u64 actual = bits_of_value(GFXISA_CALL(function, mode, a));    \
        if (!same(Op::op, core_type<T>(), 0, mode, actual, a)) return false; \
      }                                                                      \
      return true;                                                           \
    });                                                                      \
  }
GFXISA_UNARY(fsqrt, float_square_root)
GFXISA_UNARY(ftrunc, float_truncate)
GFXISA_UNARY(fceil, float_ceil)
GFXISA_UNARY(ffloor, float_floor)
GFXISA_UNARY(fround, float_round_even)
GFXISA_UNARY(ffract, float_fraction)
GFXISA_UNARY(ffrexp_mant, float_mantissa)
GFXISA_UNARY(fflush, float_flush)

TYPED_TEST(FloatOperations, ffrexp_exp) {
  using T = TypeParam;
  const Type type{TypeKind::signed_, std::is_same_v<T, Half> ? 16u : 32u};
  in_every_mode([&](u32 mode) {
    for (const T a : edge_values<T>(100)) {
      const u64 actual = static_cast<u64>(static_cast<u32>(GFXISA_CALL(float_exponent, mode, a))) & low_ones(type.bits);
      if (!same(Op::ffrexp_exp, type, 0, mode, actual, a)) return false;
    }
    return true;
  });
}

TYPED_TEST(FloatOperations, fldexp) {
  using T = TypeParam;
  in_every_mode([&](u32 mode) {
    for (const T a : edge_values<T>(20)) {
      for (const i32 n :
           {0, 1, -1, 10, -11, 127, -126, -140, 1000, -1022, -1060, 2100, -2100, 2147483647, -2147483647}) {
        const u64 actual = bits_of_value(GFXISA_CALL(float_scale, mode, a, n));
        if (!same(Op::fldexp, core_type<T>(), 0, mode, actual, a, n)) return false;
      }
    }
    return true;
  });
}

TYPED_TEST(FloatOperations, ffma) {
  using T = TypeParam;
  const auto values = edge_values<T>(2);
  in_every_mode([&](u32 mode) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::size_t j = 0; j < values.size(); ++j) {
        const T a = values[i], b = values[j];
        for (std::size_t k = (i + j) % 3; k < values.size(); k += 3) {
          const T c = values[k];
          const u64 actual = bits_of_value(GFXISA_CALL(float_multiply_add, mode, a, b, c));
          if (!same(Op::ffma, core_type<T>(), 0, mode, actual, a, b, c)) return false;
        }
      }
    }
    return true;
  });
}

TYPED_TEST(FloatOperations, fmed3) {
  using T = TypeParam;
  const auto values = edge_values<T>(0);
  const u32 mode = mode_of(0, 3);
  for (const T a : values) {
    for (const T b : values) {
      for (std::size_t k = 0; k < values.size(); k += 3) {
        const u64 actual = bits_of_value(GFXISA_CALL(float_median, mode, a, b, values[k]));
        if (!same(Op::fmed3, core_type<T>(), 0, mode, actual, a, b, values[k])) return;
      }
    }
  }
}

template <unsigned relations, class T>
bool check_relation(T a, T b, u32 mode) {
  const u32 actual = GFXISA_CALL(compare<relations>, mode, a, b);
  return same(Op::fcmp, {TypeKind::bits, 1}, relations, mode, actual, a, b);
}

template <class T, unsigned... relations>
bool check_relations(T a, T b, u32 mode, std::integer_sequence<unsigned, relations...>) {
  return (check_relation<relations>(a, b, mode) && ...);
}

TYPED_TEST(FloatOperations, fcmp) {
  using T = TypeParam;
  for (const u32 mode : {mode_of(0, 3), mode_of(0, 0)}) {
    for (const T a : edge_values<T>(3)) {
      for (const T b : edge_values<T>(3)) {
        if (!check_relations(a, b, mode, std::make_integer_sequence<unsigned, 16>())) return;
      }
    }
  }
}

TYPED_TEST(FloatOperations, BitwiseOnes) {
  using T = TypeParam;
  const u32 mode = 0;
  for (const T a : edge_values<T>(50)) {
    ASSERT_TRUE(same(Op::fneg, core_type<T>(), 0, mode, bits_of_value(float_negate(a)), a));
    ASSERT_TRUE(same(Op::fabs, core_type<T>(), 0, mode, bits_of_value(float_absolute(a)), a));
    ASSERT_TRUE(same(Op::fquiet, core_type<T>(), 0, mode, bits_of_value(quieted(a)), a));
    for (u32 bit = 0; bit < 10; ++bit) {
      ASSERT_TRUE(same(Op::fclass, {TypeKind::bits, 1}, 0, mode, float_class(a, 1u << bit), a, 1u << bit));
    }
  }
}

TYPED_TEST(FloatOperations, fclamp) {
  using T = TypeParam;
  for (const u32 mode : {mode_of(0, 3), mode_of(0, 0) | 0x100, mode_of(0, 3) | 0x100}) {
    for (const T a : edge_values<T>(50)) {
      const u64 actual = bits_of_value(GFXISA_CALL(float_clamp, mode, a, (mode >> 8 & 1) != 0));
      ASSERT_TRUE(same(Op::fclamp, core_type<T>(), 0, mode, actual, a));
    }
  }
}

}  // namespace
}  // namespace gfxisa::exec
