// The part of OpenCL C that tests/kernels uses, for the host's compiler: a .cl file included in namespace `opencl` becomes ordinary
// functions, called once a work-item with `work_item` set. Functions of floats that OpenCL allows an error for are computed in double.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#define kernel static
#define global
#define constant static const

namespace gfxisa::opencl {

using uchar = std::uint8_t;
using ushort = std::uint16_t;
using uint = std::uint32_t;
using ulong = std::uint64_t;

inline thread_local ulong work_item = 0;
inline ulong get_global_id(int) { return work_item; }

class half {
 public:
  explicit half(float value) : value_(static_cast<_Float16>(value)) {}
  explicit half(_Float16 value) : value_(value) {}
  explicit operator float() const { return static_cast<float>(value_); }
  friend half operator+(half a, half b) { return half(float(a) + float(b)); }
  friend half operator-(half a, half b) { return half(float(a) - float(b)); }
  friend half operator*(half a, half b) { return half(float(a) * float(b)); }
  friend bool operator<(half a, half b) { return float(a) < float(b); }
  friend bool operator==(half a, half b) { return float(a) == float(b); }
  friend half fma(half a, half b, half c) {  // exact before it is rounded
    return half(static_cast<_Float16>(__float128(a.value_) * __float128(b.value_) + __float128(c.value_)));
  }

 private:
  _Float16 value_;
};

inline float as_float(uint v) { return std::bit_cast<float>(v); }
inline uint as_uint(float v) { return std::bit_cast<uint>(v); }
inline double as_double(ulong v) { return std::bit_cast<double>(v); }
inline ulong as_ulong(double v) { return std::bit_cast<ulong>(v); }
inline half as_half(ushort v) { return half(std::bit_cast<_Float16>(v)); }

inline ulong popcount(ulong v) { return static_cast<ulong>(std::popcount(v)); }
inline uint popcount(uint v) { return static_cast<uint>(std::popcount(v)); }
inline ulong clz(ulong v) { return static_cast<ulong>(std::countl_zero(v)); }
inline uint clz(uint v) { return static_cast<uint>(std::countl_zero(v)); }
inline ulong ctz(ulong v) { return static_cast<ulong>(std::countr_zero(v)); }
inline uint ctz(uint v) { return static_cast<uint>(std::countr_zero(v)); }
inline uint rotate(uint v, uint by) { return std::rotl(v, static_cast<int>(by)); }

inline ulong mul_hi(ulong a, ulong b) { return static_cast<ulong>(static_cast<unsigned __int128>(a) * b >> 64); }
inline long mul_hi(long a, long b) { return static_cast<long>(static_cast<__int128>(a) * b >> 64); }
inline uint mul_hi(uint a, uint b) { return static_cast<uint>(ulong{a} * b >> 32); }
inline int mul_hi(int a, int b) { return static_cast<int>(long{a} * b >> 32); }
inline int mul24(int a, int b) { return static_cast<int>(static_cast<uint>(a) * static_cast<uint>(b)); }
inline uint mad24(int a, int b, int c) { return static_cast<uint>(mul24(a, b)) + static_cast<uint>(c); }

template <class T>
T saturated(long v) {
  constexpr long low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  return static_cast<T>(v < low ? low : v > high ? high : v);
}
template <class T>
T add_sat(T a, T b) { return saturated<T>(long{a} + long{b}); }
template <class T>
T sub_sat(T a, T b) { return saturated<T>(long{a} - long{b}); }
inline uint abs_diff(int a, int b) { return static_cast<uint>(a > b ? long{a} - b : long{b} - a); }
inline uint abs(int v) { return v < 0 ? 0u - static_cast<uint>(v) : static_cast<uint>(v); }
inline uint hadd(uint a, uint b) { return static_cast<uint>((ulong{a} + b) >> 1); }
inline uint rhadd(uint a, uint b) { return static_cast<uint>((ulong{a} + b + 1) >> 1); }
inline int clamp(int v, int low, int high) { return v < low ? low : v > high ? high : v; }

template <class T>
T converted(double v) {
  constexpr double low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  return std::isnan(v) ? T{0} : v <= low ? std::numeric_limits<T>::min() : v >= high ? std::numeric_limits<T>::max() : static_cast<T>(v);
}
inline int convert_int_sat(float v) { return converted<int>(v); }
inline uint convert_uint_sat(float v) { return converted<uint>(v); }
inline int convert_int_rte(float v) { return static_cast<int>(std::nearbyint(v)); }

// Exact functions, of both types.
#define EXACT(name)                                  \
  inline float name(float v) { return std::name(v); } \
  inline double name(double v) { return std::name(v); }
EXACT(floor) EXACT(ceil) EXACT(trunc) EXACT(rint) EXACT(round) EXACT(fabs)
#undef EXACT
inline float fma(float a, float b, float c) { return std::fma(a, b, c); }
inline double fma(double a, double b, double c) { return std::fma(a, b, c); }
inline float fmin(float a, float b) { return std::fmin(a, b); }
inline double fmin(double a, double b) { return std::fmin(a, b); }
inline float fmax(float a, float b) { return std::fmax(a, b); }
inline double fmax(double a, double b) { return std::fmax(a, b); }
inline float copysign(float a, float b) { return std::copysign(a, b); }
inline float ldexp(float v, int by) { return std::ldexp(v, by); }
inline float frexp(float v, int* exponent) { return std::frexp(v, exponent); }
inline int ilogb(float v) { return std::ilogb(v); }
inline float nextafter(float a, float b) { return std::nextafter(a, b); }
inline float fdim(float a, float b) { return std::fdim(a, b); }
inline float fmod(float a, float b) { return std::fmod(a, b); }
template <class T>
bool isnan(T v) { return std::isnan(v); }
inline bool isinf(float v) { return std::isinf(v); }
inline bool isfinite(float v) { return std::isfinite(v); }
inline bool isnormal(float v) { return std::isnormal(v); }
inline bool signbit(float v) { return std::signbit(v); }

// Functions with an error.
#define INEXACT(name)                                                           \
  inline float name(float v) { return static_cast<float>(std::name(double{v})); } \
  inline double name(double v) { return std::name(v); }
INEXACT(sqrt) INEXACT(sin) INEXACT(cos) INEXACT(tan) INEXACT(asin) INEXACT(acos) INEXACT(atan) INEXACT(exp) INEXACT(exp2) INEXACT(log)
INEXACT(log2) INEXACT(log10) INEXACT(cbrt) INEXACT(sinh) INEXACT(cosh) INEXACT(tanh) INEXACT(asinh) INEXACT(acosh) INEXACT(expm1)
INEXACT(log1p) INEXACT(erf)
#undef INEXACT
inline float rsqrt(float v) { return static_cast<float>(1 / std::sqrt(double{v})); }
inline float exp10(float v) { return static_cast<float>(std::pow(10.0, double{v})); }
inline float hypot(float a, float b) { return static_cast<float>(std::hypot(double{a}, double{b})); }
inline float pow(float a, float b) { return static_cast<float>(std::pow(double{a}, double{b})); }
inline double pow(double a, double b) { return std::pow(a, b); }
inline float atan2(float a, float b) { return static_cast<float>(std::atan2(double{a}, double{b})); }
inline double atan2(double a, double b) { return std::atan2(a, b); }

}  // namespace gfxisa::opencl
