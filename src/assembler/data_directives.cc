// Directives that put bytes into the section: numbers, texts, gaps.
#include <fmt/format.h>

#include <bit>
#include <cstdlib>
#include <cstring>

#include "assembler/assembler.h"

namespace gfxisa::assembler {

namespace {

constexpr u32 scalar_nop = 0xbf800000;  // s_nop 0 on every chip

bool fits(i64 value, unsigned size) {
  if (size >= 8) return true;
  return value >= -(i64{1} << (size * 8 - 1)) && value <= static_cast<i64>(low_ones(size * 8));
}

}  // namespace

bool Assembler::append_value(text::Cursor& cursor, const text::Value& value, unsigned size, std::size_t start) {
  const std::size_t length = cursor.at() - start;
  if (value.later == 0 && !fits(value.integer, size))
    return cursor.fail(start, length, fmt::format("the number does not fit into {} bytes", size));
  if (!has_room(cursor, size)) return false;
  if (!sections_[section_].has_bytes()) {
    if (value.later != 0 || value.integer != 0)
      return cursor.fail(start, length, "a section of zeros holds nothing else");
    sections_[section_].zero_bytes += size;
    return true;
  }
  if (value.later != 0) {
    Fixup fixup;
    fixup.bytes = static_cast<u8>(size);
    fixup.section = section_;
    fixup.offset = fixup.place = place();
    fixup.expression = value.later;
    fixup.at = reader_.locate(start, length);
    symbols_.note_all(value.later);
    fixups_.push_back(fixup);
  }
  bytes().append(reinterpret_cast<const char*>(&value.integer), size);
  return true;
}

template <unsigned size>
bool Assembler::data(text::Cursor& cursor) {
  if (cursor.at_end()) return true;
  do {
    text::Value value;
    cursor.skip_spaces();
    const std::size_t start = cursor.at();
    update_symbols();
    if (!parse_value(cursor, value) || !append_value(cursor, value, size, start)) return false;
  } while (cursor.take(','));
  return expect_end(cursor);
}
template bool Assembler::data<1>(text::Cursor&);
template bool Assembler::data<2>(text::Cursor&);
template bool Assembler::data<4>(text::Cursor&);
template bool Assembler::data<8>(text::Cursor&);

/// Numbers of 128 bits: decimal ones up to 64, hexadecimal ones whole.
bool Assembler::octa(text::Cursor& cursor) {
  do {
    cursor.skip_spaces();
    const std::size_t start = cursor.at();
    u64 parts[2] = {};
    if (cursor.take("0x") || cursor.take("0X")) {
      std::size_t digits = 0;
      for (char c = cursor.peek_after(0);; c = cursor.peek_after(0)) {
        const char letter = static_cast<char>(c | 0x20);
        const bool is_digit = c >= '0' && c <= '9';
        if (!is_digit && (letter < 'a' || letter > 'f')) break;
        parts[1] = parts[1] << 4 | parts[0] >> 60;
        parts[0] = parts[0] << 4 | static_cast<u64>(is_digit ? c - '0' : letter - 'a' + 10);
        cursor.go_to(cursor.at() + 1);
        ++digits;
      }
      if (digits == 0 || digits > 32) return cursor.fail(start, cursor.at() - start, "expected a number of 128 bits");
    } else {
      i64 number = 0;
      if (!parse_number(cursor, number)) return false;
      parts[0] = static_cast<u64>(number);
      parts[1] = number < 0 ? ~u64{0} : 0;
    }
    for (const u64 part : parts) {
      text::Value value;
      value.integer = static_cast<i64>(part);
      if (!append_value(cursor, value, 8, start)) return false;
    }
  } while (cursor.take(','));
  return expect_end(cursor);
}

template <class Float>
bool Assembler::floats(text::Cursor& cursor) {
  do {
    cursor.skip_spaces();
    const std::size_t start = cursor.at();
    std::size_t end = start;
    const std::string_view line = cursor.line();
    while (end < line.size() && line[end] != ',' && !text::is_space(line[end])) ++end;
    const std::string word(line.substr(start, end - start));
    char* stop = nullptr;
    const double number = std::strtod(word.c_str(), &stop);
    const Float real =
        sizeof(Float) == 4 ? static_cast<Float>(std::strtof(word.c_str(), nullptr)) : static_cast<Float>(number);
    if (word.empty() || stop != word.c_str() + word.size()) return cursor.fail_here("expected a number");
    cursor.go_to(end);
    text::Value value;
    std::memcpy(&value.integer, &real, sizeof real);
    if (!append_value(cursor, value, sizeof real, start)) return false;
  } while (cursor.take(','));
  return expect_end(cursor);
}
template bool Assembler::floats<float>(text::Cursor&);
template bool Assembler::floats<double>(text::Cursor&);

template <bool ends_in_nul>
bool Assembler::strings(text::Cursor& cursor) {
  if (cursor.at_end()) return true;
  do {
    std::string text;
    cursor.skip_spaces();
    const std::size_t start = cursor.at();
    // Texts that stand side by side are one.
    do {
      std::string part;
      if (!parse_string(cursor, part)) return false;
      text += part;
    } while (cursor.peek() == '"');
    if (ends_in_nul) text += '\0';
    if (!sections_[section_].has_bytes()) return cursor.fail(start, 1, "a section of zeros holds nothing else");
    if (!has_room(cursor, text.size())) return false;
    bytes() += text;
  } while (cursor.take(','));
  return expect_end(cursor);
}
template bool Assembler::strings<false>(text::Cursor&);
template bool Assembler::strings<true>(text::Cursor&);

bool Assembler::append_repeated(text::Cursor& cursor, u64 count, u64 value, unsigned size) {
  if (size == 0) return true;
  if (count > (u64{1} << 31)) return cursor.fail(0, cursor.line().size(), "the object would have more than 1 GiB");
  if (!has_room(cursor, count * size)) return false;
  if (!sections_[section_].has_bytes()) {
    if (value != 0) return cursor.fail(0, cursor.line().size(), "a section of zeros holds nothing else");
    sections_[section_].zero_bytes += count * size;
    return true;
  }
  if (size == 1) {
    bytes().append(count, static_cast<char>(value));
    return true;
  }
  for (u64 i = 0; i < count; ++i) bytes().append(reinterpret_cast<const char*>(&value), size);
  return true;
}

/// `.zero count[, byte]`, `.space`, `.skip`.
bool Assembler::space(text::Cursor& cursor) {
  cursor.skip_spaces();
  const std::size_t start = cursor.at();
  i64 count = 0, value = 0;
  if (!parse_number(cursor, count)) return false;
  if (count < 0) return cursor.fail(start, cursor.at() - start, "a negative count");
  if (cursor.take(',') && !parse_number(cursor, value)) return false;
  return expect_end(cursor) && append_repeated(cursor, static_cast<u64>(count), static_cast<u64>(value) & 0xff, 1);
}

/// `.fill count[, size[, value]]`; of a value only 32 bits count.
bool Assembler::fill(text::Cursor& cursor) {
  cursor.skip_spaces();
  const std::size_t start = cursor.at();
  i64 count = 0, size = 1, value = 0;
  if (!parse_number(cursor, count)) return false;
  if (count < 0) return cursor.fail(start, cursor.at() - start, "a negative count");
  if (cursor.take(',')) {
    cursor.skip_spaces();
    const std::size_t size_at = cursor.at();
    if (!parse_number(cursor, size)) return false;
    if (size < 0 || size > 8) return cursor.fail(size_at, cursor.at() - size_at, "the size must be from 0 to 8 bytes");
    if (cursor.take(',') && !parse_number(cursor, value)) return false;
  }
  const u64 pattern = static_cast<u64>(value) & (size > 4 ? 0xffffffff : ~u64{0});
  return expect_end(cursor) && append_repeated(cursor, static_cast<u64>(count), pattern, static_cast<unsigned>(size));
}

/// Padding of code: what is no whole word first, then instructions that do nothing.
void Assembler::append_padding(u64 count) {
  std::string& out = bytes();
  out.append(count % 4, '\0');
  for (u64 i = 0; i < count / 4; ++i) out.append(reinterpret_cast<const char*>(&scalar_nop), sizeof scalar_nop);
}

template <bool is_power, unsigned fill_size>
bool Assembler::align(text::Cursor& cursor) {
  cursor.skip_spaces();
  const std::size_t start = cursor.at();
  constexpr u64 largest = u64{1} << 20;
  i64 number = 0;
  if (!parse_number(cursor, number)) return false;
  const std::size_t length = cursor.at() - start;
  const bool is_too_large = is_power ? number > 20 : number > static_cast<i64>(largest);
  if (number < 0 || is_too_large)
    return cursor.fail(start, length,
                       is_power ? "the alignment must be from 0 to 20, a power of two"
                                : fmt::format("the alignment must be from 0 to {}", largest));
  const u64 alignment = is_power ? u64{1} << number : number == 0 ? 1 : static_cast<u64>(number);
  if (!std::has_single_bit(alignment)) return cursor.fail(start, length, "the alignment must be a power of 2");
  return align_to(cursor, alignment, fill_size);
}
template bool Assembler::align<true, 1>(text::Cursor&);
template bool Assembler::align<true, 2>(text::Cursor&);
template bool Assembler::align<true, 4>(text::Cursor&);
template bool Assembler::align<false, 1>(text::Cursor&);
template bool Assembler::align<false, 2>(text::Cursor&);
template bool Assembler::align<false, 4>(text::Cursor&);

/// The rest: `[, [fill][, most]]`.
bool Assembler::align_to(text::Cursor& cursor, u64 alignment, unsigned fill_size) {
  i64 value = 0, most = 0;
  bool has_value = false;
  if (cursor.take(',')) {
    has_value = cursor.peek() != ',';
    if (has_value && !parse_number(cursor, value)) return false;
    if (cursor.take(',') && !parse_number(cursor, most)) return false;
  }
  if (!expect_end(cursor)) return false;
  ObjectSection& section = sections_[section_];
  section.alignment = std::max(section.alignment, alignment);
  const u64 at = place(), gap = (at + alignment - 1) / alignment * alignment - at;
  if (most > 0 && gap > static_cast<u64>(most)) return true;
  if (gap % fill_size != 0)
    return cursor.fail(0, cursor.line().size(), fmt::format("a gap of {} bytes is no multiple of {}", gap, fill_size));
  const bool is_code = (section.flags & 4) != 0;  // SHF_EXECINSTR
  if (is_code && !has_value && section.has_bytes()) {
    if (!has_room(cursor, gap)) return false;
    append_padding(gap);
    return true;
  }
  return append_repeated(cursor, gap / fill_size, static_cast<u64>(value), fill_size);
}

/// `.org offset[, byte]`: only forwards.
bool Assembler::org(text::Cursor& cursor) {
  cursor.skip_spaces();
  const std::size_t start = cursor.at();
  text::Value target;
  i64 byte = 0;
  if (!parse_value(cursor, target)) return false;
  const std::size_t length = cursor.at() - start;
  if (cursor.take(',') && !parse_number(cursor, byte)) return false;
  if (!expect_end(cursor)) return false;
  Relocatable known;
  known.constant = target.integer;
  std::string problem;
  if (target.later != 0 && !symbols_.evaluate(target.later, known, problem)) return cursor.fail(start, length, problem);
  u64 offset = static_cast<u64>(known.constant);
  if (known.plus != no_symbol) {
    const Symbol& symbol = symbols_[known.plus];
    if (symbol.state != Symbol::State::label || symbol.section != section_ || known.minus != no_symbol)
      return cursor.fail(start, length, "the place must be known, and in this section");
    offset += symbol.offset;
  }
  if (offset < place() || static_cast<i64>(offset) < 0)
    return cursor.fail(start, length,
                       fmt::format("the place {} lies before the current one, {}", static_cast<i64>(offset), place()));
  return append_repeated(cursor, offset - place(), static_cast<u64>(byte) & 0xff, 1);
}

template <bool is_signed>
bool Assembler::leb128(text::Cursor& cursor) {
  do {
    i64 number = 0;
    cursor.skip_spaces();
    const std::size_t start = cursor.at();
    if (!parse_number(cursor, number)) return false;
    if (!has_room(cursor, 10)) return false;
    if (!sections_[section_].has_bytes()) return cursor.fail(start, 1, "a section of zeros holds nothing else");
    while (true) {
      const u8 low = static_cast<u8>(number & 0x7f);
      number = is_signed ? number >> 7 : static_cast<i64>(static_cast<u64>(number) >> 7);
      const bool is_last =
          is_signed ? (number == 0 && (low & 0x40) == 0) || (number == -1 && (low & 0x40) != 0) : number == 0;
      bytes() += static_cast<char>(is_last ? low : low | 0x80);
      if (is_last) break;
    }
  } while (cursor.take(','));
  return expect_end(cursor);
}
template bool Assembler::leb128<false>(text::Cursor&);
template bool Assembler::leb128<true>(text::Cursor&);

/// `.incbin "file"[, skip[, count]]`.
bool Assembler::incbin(text::Cursor& cursor) {
  std::string name;
  cursor.skip_spaces();
  const std::size_t start = cursor.at();
  if (!parse_string(cursor, name)) return false;
  const std::size_t length = cursor.at() - start;
  i64 skip = 0, count = -1;
  if (cursor.take(',') && !parse_number(cursor, skip)) return false;
  if (cursor.take(',') && !parse_number(cursor, count)) return false;
  if (!expect_end(cursor)) return false;
  if (!options_.read_file) return cursor.fail(start, length, "files cannot be read from here");
  const auto source = options_.read_file(name);
  if (!source) return cursor.fail(start, length, source.error().message, source.error().hint);
  std::string_view content = sources_.text(*source);
  if (skip < 0 || static_cast<u64>(skip) > content.size()) return cursor.fail(start, length, "the file is shorter");
  content.remove_prefix(static_cast<std::size_t>(skip));
  if (count >= 0) content = content.substr(0, static_cast<std::size_t>(count));
  if (!has_room(cursor, content.size())) return false;
  if (!sections_[section_].has_bytes()) return cursor.fail(start, length, "a section of zeros holds nothing else");
  bytes() += content;
  return true;
}

}  // namespace gfxisa::assembler
