#include "elf/device_printf.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <map>

namespace gfxisa {
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

/// Text and conversions of a format in turn; `next` gives the text of a conversion, and ends all with false.
template <class F>
std::string walk(std::string_view format, F next) {
  std::string out;
  for (std::size_t at = 0; at < format.size();) {
    const std::size_t percent = std::min(format.find('%', at), format.size());
    out += format.substr(at, percent - at);
    if (percent == format.size()) break;
    if (format.substr(percent, 2) == "%%") {
      out += '%';
      at = percent + 2;
      continue;
    }
    const std::size_t end = format.find_first_of("diouxXfFeEgGaAcspn", percent + 1);
    if (end == std::string_view::npos || !next(format.substr(percent, end + 1 - percent), out)) break;
    at = end + 1;
  }
  return out;
}

std::string text_of(std::string_view format, Words words) {
  return walk(format, [&](std::string_view spec, std::string& out) {
    if (words.is_empty()) return false;
    out += conversion(spec, words);
    return true;
  });
}

/// A format of OpenCL: the sizes of its arguments in a record, and its text with what is special written out.
struct SizedFormat {
  std::vector<u32> sizes;
  std::string text;
};

u64 number_before_colon(std::string_view& text) {
  u64 value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  text.remove_prefix(std::min(text.size(), static_cast<std::size_t>(end - text.data()) + 1));
  return value;
}

std::string without_escapes(std::string_view text) {
  constexpr std::string_view letters = "abfnrtv", values = "\a\b\f\n\r\t\v";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
    } else if (text.substr(i, 3) == "\\72") {
      out += ':';
      i += 2;
    } else {
      const std::size_t letter = letters.find(text[++i]);
      out += letter == std::string_view::npos ? text[i] : values[letter];
    }
  }
  return out;
}

/// One conversion of OpenCL, of a scalar or a vector (%v4d), with the bytes of its argument.
std::string sized_conversion(std::string_view spec, std::span<const u8> bytes) {
  const char kind = spec.back();
  if (kind == 's') {
    std::vector<u64> words(bytes.size() / 8 + 1);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    Words text(words);
    return conversion(spec, text);
  }
  // Without vector and length; each element then is a whole word.
  std::string clean;
  std::size_t count = 1;
  unsigned bits = 0;
  for (std::size_t i = 0; i + 1 < spec.size(); ++i) {
    if (spec[i] == 'v') {
      count = 0;
      while (i + 2 < spec.size() && spec[i + 1] >= '0' && spec[i + 1] <= '9')
        count = count * 10 + static_cast<std::size_t>(spec[++i] - '0');
    } else if (spec[i] == 'h') {
      bits = bits == 16 ? 8 : 16;
    } else if (std::strchr("lLqjzt", spec[i]) == nullptr) {
      clean += spec[i];
    }
  }
  const std::size_t places = std::bit_ceil(std::max<std::size_t>(count, 1));  // three take the room of four
  const std::size_t size = bytes.size() / places;
  if (size != 4 && size != 8) return {};
  const bool is_float = std::strchr("fFeEgGaA", kind) != nullptr;
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    u64 value = 0;
    std::memcpy(&value, bytes.data() + i * size, size);
    if (is_float && size == 4)
      value = std::bit_cast<u64>(static_cast<double>(std::bit_cast<float>(static_cast<u32>(value))));
    const std::string length = is_float || kind == 'c' || kind == 'p' ? ""
                               : bits == 8                            ? "hh"
                               : bits == 16                           ? "h"
                               : size == 8                            ? "l"
                                                                      : "";
    Words word(std::span<const u64>(&value, 1));
    out += (i == 0 ? "" : ",") + conversion(clean + length + kind, word);
  }
  return out;
}

std::string sized_text(const SizedFormat& format, std::span<const u8> bytes) {
  std::size_t next = 0;
  return walk(format.text, [&](std::string_view spec, std::string& out) {
    if (next == format.sizes.size() || format.sizes[next] > bytes.size()) return false;
    out += sized_conversion(spec, bytes.first(format.sizes[next]));
    bytes = bytes.subspan(format.sizes[next++]);
    return true;
  });
}

u32 word_of(std::span<const u8> bytes) {
  u32 value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

/// OpenCL: the format's number, then the arguments. False at a record of no known format: what follows cannot be found.
bool take_sized(std::span<const u8>& records, const std::map<u64, SizedFormat>& formats, std::string& out) {
  const auto format = formats.find(word_of(records));
  if (format == formats.end()) return false;
  std::size_t bytes = 4;
  for (const u32 size : format->second.sizes) bytes += size;
  if (bytes > records.size()) return false;
  out += sized_text(format->second, records.first(bytes).subspan(4));
  records = records.subspan(bytes);
  return true;
}

/// HIP: a word with the record's size above bit 1, and bit 1 when the format is named by a hash instead of written;
/// then words, as in messages.
bool take_hashed(std::span<const u8>& records, const std::map<u64, std::string>& formats, std::string& out) {
  const u32 control = word_of(records);
  const std::size_t bytes = control >> 2;
  if (bytes < 4 || bytes > records.size()) return false;
  const auto content = records.first(bytes).subspan(4);
  std::vector<u64> words((content.size() + 7) / 8);
  std::memcpy(words.data(), content.data(), content.size());
  records = records.subspan(bytes);
  if ((control & 2) == 0) {
    out += device_printf_text(words);
    return true;
  }
  if (words.empty()) return false;
  if (const auto format = formats.find(words[0]); format != formats.end())
    out += text_of(format->second, Words(std::span<const u64>(words).subspan(1)));
  return true;
}

}  // namespace

std::string device_printf_text(std::span<const u64> all) {
  Words words(all);
  const std::string format = words.string();
  return text_of(format, words);
}

std::string printf_buffer_text(std::span<const u8> records, const std::vector<std::string>& all_formats) {
  // number:arguments:size:...:text, or 0:0:hash,text
  std::map<u64, SizedFormat> sized;
  std::map<u64, std::string> hashed;
  for (const std::string& each : all_formats) {
    std::string_view rest = each;
    const u64 number = number_before_colon(rest), count = number_before_colon(rest);
    if (number == 0) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      u64 hash = 0;
      std::from_chars(rest.data(), rest.data() + comma, hash, 16);
      hashed[hash] = rest.substr(std::min(comma + 1, rest.size()));
    } else {
      SizedFormat& format = sized[number];
      for (u64 i = 0; i < count && !rest.empty(); ++i)
        format.sizes.push_back(static_cast<u32>(number_before_colon(rest)));
      format.text = without_escapes(rest);
    }
  }
  std::string out;
  while (records.size() >= 4 && (sized.empty() ? take_hashed(records, hashed, out) : take_sized(records, sized, out))) {
  }
  return out;
}

}  // namespace gfxisa
