#include "lang/format.h"

#include <algorithm>
#include <vector>

#include "lang/lines.h"

namespace gfxisa::lang {

namespace {

constexpr std::size_t family_column = 8;  // widths of the first word of a line, by block
constexpr std::size_t encoding_column = 8;

struct Line {
  std::size_t indent = 0;  ///< as written
  std::size_t depth = 0;   ///< level it belongs to
  std::string code;
  std::string comment;
  bool is_blank() const { return code.empty() && comment.empty(); }
};

using Words = std::vector<std::string>;

std::string trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\v\f";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
}

Words words_of(std::string_view text) {
  Words words;
  for (std::size_t at = text.find_first_not_of(' '); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = text.find_first_not_of(' ', end);
  }
  return words;
}

/// The text after the first `count` words.
std::string after_words(std::string_view text, std::size_t count) {
  for (; count > 0; --count) {
    text.remove_prefix(std::min(text.find(' '), text.size()));
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  return std::string(text);
}

void pad(std::string& text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
}

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t stop = std::min(text.find('\n', start), text.size());
    const std::string_view raw = text.substr(start, stop - start);
    start = stop + 1;
    const std::size_t comment = comment_start(raw);
    Line line;
    line.indent = std::min(raw.find_first_not_of(" \t"), raw.size());
    line.code = trimmed(raw.substr(0, comment));
    line.comment = trimmed(raw.substr(comment));
    lines.push_back(std::move(line));
  }
  return lines;
}

bool is_access(const std::string& word) {
  return word == "in" || word == "out" || word == "inout" || word == "imm" || word == "field" || word == "returned" ||
         word == "exchanged";
}

bool begins_upper(const std::string& code) {
  return !code.empty() && ((code[0] >= 'A' && code[0] <= 'Z') || code[0] == '{');
}

class Formatter {
 public:
  explicit Formatter(std::string_view text) : lines_(lines_of(text)) { find_depths(); }

  std::string run() {
    for (std::size_t at = 0; at < lines_.size();) at = lines_[at].is_blank() ? blank(at) : group(at);
    while (!out_.empty() && out_.back().empty()) out_.pop_back();
    std::string text;
    for (const std::string& line : out_) text += line + '\n';
    return text;
  }

 private:
  // A comment stands at the level of the code after it.
  void find_depths() {
    std::vector<std::size_t> levels;
    for (Line& line : lines_) {
      if (line.code.empty()) continue;
      while (!levels.empty() && levels.back() >= line.indent) levels.pop_back();
      line.depth = levels.size();
      levels.push_back(line.indent);
    }
    std::size_t depth = 0;
    for (std::size_t at = lines_.size(); at-- > 0;) {
      if (lines_[at].code.empty()) {
        lines_[at].depth = depth;
      } else {
        depth = lines_[at].depth;
      }
    }
  }

  std::size_t blank(std::size_t at) {
    if (!out_.empty() && !out_.back().empty()) out_.emplace_back();
    return at + 1;
  }

  /// Formats the line at `at`, with those it shares columns with. Gives the line after them.
  std::size_t group(std::size_t at) {
    const Line& line = lines_[at];
    if (line.code.empty()) return plain(at);
    if (line.depth == 0) return head(at);
    const bool is_member = line.depth == 1;
    if (is_member && block_ == "family") return family_line(at);
    if (is_member && (block_ == "encoding" || block_ == "suffix")) return encoding_line(at);
    if (is_member && (block_ == "chip" || block_ == "kind"))
      return keyword_line(at, block_ == "chip" ? family_column : 6);
    return plain(at);
  }

  std::size_t head(std::size_t at) {
    const Words words = words_of(lines_[at].code);
    block_ = words[0];
    separate(at);
    return plain(at);
  }

  bool has_children(std::size_t at) const {
    for (++at; at < lines_.size(); ++at) {
      if (!lines_[at].code.empty()) return lines_[at].depth > 0;
    }
    return false;
  }

  // A blank line before a block of several lines, above its own comment; and after one.
  void separate(std::size_t at) {
    // Operand kinds are listed like lines of a table, each with its sentence.
    const bool large = has_children(at) && block_ != "kind";
    if (large || after_large_) {
      std::size_t place = out_.size();
      while (place > 0 && out_[place - 1].substr(0, 2) == "//") --place;
      if (place > 0 && !out_[place - 1].empty())
        out_.insert(out_.begin() + static_cast<std::ptrdiff_t>(place), std::string());
    }
    after_large_ = large;
  }

  void emit(std::size_t depth, std::string text, const std::string& comment) {
    if (!comment.empty()) text += (text.empty() ? "" : "  ") + comment;
    const std::size_t end = text.find_last_not_of(' ');
    out_.push_back(std::string(2 * depth, ' ') + text.substr(0, end + 1));
  }

  std::size_t plain(std::size_t at) {
    emit(lines_[at].depth, lines_[at].code, lines_[at].comment);
    return at + 1;
  }

  std::size_t keyword_line(std::size_t at, std::size_t width) {
    std::string text = words_of(lines_[at].code)[0];
    pad(text, width);
    emit(1, text + ' ' + after_words(lines_[at].code, 1), lines_[at].comment);
    return at + 1;
  }

  std::size_t family_line(std::size_t at) {
    const Words words = words_of(lines_[at].code);
    if (words.size() > 1 && is_access(words[1])) return slots(at);
    if (words[0] == "exec") return plain(at);
    if (begins_upper(words[0])) return table(at);
    return keyword_line(at, family_column);
  }

  /// The lines from `at` on that hold code and satisfy `belongs`, comments between them included.
  template <class Belongs>
  std::size_t run_end(std::size_t at, Belongs belongs) const {
    while (at < lines_.size() && !lines_[at].is_blank() && (lines_[at].code.empty() || belongs(lines_[at]))) ++at;
    return at;
  }

  /// Where the note of a slot begins: behind its type, `via KIND`, `by FIELD` and `on SET:`.
  static std::size_t slot_note(const Words& words) {
    std::size_t at = std::min<std::size_t>(words.size(), 3);
    for (const std::string_view keyword : {"via", "by"}) {
      if (at + 1 < words.size() && words[at] == keyword) at += 2;
    }
    if (at >= words.size() || words[at] != "on") return at;
    while (at < words.size() && words[at++].back() != ':') {
    }
    return at;
  }

  static std::string slot_type(const Words& words) {
    std::string type;
    for (std::size_t i = 2; i < slot_note(words); ++i) type += (i == 2 ? "" : " ") + words[i];
    return type;
  }

  std::size_t slots(std::size_t at) {
    const auto is_slot = [](const Line& line) {
      const Words words = words_of(line.code);
      return line.depth == 1 && words.size() > 1 && is_access(words[1]);
    };
    const std::size_t end = run_end(at, is_slot);
    std::size_t access = 0, type = 0;
    for (std::size_t i = at; i < end; ++i) {
      const Words words = words_of(lines_[i].code);
      if (words.size() < 2) continue;
      access = std::max(access, words[1].size());
      type = std::max(type, slot_type(words).size());
    }
    for (; at < end; ++at) {
      if (lines_[at].code.empty()) {
        plain(at);
      } else {
        slot(at, access, type);
      }
    }
    return end;
  }

  void slot(std::size_t at, std::size_t access_width, std::size_t type_width) {
    const Words words = words_of(lines_[at].code);
    std::string text = words[0];
    pad(text, family_column);
    text += ' ' + words[1];
    pad(text, family_column + 1 + std::max<std::size_t>(access_width, 3));
    const std::string type = slot_type(words);
    text += ' ' + type;
    pad(text, family_column + 2 + std::max<std::size_t>(access_width, 3) + type_width);
    emit(1, text + "  " + after_words(lines_[at].code, slot_note(words)), lines_[at].comment);
  }

  // ---- opcode tables: a label and cells; `0x40 + C` is one cell

  struct Row {
    std::string label;
    Words cells;
  };

  static bool begins_cell(const std::string& word) {
    const std::size_t x = word.rfind('x');
    return word == "-" || (word[0] >= '0' && word[0] <= '9' && (x == std::string::npos || x == 1));
  }

  static Row row_of(const std::string& code, std::size_t columns) {
    Row row;
    const Words words = words_of(code);
    std::size_t at = 0;
    while (at < words.size() && (!begins_cell(words[at]) || words[at].find("..") != std::string::npos)) {
      row.label += (row.label.empty() ? "" : " ") + words[at++];
    }
    for (; at < words.size(); ++at) {
      const auto joins = [](const std::string& word) { return word == "+" || word == "*"; };
      const bool continues = !row.cells.empty() && (joins(words[at]) || joins(words[at - 1]));
      if (continues) {
        row.cells.back() += ' ' + words[at];
      } else {
        row.cells.push_back(words[at]);
      }
    }
    if (row.label.empty() && row.cells.size() == columns + 1) {
      row.label = row.cells[0];
      row.cells.erase(row.cells.begin());
    }
    return row;
  }

  std::size_t table(std::size_t at) {
    const Words head = words_of(lines_[at].code);
    std::size_t end = at + 1;
    std::size_t last = at;
    for (; end < lines_.size() && (lines_[end].code.empty() || lines_[end].depth > 1); ++end) {
      if (!lines_[end].code.empty()) last = end;
    }
    std::vector<Row> rows{{head[0], {head.begin() + 1, head.end()}}};
    std::size_t first_width = head[0].size();
    std::vector<std::size_t> widths;
    for (std::size_t i = at + 1; i <= last; ++i) {
      rows.push_back(row_of(lines_[i].code, head.size() - 1));
      if (!rows.back().label.empty()) first_width = std::max(first_width, rows.back().label.size() + 2);
    }
    for (const Row& row : rows) {
      widths.resize(std::max(widths.size(), row.cells.size()));
      for (std::size_t i = 0; i < row.cells.size(); ++i) widths[i] = std::max(widths[i], row.cells[i].size());
    }
    for (std::size_t i = at; i <= last; ++i) table_line(i, i == at, rows[i - at], first_width, widths);
    return last + 1;
  }

  void table_line(std::size_t at, bool is_head, const Row& row, std::size_t first_width,
                  const std::vector<std::size_t>& widths) {
    if (lines_[at].is_blank()) return;
    if (lines_[at].code.empty()) return emit(2, {}, lines_[at].comment);
    const std::size_t depth = is_head ? 1 : 2;
    std::string text = row.label;
    std::size_t end = first_width + 2 - 2 * (depth - 1);
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      pad(text, end);
      text += row.cells[i];
      end += widths[i] + 1;
    }
    emit(depth, text, lines_[at].comment);
  }

  // ---- bit lines of encodings: range, name, type, rest

  static bool is_bits(const Line& line) { return !line.code.empty() && line.code[0] >= '0' && line.code[0] <= '9'; }
  static bool has_name(const Words& words) {
    return words.size() > 2 && words[1] != "=" && words[1] != "op" && words[1] != "reserved";
  }

  /// A bit line in columns, without its set.
  struct Bits {
    std::string range, name, type, rest, on;
  };

  static Bits bits_of(const std::string& code) {
    Words words = words_of(code);
    Bits bits;
    const auto on = std::find(words.begin(), words.end(), "on");
    for (auto word = on; word != words.end(); ++word) bits.on += (bits.on.empty() ? "" : " ") + *word;
    words.erase(on, words.end());
    bits.range = words[0];
    std::size_t next = 1;
    if (has_name(words)) {
      bits.name = words[1];
      bits.type = words[2];
      next = 3;
    }
    for (; next < words.size(); ++next) bits.rest += (bits.rest.empty() ? "" : " ") + words[next];
    return bits;
  }

  std::size_t encoding_line(std::size_t at) {
    if (!is_bits(lines_[at])) return keyword_line(at, encoding_column);
    const std::size_t end = run_end(at, [](const Line& line) { return line.depth == 1 && is_bits(line); });
    std::size_t name = 0, type = 0;
    std::vector<Bits> run;
    for (std::size_t i = at; i < end; ++i) {
      run.push_back(lines_[i].code.empty() ? Bits{} : bits_of(lines_[i].code));
      name = std::max(name, run.back().name.size());
      type = std::max(type, run.back().type.size());
    }
    std::vector<std::string> texts;
    std::size_t width = 0;
    for (const Bits& bits : run) {
      texts.push_back(bits_text(bits, name, type));
      if (!bits.on.empty()) width = std::max(width, texts.back().size());
    }
    for (std::size_t i = 0; i < run.size(); ++i) {
      if (!run[i].on.empty()) pad(texts[i], width);
      emit(lines_[at + i].code.empty() ? lines_[at + i].depth : 1,
           texts[i] + (run[i].on.empty() ? "" : "  " + run[i].on), lines_[at + i].comment);
    }
    return end;
  }

  static std::string bits_text(const Bits& bits, std::size_t name_width, std::size_t type_width) {
    std::string text = bits.range;
    if (text.empty()) return text;
    pad(text, encoding_column);
    if (!bits.name.empty()) {
      text += ' ' + bits.name;
      pad(text, encoding_column + 2 + name_width);
      text += ' ' + bits.type;
      if (!bits.rest.empty()) pad(text, encoding_column + 4 + name_width + type_width);
    }
    return bits.rest.empty() ? text : text + ' ' + bits.rest;
  }

  std::vector<Line> lines_;
  std::vector<std::string> out_;
  std::string block_;
  bool after_large_ = false;
};

}  // namespace

std::string format(std::string_view text) { return Formatter(text).run(); }

}  // namespace gfxisa::lang
