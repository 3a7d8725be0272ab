#include "hip/device_printf.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

namespace gfxisa::hip {
namespace {

/// Words of a message from the front.
class Words {
 public:
  explicit Words(std::span<const u64> words) : left_(words) {}
  bool is_empty() const { return left_.empty(); }
  u64 word() {
    if (left_.empty()) return 0;
    const u64 first = left_.front();
    left_ = left_.subspan(1);
    return first;
  }
  std::string string() {
    const char* const text = reinterpret_cast<const char*>(left_.data());
    const std::size_t size = strnlen(text, left_.size_bytes());
    left_ = left_.subspan(std::min(left_.size(), size / 8 + 1));
    return {text, size};
  }

 private:
  std::span<const u64> left_;
};

template <class T>
std::string formatted(const std::string& spec, T value) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const int size = std::snprintf(nullptr, 0, spec.c_str(), value);
  if (size <= 0) return {};
  std::string out(static_cast<std::size_t>(size) + 1, '\0');
  std::snprintf(out.data(), out.size(), spec.c_str(), value);
#pragma GCC diagnostic pop
  out.pop_back();
  return out;
}

/// A conversion without length and star, so that it fits the words that arguments are.
std::string conversion(std::string_view spec, Words& words) {
  const char kind = spec.back();
  std::string clean;
  unsigned bits = 32;
  for (const char c : spec.substr(0, spec.size() - 1)) {
    if (c == '*') {
      clean += std::to_string(static_cast<i32>(words.word()));
    } else if (std::strchr("lqjzt", c) != nullptr) {
      bits = 64;
    } else if (c == 'h') {
      bits = bits == 16 ? 8 : 16;
    } else if (c != 'L') {
      clean += c;
    }
  }
  if (kind == 's') return formatted(clean + 's', words.string().c_str());
  const u64 value = words.word();
  if (kind == 'n') return {};
  if (kind == 'c') return formatted(clean + kind, static_cast<int>(value));
  if (kind == 'p') return formatted(clean + kind, reinterpret_cast<const void*>(value));
  if (kind == 'd' || kind == 'i') {
    const auto shift = 64 - bits;
    return formatted(clean + "ll" + kind, static_cast<long long>(value << shift) >> shift);
  }
  if (std::strchr("ouxX", kind) != nullptr)
    return formatted(clean + "ll" + kind,
                     static_cast<unsigned long long>(bits == 64 ? value : value & ((u64{1} << bits) - 1)));
  return formatted(clean + kind, std::bit_cast<double>(value));
}

}  // namespace

std::string device_printf_text(std::span<const u64> all) {
  Words words(all);
  const std::string format = words.string();
  std::string out;
  for (std::size_t at = 0; at < format.size();) {
    const std::size_t percent = std::min(format.find('%', at), format.size());
    out += format.substr(at, percent - at);
    if (percent == format.size()) break;
    if (format.compare(percent, 2, "%%") == 0) {
      out += '%';
      at = percent + 2;
      continue;
    }
    const std::size_t end = format.find_first_of("diouxXfFeEgGaAcspn", percent + 1);
    if (end == std::string::npos || words.is_empty()) break;
    out += conversion(std::string_view(format).substr(percent, end + 1 - percent), words);
    at = end + 1;
  }
  return out;
}

}  // namespace gfxisa::hip
