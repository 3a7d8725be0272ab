#include "doc/reference_text.h"

#include "inst/tables.h"

namespace gfxisa {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

/// The first word of `text`, which loses it.
std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text = trimmed(text.substr(end));
  return word;
}

ReferenceBlock head_of(std::string_view line, u32 number) {
  ReferenceBlock block;
  block.number = number;
  block.kind = take_word(line);
  // A name may have a space: mov.u64 %clock64.
  const std::size_t on = line.find(" on ");
  block.name = trimmed(line.substr(0, on));
  if (on != std::string_view::npos) block.set = trimmed(line.substr(on + 4));
  return block;
}

std::string replaced(std::string_view text, const std::string& what, std::string_view with) {
  std::string out(text);
  for (std::size_t at = out.find(what); at != std::string::npos; at = out.find(what, at + with.size()))
    out.replace(at, what.size(), with);
  return out;
}

/// A block for each value of its first `for` line, and so on for the others.
void expand_block(const std::string& block, std::string& out) {
  const std::size_t line = block.find("\n  for ");
  if (line == std::string::npos) {
    out += block;
    return;
  }
  const std::size_t end = block.find('\n', line + 1);
  std::string_view list = std::string_view(block).substr(line + 6, end - line - 6);
  const std::string letter(take_word(list).substr(0, 1));
  const std::string rest = block.substr(0, line) + block.substr(end);
  for (std::string_view value = take_word(list); !value.empty(); value = take_word(list)) {
    std::string one = rest, name = letter;
    while (true) {
      const std::size_t colon = std::min(value.find(':'), value.size());
      const std::string_view column = value.substr(0, colon);
      one = replaced(one, "{" + name + "}", column == "-" ? "" : column);
      name += '\'';
      if (colon == value.size()) break;
      value.remove_prefix(colon + 1);
    }
    expand_block(one, out);
  }
}

}  // namespace

std::string expand_reference(std::string_view text) {
  std::string out, block;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && line.front() != ' ') {
      expand_block(block, out);
      block.clear();
    }
    block.append(line).append("\n");
  }
  expand_block(block, out);
  return out;
}

std::string ReferenceBlock::text(std::string_view word) const {
  std::string out;
  for (const ReferenceLine& line : lines) {
    if (line.word == word) out += (out.empty() ? "" : " ") + std::string(line.rest);
  }
  return out;
}

std::vector<ReferenceBlock> parse_reference(std::string_view text) {
  std::vector<ReferenceBlock> out;
  u32 number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (trimmed(line).empty() || trimmed(line).starts_with("//")) continue;
    if (!line.starts_with(' ')) {
      out.push_back(head_of(line, number));
    } else if (!out.empty()) {
      const std::string_view word = take_word(line);
      out.back().lines.push_back({word, line, number});
    }
  }
  return out;
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) out.push_back(word);
  return out;
}

u16 chips_of_set(std::string_view set, std::string_view* unknown) {
  const Tables& all = tables();
  u16 chips = 0;
  const auto words = split_words(set);
  if (words.empty()) return static_cast<u16>((1u << all.chips.size()) - 1);
  for (const std::string_view word : words) {
    bool found = false;
    for (unsigned chip = 0; chip < all.chips.size(); ++chip) {
      if (all.text(all.chips[chip].name) != word && all.text(all.chips[chip].epoch) != word) continue;
      chips = static_cast<u16>(chips | 1u << chip);
      found = true;
    }
    if (!found && unknown != nullptr) *unknown = word;
  }
  return chips;
}

bool matches_pattern(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, mark = 0;
  while (t < text.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || lower(pattern[p]) == lower(text[t]))) {
      ++p, ++t;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool matches_any(std::string_view patterns, std::string_view text) {
  for (const std::string_view pattern : split_words(patterns)) {
    if (matches_pattern(pattern, text)) return true;
  }
  return false;
}

}  // namespace gfxisa
