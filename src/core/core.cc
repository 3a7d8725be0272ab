#include "core/core.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

namespace gfxisa::core {
namespace {

struct OpRow {
  std::string_view name;
  unsigned arguments;
  std::string_view meaning;
};

constexpr OpRow op_rows[] = {
#define GFXISA_OP(name, arguments, meaning) {#name, arguments, meaning},
#include "core/ops.inc"
#undef GFXISA_OP
};

const OpRow* row_of(Op op) {
  const auto index = static_cast<std::size_t>(op);
  return index < std::size(op_rows) ? &op_rows[index] : nullptr;
}

/// A decimal number without sign or leading zero that is at most `limit`.
std::optional<unsigned> plain_number(std::string_view text, unsigned limit) {
  unsigned value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || text[0] == '0' || error != std::errc() || stop != end || value > limit) return std::nullopt;
  return value;
}

Type float_named(std::string_view text) {
  if (text == "f16") return {TypeKind::float_, 16};
  if (text == "f32") return {TypeKind::float_, 32};
  if (text == "f64") return {TypeKind::float_, 64};
  if (text == "bf16") return {TypeKind::bfloat, 16};
  return {};
}

Type integer_named(std::string_view text) {
  if (text.empty()) return {};
  TypeKind kind = TypeKind::none;
  if (text[0] == 'b') kind = TypeKind::bits;
  if (text[0] == 'u') kind = TypeKind::unsigned_;
  if (text[0] == 'i') kind = TypeKind::signed_;
  if (kind == TypeKind::none) return {};
  const auto bits = plain_number(text.substr(1), kind == TypeKind::bits ? 1024 : 128);
  return bits ? Type(kind, *bits) : Type();
}

Type scalar_named(std::string_view text) {
  const Type real = float_named(text);
  return real.kind != TypeKind::none ? real : integer_named(text);
}

Type packed_of(std::string_view part, unsigned elements) {
  const Type type = scalar_named(part);
  const unsigned bits = type.bits * elements;
  if (type.kind == TypeKind::none || bits > 128) return {};
  return {type.kind, bits, elements};
}

}  // namespace

std::string name_of(Type type) {
  if (type.kind == TypeKind::none) return "nothing";
  if (type.kind == TypeKind::mask) return "mask";
  const unsigned elements = std::max<unsigned>(type.elements, 1);
  const std::string bits = std::to_string(type.bits / elements);
  const std::string suffix = elements > 1 ? "x" + std::to_string(elements) : "";
  switch (type.kind) {
    case TypeKind::unsigned_:
      return "u" + bits + suffix;
    case TypeKind::signed_:
      return "i" + bits + suffix;
    case TypeKind::float_:
      return "f" + bits + suffix;
    case TypeKind::bfloat:
      return "bf" + bits + suffix;
    default:
      return "b" + bits + suffix;
  }
}

Type type_named(std::string_view text) {
  if (text == "mask") return {TypeKind::mask, 64};
  if (text == "address") return {TypeKind::unsigned_, 64};
  const Type scalar = scalar_named(text);
  if (scalar.kind != TypeKind::none) return scalar;
  if (text.starts_with("pk_")) return packed_of(text.substr(3), 2);
  const std::size_t x = text.rfind('x');
  if (x == std::string_view::npos) return {};
  const auto elements = plain_number(text.substr(x + 1), 16);
  return elements && *elements > 1 ? packed_of(text.substr(0, x), *elements) : Type();
}

std::string_view name_of(Op op) {
  const OpRow* row = row_of(op);
  return row ? row->name : std::string_view("unknown");
}

unsigned argument_count(Op op) {
  const OpRow* row = row_of(op);
  return row ? row->arguments : 0;
}

std::string_view meaning_of(Op op) {
  const OpRow* row = row_of(op);
  return row ? row->meaning : std::string_view();
}

// ops.inc keeps the timed operations together at its end.
bool is_timed(Op op) { return op >= Op::current; }

}  // namespace gfxisa::core
