#include "elf/metadata_yaml.h"

#define MSGPACK_NO_BOOST
#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <msgpack.hpp>
#include <string_view>

namespace gfxisa {
namespace {

constexpr u32 metadata_type = 32;  // NT_AMDGPU_METADATA

/// Words that YAML takes as they are and does not read as something other than text.
bool is_plain(std::string_view text) {
  const auto is_fine = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '$'; };
  if (text.empty() || (std::isalpha(static_cast<unsigned char>(text[0])) == 0 && text[0] != '_' && text[0] != '.'))
    return false;
  if (text[0] == '.' && (text.size() == 1 || std::isalpha(static_cast<unsigned char>(text[1])) == 0)) return false;
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const std::string_view word : {"true", "false", "yes", "no", "on", "off", "null", "y", "n", ".inf", ".nan"}) {
    if (lower == word) return false;
  }
  return std::all_of(text.begin(), text.end(), is_fine);
}

void append_text(std::string& out, std::string_view text) {
  if (is_plain(text)) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (byte < 0x20 || byte == 0x7f)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += c;
  }
  out += '"';
}

/// A list or map with something in it starts on a line of its own.
bool is_block(const msgpack::object& value) {
  return (value.type == msgpack::type::MAP && value.via.map.size != 0) ||
         (value.type == msgpack::type::ARRAY && value.via.array.size != 0);
}

void append_value(std::string& out, const msgpack::object& value, unsigned indent);

void append_scalar(std::string& out, const msgpack::object& value) {
  switch (value.type) {
    case msgpack::type::BOOLEAN:
      out += value.via.boolean ? "true" : "false";
      return;
    case msgpack::type::POSITIVE_INTEGER:
      out += std::to_string(value.via.u64);
      return;
    case msgpack::type::NEGATIVE_INTEGER:
      out += std::to_string(value.via.i64);
      return;
    case msgpack::type::FLOAT32:
    case msgpack::type::FLOAT64:
      out += fmt::format("{}", value.via.f64);
      return;
    case msgpack::type::STR:
      return append_text(out, {value.via.str.ptr, value.via.str.size});
    case msgpack::type::MAP:
      out += "{}";
      return;
    case msgpack::type::ARRAY:
      out += "[]";
      return;
    default:
      out += '~';
  }
}

void append_map(std::string& out, const msgpack::object_map& map, unsigned indent, bool first_in_place) {
  for (u32 i = 0; i < map.size; ++i) {
    if (i != 0 || !first_in_place) out.append(indent, ' ');
    append_scalar(out, map.ptr[i].key);
    out += ':';
    append_value(out, map.ptr[i].val, indent);
  }
}

/// What stands behind `key:` or a dash.
void append_value(std::string& out, const msgpack::object& value, unsigned indent) {
  if (!is_block(value)) {
    out += ' ';
    append_scalar(out, value);
    out += '\n';
    return;
  }
  out += '\n';
  constexpr unsigned step = 2;
  if (value.type == msgpack::type::MAP) return append_map(out, value.via.map, indent + step, false);
  for (u32 i = 0; i < value.via.array.size; ++i) {
    const msgpack::object& item = value.via.array.ptr[i];
    out.append(indent + step, ' ');
    out += '-';
    if (item.type != msgpack::type::MAP || item.via.map.size == 0) {
      append_value(out, item, indent + step);
    } else {
      out += ' ';
      append_map(out, item.via.map, indent + 2 * step, true);
    }
  }
}

}  // namespace

bool append_metadata_yaml(std::string& out, std::span<const u8> note) {
  try {
    // Nesting and counts beyond what a note of this size can hold are refused before anything is allocated.
    constexpr std::size_t most_depth = 32;
    const msgpack::unpack_limit limit(note.size(), note.size(), note.size(), note.size(), note.size(), most_depth);
    const msgpack::object_handle handle =
        msgpack::unpack(reinterpret_cast<const char*>(note.data()), note.size(), nullptr, nullptr, limit);
    const msgpack::object document = handle.get();
    if (document.type != msgpack::type::MAP) return false;
    out += "---\n";
    append_map(out, document.via.map, 0, false);
    out += "...\n";
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

std::span<const u8> metadata_of_notes(std::span<const u8> notes) {
  while (notes.size() >= sizeof(Elf64_Nhdr)) {
    Elf64_Nhdr note;
    std::memcpy(&note, notes.data(), sizeof note);
    const u64 name_bytes = (u64{note.n_namesz} + 3) & ~u64{3};
    const u64 size = sizeof note + name_bytes + ((u64{note.n_descsz} + 3) & ~u64{3});
    if (size > notes.size()) return {};
    const bool is_ours = note.n_namesz == 7 && std::memcmp(notes.data() + sizeof note, "AMDGPU", 7) == 0;
    if (is_ours && note.n_type == metadata_type) return notes.subspan(sizeof note + name_bytes, note.n_descsz);
    notes = notes.subspan(size);
  }
  return {};
}

}  // namespace gfxisa
