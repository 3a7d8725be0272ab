#include "assembler/statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace gfxisa::assembler {

namespace {

constexpr std::size_t most_nested = 128;
constexpr u64 most_expanded_lines = 10'000'000;
constexpr std::size_t most_errors = 1000;

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string_view first_word(std::string_view line) {
  text::Cursor cursor(line);
  return cursor.peek_identifier();
}

/// Eight characters with the highest bit of each one set that may end a line, begin a comment or a text in quotes. Of
/// those behind the first, some may have it set without cause.
constexpr u64 marks_of_ends(u64 characters) {
  constexpr u64 each = 0x0101010101010101;
  const auto marks_of = [](u64 others, char c) {
    const u64 different = others ^ (each * static_cast<u8>(c));
    return (different - each) & ~different & (each << 7);
  };
  // '"' and '#' differ in one bit, as do '\'' and '/'.
  return marks_of(characters, '\n') | marks_of(characters, ';') | marks_of(characters | each * ('"' ^ '#'), '#') |
         marks_of(characters | each * ('\'' ^ '/'), '/');
}

/// The place of the next such character; the end when there is none.
std::size_t find_end(std::string_view text, std::size_t at) {
  u64 characters = 0;
  for (; at + sizeof characters <= text.size(); at += sizeof characters) {
    std::memcpy(&characters, text.data() + at, sizeof characters);
    if (const u64 marks = marks_of_ends(characters); marks != 0)
      return at + static_cast<std::size_t>(std::countr_zero(marks)) / 8;
  }
  return std::min(text.find_first_of("\n;/#\"'", at), text.size());
}

bool is_blank(std::string_view text) { return std::all_of(text.begin(), text.end(), text::is_space); }

std::string_view without_end_spaces(std::string_view text) {
  while (!text.empty() && text::is_space(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

StatementReader::StatementReader(u32 source, const Sources& sources, Diagnostics& diagnostics)
    : sources_(sources), diagnostics_(diagnostics) {
  Buffer buffer;
  buffer.text = sources.text(source);
  buffer.source = source;
  buffers_.push_back(std::move(buffer));
}

Location StatementReader::locate(std::size_t at, std::size_t length) const {
  const Buffer& buffer = buffers_.back();
  if (buffer.expands.empty())
    return {buffer.source, statement_line_, static_cast<u32>(at + 1), static_cast<u32>(length)};
  return {buffer.source, statement_line_, 1, 1};
}

void StatementReader::report(const text::LineError& error) {
  diagnostics_.error(locate(error.at, error.length), in_context(error), error.hint);
}

void StatementReader::warn(const text::LineError& warning) {
  diagnostics_.warning(locate(warning.at, warning.length), in_context(warning), warning.hint);
}

/// The message, and in what expansion the line stands.
std::string StatementReader::in_context(const text::LineError& error) const {
  std::string message = error.message;
  const Buffer& buffer = buffers_.back();
  if (!buffer.expands.empty()) {
    const std::string_view shown = statement_.substr(0, 120);
    message += fmt::format("; in {} at line {}: '{}'", buffer.expands, buffer.call_line, shown);
  }
  return message;
}

void StatementReader::fail(std::string message, std::string hint) {
  report({std::move(message), std::move(hint), 0, std::max<std::size_t>(statement_.size(), 1)});
}

/// At the end of a buffer: its next round, or back to the one that it was called from. False when all is read.
bool StatementReader::finish_buffer() {
  Buffer& buffer = buffers_.back();
  if (conditions_.size() > buffer.conditions) {
    diagnostics_.error(conditions_.back().at, ".if without .endif");
    conditions_.resize(buffer.conditions);
  }
  if (buffers_.size() == 1) return false;
  const bool goes_on = buffer.repetitions != 0 || (buffer.next_round && buffer.next_round(buffer));
  if (!goes_on) return buffers_.pop_back(), true;
  if (buffer.repetitions != 0) --buffer.repetitions;
  buffer.at = 0;
  buffer.line = buffer.first_line;
  ++expanded_lines_;  // rounds of nothing end too
  return true;
}

/// The line at the place of a buffer without its comment; the place moves behind it.
std::string_view StatementReader::scan_line(Buffer& buffer) {
  const std::string_view text = buffer.text;
  const std::size_t start = buffer.at;
  std::size_t i = find_end(text, start);
  for (; i < text.size(); i = find_end(text, i + 1)) {
    const char c = text[i];
    if (c == '\n') break;
    if (c == '"' || c == '\'' || (c == '/' && i + 1 < text.size() && text[i + 1] == '*'))
      return scan_with_comments(buffer, start);
    const bool is_comment = c == ';' || (c == '/' && i + 1 < text.size() && text[i + 1] == '/') ||
                            (c == '#' && is_blank(text.substr(start, i - start)));
    if (is_comment) break;
  }
  const std::string_view line = text.substr(start, i - start);
  if (i < text.size() && text[i] != '\n') {
    const std::size_t end = text.find('\n', i);
    i = end == std::string_view::npos ? text.size() : end;
  }
  buffer.at = i + 1;
  ++buffer.line;
  return without_end_spaces(line);
}

/// The same for lines with texts in quotes or comments in between, which become spaces and may go over several lines.
std::string_view StatementReader::scan_with_comments(Buffer& buffer, std::size_t start) {
  const std::string_view text = buffer.text;
  joined_.clear();
  std::size_t i = start;
  char quote = 0;
  while (i < text.size() && text[i] != '\n') {
    const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (quote != 0) {
      joined_ += c;
      if (c == '\\' && next != '\n' && next != '\0') joined_ += text[++i];
      if (c == quote) quote = 0;
      ++i;
    } else if (c == '/' && next == '*') {
      const std::size_t end = std::min(text.find("*/", i + 2), text.size());
      for (; i < std::min(end + 2, text.size()); ++i) {
        buffer.line += text[i] == '\n';
        joined_ += ' ';
      }
    } else if (c == ';' || (c == '/' && next == '/') ||
               (c == '#' && joined_.find_first_not_of(" \t\r") == std::string::npos)) {
      i = std::min(text.find('\n', i), text.size());
    } else {
      if (c == '"') quote = c;
      const bool is_character = c == '\'' && i + 2 < text.size() && (text[i + 2] == '\'' || next == '\\');
      joined_ += c;
      if (is_character) joined_ += text[++i];
      ++i;
    }
  }
  buffer.at = i + 1;
  ++buffer.line;
  return without_end_spaces(joined_);
}

bool StatementReader::next_line(std::string_view& line) {
  while (true) {
    if (buffers_.back().at >= buffers_.back().text.size()) {
      if (!finish_buffer()) return false;
      continue;
    }
    Buffer& buffer = buffers_.back();
    statement_line_ = buffer.line;
    line = scan_line(buffer);
    if (buffers_.size() > 1 && ++expanded_lines_ > most_expanded_lines) {
      fail(fmt::format("macros and repetitions come to more than {} lines", most_expanded_lines));
      return stop(), false;
    }
    return true;
  }
}

bool StatementReader::next(std::string_view& statement) {
  std::string_view line;
  while (next_line(line)) {
    if (line.empty()) continue;
    statement_ = line;
    if (!is_reading()) {
      const bool is_asked = first_word(line) == ".elseif" && conditions_.back().was_reading;
      if (!is_asked) {
        skip(line);
        continue;
      }
    }
    if (diagnostics_.error_count() >= most_errors) return false;
    statement = line;
    return true;
  }
  return false;
}

std::string_view StatementReader::peek_line() const {
  const Buffer& buffer = buffers_.back();
  const bool may_be_known = buffers_.size() == 1 && is_reading() && diagnostics_.error_count() < most_errors;
  if (!may_be_known || buffer.at >= buffer.text.size()) return {};
  const std::string_view rest = buffer.text.substr(buffer.at);
  return rest.substr(0, rest.find('\n'));
}

void StatementReader::take_line(std::string_view line) {
  Buffer& buffer = buffers_.back();
  statement_ = line;
  statement_line_ = buffer.line++;
  buffer.at += line.size() + 1;
}

void StatementReader::stop() {
  buffers_.resize(1);
  buffers_[0].at = buffers_[0].text.size();
  conditions_.clear();
}

bool StatementReader::push(Buffer buffer) {
  if (buffers_.size() >= most_nested) {
    fail(fmt::format("macros and repetitions are more than {} deep in one another", most_nested),
         "does a macro call itself without end?");
    return stop(), false;
  }
  buffer.conditions = conditions_.size();
  buffer.line = buffer.first_line;
  buffers_.push_back(std::move(buffer));
  return true;
}

bool StatementReader::include(u32 source) {
  // A source was added, which may have moved the texts.
  for (Buffer& file : buffers_) {
    if (file.owner == nullptr) file.text = sources_.text(file.source);
  }
  Buffer buffer;
  buffer.text = sources_.text(source);
  buffer.source = source;
  return push(std::move(buffer));
}

// ---- conditions

void StatementReader::begin_condition(bool holds) {
  conditions_.push_back({holds, holds, true, false, locate(0, std::max<std::size_t>(statement_.size(), 1))});
}

/// A line that a condition leaves out: only conditions count.
void StatementReader::skip(std::string_view line) {
  const std::string_view word = first_word(line);
  if (!word.starts_with('.')) return;
  if (word.starts_with(".if")) {
    conditions_.push_back({false, true, false, false, locate(0, 1)});
  } else if (word == ".endif") {
    end_condition();
  } else if (word == ".else") {
    otherwise();
  }
}

bool StatementReader::else_if() {
  if (conditions_.size() <= buffers_.back().conditions) return fail(".elseif without .if"), false;
  Condition& condition = conditions_.back();
  if (condition.had_else) return fail(".elseif after .else"), false;
  condition.is_active = false;
  return condition.was_reading && !condition.was_taken;
}

void StatementReader::otherwise() {
  if (conditions_.size() <= buffers_.back().conditions) return fail(".else without .if");
  Condition& condition = conditions_.back();
  if (condition.had_else) fail("a second .else");
  condition.is_active = condition.was_reading && !condition.was_taken;
  condition.was_taken = condition.had_else = true;
}

void StatementReader::end_condition() {
  if (conditions_.size() <= buffers_.back().conditions) return fail(".endif without .if");
  conditions_.pop_back();
}

// ---- macros

const Macro* StatementReader::find_macro(std::string_view name) const {
  if (macros_.empty()) return nullptr;
  const auto found = macros_.find(std::string(name));
  return found == macros_.end() ? nullptr : &found->second;
}

/// The lines up to the directive that ends what a directive began, with inner ones of the same kind.
bool StatementReader::read_body(std::string_view what, std::initializer_list<std::string_view> begins,
                                std::initializer_list<std::string_view> ends, std::string& body, u32& line) {
  Buffer& buffer = buffers_.back();
  const Location place = locate(0, std::max<std::size_t>(statement_.size(), 1));
  line = buffer.line;
  std::size_t depth = 1;
  const std::size_t start = buffer.at;
  while (buffer.at < buffer.text.size()) {
    const std::size_t end = buffer.at;
    const std::string_view word = first_word(scan_line(buffer));
    if (is_one_of(word, begins)) ++depth;
    if (is_one_of(word, ends) && --depth == 0) {
      body = std::string(buffer.text.substr(start, end - start));
      return true;
    }
  }
  diagnostics_.error(place, fmt::format("{} without {}", what, *ends.begin()));
  return false;
}

bool StatementReader::define_macro(text::Cursor& cursor) {
  Macro macro;
  macro.name = cursor.take_identifier();
  bool is_good = !macro.name.empty();
  if (!is_good) fail("expected the macro's name");
  cursor.take(',');
  while (is_good && !cursor.at_end()) {
    Macro::Parameter parameter;
    parameter.name = cursor.take_identifier();
    is_good = !parameter.name.empty() && (macro.parameters.empty() || !macro.parameters.back().takes_rest);
    if (!is_good) {
      fail("expected the name of a parameter");
      break;
    }
    if (cursor.take(':')) {
      const std::string_view kind = cursor.take_identifier();
      parameter.is_required = kind == "req";
      parameter.takes_rest = kind == "vararg";
      is_good = parameter.is_required || parameter.takes_rest;
      if (!is_good) fail("a parameter is ':req' or ':vararg'");
    }
    if (cursor.take('=')) {
      cursor.skip_spaces();
      const std::size_t start = cursor.at();
      while (cursor.at() < cursor.line().size() && cursor.peek_after(0) != ',' && !text::is_space(cursor.peek_after(0)))
        cursor.go_to(cursor.at() + 1);
      parameter.standard = cursor.text_from(start);
    }
    macro.parameters.push_back(std::move(parameter));
    cursor.take(',');
  }
  macro.source = buffers_.back().source;
  if (!read_body(".macro", {".macro"}, {".endm", ".endmacro"}, macro.body, macro.line)) return false;
  if (!is_good) return false;
  const std::string name = macro.name;
  if (macros_.contains(name)) return fail("the macro '" + name + "' is defined twice", "remove it with .purgem"), false;
  macros_.emplace(name, std::move(macro));
  return true;
}

/// One value: up to a comma, or a space at depth 0 where no operator stands; a text in quotes without them.
static std::string read_argument(text::Cursor& cursor, bool takes_rest) {
  cursor.skip_spaces();
  const std::size_t start = cursor.at();
  const std::string_view line = cursor.line();
  if (takes_rest) {
    cursor.go_to(line.size());
    return std::string(line.substr(start));
  }
  if (cursor.peek() == '"') {
    std::size_t i = start + 1;
    while (i < line.size() && line[i] != '"') i += line[i] == '\\' ? 2 : 1;
    cursor.go_to(std::min(i + 1, line.size()));
    const std::size_t end = std::min(i, line.size());
    return std::string(line.substr(start + 1, end - start - 1));
  }
  const auto is_operator = [](char c) { return std::string_view("+-*/%&|^<>=!~").find(c) != std::string_view::npos; };
  int depth = 0;
  std::size_t i = start;
  for (; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == ',' && depth <= 0) break;
    if (!text::is_space(c) || depth > 0) continue;
    std::size_t following = i;
    while (following < line.size() && text::is_space(line[following])) ++following;
    const bool goes_on =
        (i > start && is_operator(line[i - 1])) || (following < line.size() && is_operator(line[following]));
    if (!goes_on) break;
    i = following - 1;
  }
  cursor.go_to(i);
  return std::string(without_end_spaces(line.substr(start, i - start)));
}

bool StatementReader::read_arguments(const Macro& macro, text::Cursor& cursor, std::vector<std::string>& values) {
  values.assign(macro.parameters.size(), {});
  std::vector<bool> given(macro.parameters.size());
  std::size_t position = 0;
  while (!cursor.at_end()) {
    const std::size_t start = cursor.at();
    std::size_t index = position;
    const std::string_view name = cursor.peek_identifier();
    std::size_t after = cursor.at() + name.size();
    while (after < cursor.line().size() && text::is_space(cursor.line()[after])) ++after;
    const bool has_equals = !name.empty() && after < cursor.line().size() && cursor.line()[after] == '=' &&
                            cursor.line().substr(after, 2) != "==";
    if (has_equals) {
      const auto found = std::find_if(macro.parameters.begin(), macro.parameters.end(),
                                      [&](const Macro::Parameter& parameter) { return parameter.name == name; });
      if (found != macro.parameters.end()) {
        index = static_cast<std::size_t>(found - macro.parameters.begin());
        cursor.go_to(after + 1);
      }
    }
    if (index >= macro.parameters.size()) {
      report({fmt::format("'{}' has {} parameters", macro.name, macro.parameters.size()), "", start, 1});
      return false;
    }
    values[index] = read_argument(cursor, macro.parameters[index].takes_rest);
    given[index] = !values[index].empty();
    position = index + 1;
    cursor.take(',');
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (given[i]) continue;
    if (macro.parameters[i].is_required) {
      fail(fmt::format("'{}' needs the parameter '{}'", macro.name, macro.parameters[i].name));
      return false;
    }
    values[i] = macro.parameters[i].standard;
  }
  return true;
}

/// A body with `\name` replaced by values, `\@` by the number of the call, `\()` by nothing.
std::string StatementReader::expanded(std::string_view body, const std::vector<Macro::Parameter>& parameters,
                                      const std::vector<std::string>& values) const {
  std::string out;
  out.reserve(body.size() + 64);
  for (std::size_t i = 0; i < body.size();) {
    if (body[i] != '\\' || i + 1 >= body.size()) {
      out += body[i++];
      continue;
    }
    const std::string_view rest = body.substr(i + 1);
    if (rest[0] == '@') {
      out += std::to_string(macro_calls_ - 1);
      i += 2;
      continue;
    }
    if (rest.starts_with("()")) {
      i += 3;
      continue;
    }
    std::size_t length = 0;
    while (length < rest.size() && text::is_name_character(rest[length]) && rest[length] != '.') ++length;
    bool is_known = false;
    for (std::size_t p = 0; p < parameters.size() && !is_known; ++p) {
      if (parameters[p].name != rest.substr(0, length)) continue;
      out += values[p];
      is_known = true;
    }
    if (is_known)
      i += length + 1;
    else
      out += body[i++];
  }
  return out;
}

bool StatementReader::call_macro(const Macro& macro, text::Cursor& cursor) {
  std::vector<std::string> values;
  if (!read_arguments(macro, cursor, values)) return false;
  ++macro_calls_;
  Buffer buffer;
  buffer.owner = std::make_shared<const std::string>(expanded(macro.body, macro.parameters, values));
  buffer.text = *buffer.owner;
  buffer.source = macro.source;
  buffer.first_line = macro.line;
  buffer.expands = "'" + macro.name + "'";
  buffer.call_line = is_expansion() ? buffers_.back().call_line : statement_line_;
  return push(std::move(buffer));
}

bool StatementReader::repeat(i64 count) {
  Buffer buffer;
  std::string body;
  buffer.source = buffers_.back().source;
  buffer.call_line = is_expansion() ? buffers_.back().call_line : statement_line_;
  if (!read_body(".rept", {".rept", ".rep", ".irp", ".irpc"}, {".endr"}, body, buffer.first_line)) return false;
  if (count < 0) return fail("a negative count"), false;
  if (count == 0 || body.empty()) return true;
  buffer.owner = std::make_shared<const std::string>(std::move(body));
  buffer.text = *buffer.owner;
  buffer.expands = "the repetition";
  buffer.repetitions = static_cast<u64>(count - 1);
  return push(std::move(buffer));
}

bool StatementReader::repeat_for(text::Cursor& cursor, bool each_character) {
  Macro::Parameter parameter;
  parameter.name = cursor.take_identifier();
  cursor.take(',');
  auto values = std::make_shared<std::vector<std::string>>();
  while (!cursor.at_end()) {
    const std::string value = read_argument(cursor, false);
    if (each_character)
      for (const char c : value) values->push_back(std::string(1, c));
    else
      values->push_back(value);
    if (!cursor.take(',') && each_character) break;
  }
  if (values->empty() && !each_character) values->push_back({});
  Buffer buffer;
  auto body = std::make_shared<std::string>();
  buffer.source = buffers_.back().source;
  buffer.call_line = is_expansion() ? buffers_.back().call_line : statement_line_;
  const bool is_read = read_body(each_character ? ".irpc" : ".irp", {".rept", ".rep", ".irp", ".irpc"}, {".endr"},
                                 *body, buffer.first_line);
  if (!is_read) return false;
  if (parameter.name.empty()) return fail("expected the name of a parameter"), false;
  buffer.expands = "the repetition";
  buffer.next_round = [this, parameter, values, body, round = std::size_t{0}](Buffer& self) mutable {
    if (round == values->size()) return false;
    self.owner = std::make_shared<const std::string>(expanded(*body, {parameter}, {(*values)[round++]}));
    self.text = *self.owner;
    return true;
  };
  if (!buffer.next_round(buffer)) return true;
  return push(std::move(buffer));
}

/// `.exitm`: the rest of the innermost macro, and what it opened, is over.
bool StatementReader::leave_macro() {
  while (buffers_.size() > 1 && !buffers_.back().expands.starts_with('\'')) {
    conditions_.resize(std::min(conditions_.size(), buffers_.back().conditions));
    buffers_.pop_back();
  }
  if (buffers_.size() == 1) return fail(".exitm outside a macro"), false;
  Buffer& buffer = buffers_.back();
  conditions_.resize(std::min(conditions_.size(), buffer.conditions));
  buffer.at = buffer.text.size();
  return true;
}

bool StatementReader::raw_lines(std::string_view end, std::string& lines, u32& first_line) {
  Buffer& buffer = buffers_.back();
  first_line = buffer.line;
  while (buffer.at < buffer.text.size()) {
    const std::size_t stop = std::min(buffer.text.find('\n', buffer.at), buffer.text.size());
    const std::string_view line = buffer.text.substr(buffer.at, stop - buffer.at);
    buffer.at = stop + 1;
    ++buffer.line;
    if (first_word(line) == end) return true;
    lines += line;
    lines += '\n';
  }
  fail(fmt::format("{} is missing", end));
  return false;
}

}  // namespace gfxisa::assembler
