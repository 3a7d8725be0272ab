#include "lang/parser.h"

#include "base/suggest.h"
#include "lang/parser_detail.h"

namespace gfxisa::lang {

File parse(u32 source, const Sources& sources, Diagnostics& diagnostics) {
  return Parser(source, sources, diagnostics).run();
}

Parser::Parser(u32 source, const Sources& sources, Diagnostics& diagnostics)
    : source_(source),
      sources_(&sources),
      diagnostics_(&diagnostics),
      lines_(split_lines(source, sources, diagnostics)) {
  file_.source = source;
}

File Parser::run() {
  while (more()) block();
  return std::move(file_);
}

void Parser::fail(Location at, std::string message, std::string hint) {
  diagnostics_->error(at, std::move(message), std::move(hint));
}

void Parser::skip_inside(u32 indent) {
  while (inside(indent)) ++at_;
}

// One top-level block. The head's reader is made before the lines move on, since children are read by `at_`.
void Parser::block() {
  LineReader words = reader();
  const u32 indent = line().indent;
  if (indent != 0) fail(words.here(), "an indented line that belongs to no block", "blocks begin at the left edge");
  ++at_;
  if (indent != 0) {
    while (more() && line().indent != 0) ++at_;
    return;
  }
  const Word keyword = words.next();
  top_level(words, keyword.text);
  skip_inside(0);
}

void Parser::top_level(LineReader& words, std::string_view keyword) {
  if (keyword == "family") return family(words);
  if (keyword == "chip") return chip(words);
  if (keyword == "epoch") return epoch(words);
  if (keyword == "format") return format(words);
  if (keyword == "code") return code(words);
  if (keyword == "kind") return kind(words);
  if (keyword == "encoding") return encoding(words, false);
  if (keyword == "suffix") return encoding(words, true);
  if (keyword == "promote") return promote(words);
  if (keyword == "fn") return function(words, false);
  if (keyword == "stage") return function(words, true);
  if (keyword == "topic") return append_text(file_.topic, words);
  Location at = words.here();
  at.column = 1;
  at.length = static_cast<u32>(keyword.size());
  unknown_line(
      {std::string(keyword), at}, "a file",
      {"family", "chip", "epoch", "format", "code", "kind", "encoding", "suffix", "promote", "fn", "stage", "topic"});
}

void Parser::unknown_line(const Word& keyword, std::string_view block, std::initializer_list<std::string_view> known) {
  std::string hint = suggestion(keyword.text, known);
  if (hint.empty()) {
    hint = "known are";
    for (const std::string_view word : known) hint += ' ' + std::string(word);
  }
  fail(keyword.at, "'" + keyword.text + "' begins no line of " + std::string(block), hint);
}

void Parser::no_lines_inside(u32 indent, std::string_view block) {
  if (inside(indent)) fail(reader().here(), std::string(block) + " has no indented lines");
  skip_inside(indent);
}

Word Parser::expect_word(LineReader& words, std::string_view what) {
  if (words.at_end()) fail(words.here(), "expected " + std::string(what) + ", found the end of the line");
  return words.next();
}

bool Parser::expect_literal(LineReader& words, std::string_view text, std::string_view hint) {
  if (words.peek() == text) {
    words.next();
    return true;
  }
  const std::string found = words.at_end() ? "the end of the line" : "'" + std::string(words.peek()) + "'";
  fail(words.here(), "expected '" + std::string(text) + "', found " + found, std::string(hint));
  return false;
}

void Parser::expect_end(LineReader& words) {
  if (!words.at_end()) fail(words.here(), "unexpected '" + std::string(words.peek()) + "'");
}

bool Parser::expect_number(LineReader& words, std::string_view what, u64 most, u64& value) {
  const Word word = expect_word(words, what);
  if (word.text.empty()) return false;
  if (!parse_number(word.text, value)) {
    fail(word.at, "expected " + std::string(what) + ", found '" + word.text + "'",
         "numbers are written 12, 0x1f, 0b101");
    return false;
  }
  if (value <= most) return true;
  fail(word.at, std::string(what) + " is at most " + std::to_string(most));
  return false;
}

bool Parser::expect_signed(LineReader& words, std::string_view what, i64& value) {
  const Word word = expect_word(words, what);
  if (word.text.empty()) return false;
  const bool negative = word.text[0] == '-';
  u64 magnitude = 0;
  if (!parse_number(std::string_view(word.text).substr(negative), magnitude) || magnitude > low_ones(31)) {
    fail(word.at, "expected " + std::string(what) + ", found '" + word.text + "'");
    return false;
  }
  value = negative ? -static_cast<i64>(magnitude) : static_cast<i64>(magnitude);
  return true;
}

std::vector<Word> Parser::words_left(LineReader& words) {
  std::vector<Word> all;
  while (!words.at_end()) all.push_back(words.next());
  return all;
}

// Lines of one text are joined by a blank; an empty line begins a new paragraph.
void Parser::append_text(Text& target, LineReader& words) {
  Text more = words.rest();
  if (target.text.empty()) {
    target = std::move(more);
  } else if (more.text.empty()) {
    if (target.text.back() != '\n') target.text += '\n';
  } else {
    if (target.text.back() != '\n') target.text += ' ';
    target.text += more.text;
  }
}

Set Parser::column_set(const Word& word) {
  Set set;
  std::size_t start = 0;
  while (start <= word.text.size()) {
    const std::size_t stop = std::min(word.text.find(',', start), word.text.size());
    Location at = word.at;
    at.column += static_cast<u32>(start);
    at.length = static_cast<u32>(stop - start);
    if (stop == start) {
      fail(word.at, "an empty name in '" + word.text + "'",
           "several generations in one column are joined as gfx9,gfx10");
    } else {
      set.items.push_back({word.text.substr(start, stop - start), at});
    }
    start = stop + 1;
  }
  return set;
}

}  // namespace gfxisa::lang
