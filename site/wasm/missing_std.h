// What the C++ library of Debian's emscripten lacks: floats to and from characters, std::bit_cast.
#pragma once
#include <bit>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
namespace std {
inline to_chars_result to_chars(char* first, char* last, double value, chars_format, int precision) {
  const int n = snprintf(first, static_cast<size_t>(last - first), "%.*f", precision, value);
  return {first + n, errc{}};
}
inline from_chars_result from_chars(const char* first, const char* last, double& value, chars_format format = chars_format::general) {
  char text[64] = {};
  size_t n = static_cast<size_t>(last - first), at = 0;
  if (n > 60) n = 60;
  if (format == chars_format::hex) { text[0] = '0'; text[1] = 'x'; at = 2; }
  memcpy(text + at, first, n);
  char* end = nullptr;
  value = strtod(text, &end);
  if (end == text) return {first, errc::invalid_argument};
  return {first + (end - text - static_cast<ptrdiff_t>(at)), errc{}};
}
}  // namespace std
#ifndef __cpp_lib_bit_cast
namespace std {
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}
}  // namespace std
#endif
