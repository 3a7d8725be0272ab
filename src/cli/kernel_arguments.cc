#include "cli/kernel_arguments.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <charconv>
#include <cstring>
#include <fstream>
#include <utility>

namespace gfxisa {
namespace {

constexpr std::string_view forms =
    "f32:1.5, f64:.., i32:-7, u32:.., i64:.., u64:.., buf:BYTES, buf:@FILE, or buf:TYPE*COUNT:iota|random|zero";

template <class T>
bool parse(std::string_view text, T& value) {
  int base = 10;
  if constexpr (std::is_integral_v<T>) {
    if (text.starts_with("0x")) {
      base = 16;
      text.remove_prefix(2);
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    return error == std::errc{} && end == text.data() + text.size();
  } else {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size();
  }
}

template <class T>
bool append_number(std::string_view text, std::vector<u8>& bytes) {
  T value{};
  if (!parse(text, value)) return false;
  bytes.resize(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return true;
}

/// Element `index` of a buffer with a pattern. `random` is a fixed sequence, so that runs repeat.
template <class T>
void fill(u8* data, u64 count, std::string_view pattern) {
  u64 state = 0x9e3779b97f4a7c15u;
  for (u64 i = 0; i < count; ++i) {
    T value{};
    if (pattern == "iota") value = static_cast<T>(i);
    if (pattern == "random") {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      if constexpr (std::is_floating_point_v<T>) {
        value = static_cast<T>(state >> 40) / static_cast<T>(1 << 24);
      } else {
        value = static_cast<T>(state);
      }
    }
    std::memcpy(data + i * sizeof value, &value, sizeof value);
  }
}

struct ElementType {
  std::string_view name;
  unsigned bytes;
  void (*fill)(u8*, u64, std::string_view);
  bool (*append)(std::string_view, std::vector<u8>&);
};
constexpr ElementType element_types[] = {
    {"f32", 4, fill<f32>, append_number<f32>}, {"f64", 8, fill<f64>, append_number<f64>},
    {"i32", 4, fill<i32>, append_number<i32>}, {"u32", 4, fill<u32>, append_number<u32>},
    {"i64", 8, fill<i64>, append_number<i64>}, {"u64", 8, fill<u64>, append_number<u64>},
    {"i16", 2, fill<i16>, append_number<i16>}, {"u16", 2, fill<u16>, append_number<u16>},
    {"i8", 1, fill<i8>, append_number<i8>},    {"u8", 1, fill<u8>, append_number<u8>},
};

const ElementType* find_type(std::string_view name) {
  for (const ElementType& type : element_types) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

Error bad(std::string_view text, std::string why) {
  return {fmt::format("argument '{}': {}", text, why), fmt::format("forms: {}", forms)};
}

Result<KernelArgumentValue> with_buffer(std::string_view text, u64 size) {
  if (size > u64{1} << 40) return bad(text, "a buffer of more than 1 TiB");
  KernelArgumentValue out;
  out.text = text;
  out.buffer = std::make_unique<GuestBuffer>(size);
  if (out.buffer->data() == nullptr) return bad(text, fmt::format("no memory for {} bytes", size));
  out.bytes.resize(8);
  const u64 address = reinterpret_cast<u64>(out.buffer->data());
  std::memcpy(out.bytes.data(), &address, 8);
  return out;
}

Result<KernelArgumentValue> buffer_of_file(std::string_view text, const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return bad(text, fmt::format("cannot read '{}'", path));
  const auto size = static_cast<u64>(file.tellg());
  auto out = with_buffer(text, size);
  if (!out) return out;
  file.seekg(0);
  file.read(reinterpret_cast<char*>(out->buffer->data()), static_cast<std::streamsize>(size));
  if (!file) return bad(text, fmt::format("cannot read '{}'", path));
  return out;
}

Result<KernelArgumentValue> buffer_of_elements(std::string_view text, std::string_view rest) {
  const auto star = rest.find('*');
  const ElementType* type = find_type(rest.substr(0, star));
  if (type == nullptr) return bad(text, fmt::format("'{}' is not an element type", rest.substr(0, star)));
  rest.remove_prefix(star + 1);
  const auto colon = rest.find(':');
  u64 count = 0;
  if (!parse(rest.substr(0, colon), count) || count > u64{1} << 40) return bad(text, "the count is not a number");
  const std::string_view pattern = colon == std::string_view::npos ? "zero" : rest.substr(colon + 1);
  if (pattern != "iota" && pattern != "random" && pattern != "zero") {
    return bad(text, fmt::format("'{}' is not a pattern (iota, random, zero)", pattern));
  }
  auto out = with_buffer(text, count * type->bytes);
  if (out) type->fill(out->buffer->data(), count, pattern);
  return out;
}

Result<KernelArgumentValue> parse_buffer(std::string_view text, std::string_view rest) {
  if (rest.starts_with('@')) return buffer_of_file(text, std::string(rest.substr(1)));
  if (rest.find('*') != std::string_view::npos) return buffer_of_elements(text, rest);
  u64 size = 0;
  if (!parse(rest, size)) return bad(text, fmt::format("'{}' is not a size in bytes", rest));
  return with_buffer(text, size);
}

}  // namespace

GuestBuffer::GuestBuffer(u64 size) : size_(size) {
  constexpr u64 page = 4096;
  const u64 mapped = (size + page - 1) / page * page + 2 * page;
  void* start = mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) return;
  data_ = static_cast<u8*>(start) + page;
  if (mapped > 2 * page) mprotect(data_, mapped - 2 * page, PROT_READ | PROT_WRITE);
}

GuestBuffer::GuestBuffer(GuestBuffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

GuestBuffer::~GuestBuffer() {
  constexpr u64 page = 4096;
  if (data_ != nullptr) munmap(data_ - page, (size_ + page - 1) / page * page + 2 * page);
}

Result<KernelArgumentValue> parse_kernel_argument(std::string_view text) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return bad(text, "no type");
  const std::string_view type_name = text.substr(0, colon);
  const std::string_view rest = text.substr(colon + 1);
  if (type_name == "buf") return parse_buffer(text, rest);
  const ElementType* type = find_type(type_name);
  if (type == nullptr) return bad(text, fmt::format("'{}' is not a type", type_name));
  KernelArgumentValue out;
  out.text = text;
  if (!type->append(rest, out.bytes))
    return bad(text, fmt::format("'{}' is not a number that fits {}", rest, type_name));
  return out;
}

}  // namespace gfxisa
