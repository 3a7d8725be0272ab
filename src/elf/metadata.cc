#include "elf/metadata.h"

#define MSGPACK_NO_BOOST
#include <fmt/format.h>

#include <msgpack.hpp>

namespace gfxisa {
namespace {

using Object = msgpack::object;

/// Reads one map of the document; the first wrong value is kept as the error, later reads then change nothing.
class Reader {
 public:
  explicit Reader(std::string& error) : error_(&error) {}

  const Object* find(const Object& map, std::string_view key) const {
    if (map.type != msgpack::type::MAP) return nullptr;
    for (u32 i = 0; i < map.via.map.size; ++i) {
      const auto& entry = map.via.map.ptr[i];
      if (entry.key.type == msgpack::type::STR && text_of(entry.key) == key) return &entry.val;
    }
    return nullptr;
  }

  void number(const Object& map, std::string_view key, u32& out) {
    const Object* value = find(map, key);
    if (value == nullptr) return;
    if (value->type != msgpack::type::POSITIVE_INTEGER || value->via.u64 > 0xffffffffu) {
      return fail(key, "a number below 2^32");
    }
    out = static_cast<u32>(value->via.u64);
  }

  void string(const Object& map, std::string_view key, std::string& out) {
    const Object* value = find(map, key);
    if (value == nullptr) return;
    if (value->type != msgpack::type::STR) return fail(key, "a string");
    out = text_of(*value);
  }

  void boolean(const Object& map, std::string_view key, bool& out) {
    const Object* value = find(map, key);
    if (value == nullptr) return;
    if (value->type == msgpack::type::BOOLEAN) {
      out = value->via.boolean;
    } else if (value->type == msgpack::type::POSITIVE_INTEGER) {
      out = value->via.u64 != 0;  // some producers write 0 and 1
    } else {
      fail(key, "true or false");
    }
  }

  std::span<const Object> array(const Object& map, std::string_view key) {
    const Object* value = find(map, key);
    if (value == nullptr) return {};
    if (value->type != msgpack::type::ARRAY) {
      fail(key, "an array");
      return {};
    }
    return {value->via.array.ptr, value->via.array.size};
  }

 private:
  static std::string_view text_of(const Object& string) { return {string.via.str.ptr, string.via.str.size}; }
  void fail(std::string_view key, std::string_view expected) {
    if (error_->empty()) *error_ = fmt::format("metadata: '{}' should be {}", key, expected);
  }
  std::string* error_;
};

KernelArgument read_argument(Reader& read, const Object& map) {
  KernelArgument argument;
  read.string(map, ".name", argument.name);
  read.string(map, ".type_name", argument.type_name);
  read.string(map, ".value_kind", argument.kind);
  read.number(map, ".offset", argument.offset);
  read.number(map, ".size", argument.size);
  return argument;
}

KernelMetadata read_kernel(Reader& read, const Object& map) {
  KernelMetadata kernel;
  read.string(map, ".name", kernel.name);
  read.string(map, ".symbol", kernel.symbol);
  read.number(map, ".kernarg_segment_size", kernel.kernarg_bytes);
  read.number(map, ".kernarg_segment_align", kernel.kernarg_align);
  read.number(map, ".group_segment_fixed_size", kernel.group_segment_bytes);
  read.number(map, ".private_segment_fixed_size", kernel.private_segment_bytes);
  read.number(map, ".wavefront_size", kernel.wave_size);
  read.number(map, ".max_flat_workgroup_size", kernel.max_workgroup_size);
  read.number(map, ".sgpr_count", kernel.sgpr_count);
  read.number(map, ".vgpr_count", kernel.vgpr_count);
  read.number(map, ".agpr_count", kernel.agpr_count);
  read.boolean(map, ".uses_dynamic_stack", kernel.uses_dynamic_stack);
  const auto required = read.array(map, ".reqd_workgroup_size");
  for (std::size_t i = 0; i < required.size() && i < 3; ++i) {
    if (required[i].type == msgpack::type::POSITIVE_INTEGER && required[i].via.u64 <= 0xffffffffu) {
      kernel.required_workgroup[i] = static_cast<u32>(required[i].via.u64);
    }
  }
  for (const Object& argument : read.array(map, ".args")) kernel.arguments.push_back(read_argument(read, argument));
  return kernel;
}

}  // namespace

Result<Metadata> read_metadata(std::span<const u8> note) {
  // The limits keep a hostile note from asking for more memory or stack than it has bytes.
  const auto size = note.size();
  const msgpack::unpack_limit limit(size, size, size, size, size, 32);
  msgpack::object_handle document;
  try {
    std::size_t used = 0;
    document = msgpack::unpack(reinterpret_cast<const char*>(note.data()), size, used, nullptr, nullptr, limit);
  } catch (const std::exception& problem) {
    return Error{fmt::format("metadata is not MessagePack: {}", problem.what()), {}};
  }
  std::string error;
  Reader read(error);
  Metadata metadata;
  const Object& root = document.get();
  if (root.type != msgpack::type::MAP) return Error{"metadata is not a map", {}};
  read.string(root, "amdhsa.target", metadata.target);
  for (const Object& format : read.array(root, "amdhsa.printf")) {
    if (format.type == msgpack::type::STR)
      metadata.printf_formats.emplace_back(format.via.str.ptr, format.via.str.size);
  }
  for (const Object& kernel : read.array(root, "amdhsa.kernels")) {
    metadata.kernels.push_back(read_kernel(read, kernel));
  }
  if (!error.empty()) return Error{error, {}};
  return metadata;
}

}  // namespace gfxisa
