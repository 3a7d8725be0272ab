// Families: everything below `family` but its bodies.
#include "lang/parser_detail.h"

namespace gfxisa::lang {

void Parser::family(LineReader& words) {
  Family family;
  family.name = expect_word(words, "the family's name");
  expect_end(words);
  std::string previous;
  while (inside(0)) {
    LineReader inner = reader();
    const std::string keyword(inner.peek());
    ++at_;
    family_line(family, inner, previous);
    previous = keyword;
  }
  check_columns(family);
  if (!family.name.text.empty()) file_.families.push_back(std::move(family));
}

static bool is_access(std::string_view word) {
  return word == "in" || word == "out" || word == "inout" || word == "imm" || word == "field" || word == "returned" ||
         word == "exchanged";
}

void Parser::family_line(Family& family, LineReader& words, const std::string& previous) {
  const u32 indent = words.line().indent;
  const Word keyword = words.next();
  // `exec` is a register too: a slot when an access follows.
  if (keyword.text != "syntax" && is_access(words.peek())) return slot(family, keyword, words);
  if (keyword.text == "exec") return body(family.bodies, words, indent);
  if (family_text(family, keyword, words, previous)) return no_lines_inside(indent, "'" + keyword.text + "'");
  if (family_facts(family, keyword, words)) return no_lines_inside(indent, "'" + keyword.text + "'");
  const char first = keyword.text[0];
  if ((first >= 'A' && first <= 'Z') || first == '{') return opcode_table(family, keyword, words, indent);
  unknown_line(keyword, "a family",
               {"for",   "with",  "name",    "alias",    "only",    "about",   "describe", "note",
                "open",  "ptx",   "related", "fidelity", "except",  "without", "takes",    "prefer",
                "field", "count", "scalars", "syntax",   "example", "exec"});
  skip_inside(indent);
}

// A note or an open point runs over adjacent lines; an empty one begins the next.
static void append_entry(std::vector<Text>& entries, Text text, bool adjacent) {
  if (!adjacent || entries.empty() || text.text.empty() || entries.back().text.empty()) {
    if (adjacent && !entries.empty() && entries.back().text.empty()) entries.pop_back();
    entries.push_back(std::move(text));
  } else {
    entries.back().text += ' ' + text.text;
  }
}

bool Parser::family_text(Family& family, const Word& keyword, LineReader& words, const std::string& previous) {
  const bool adjacent = previous == keyword.text;
  if (keyword.text == "about") {
    append_text(family.about, words);
  } else if (keyword.text == "describe") {
    append_text(family.describe, words);
  } else if (keyword.text == "note") {
    append_entry(family.notes, words.rest(), adjacent);
  } else if (keyword.text == "open") {
    append_entry(family.opens, words.rest(), adjacent);
  } else if (keyword.text == "example") {
    family.examples.push_back(words.rest());
  } else {
    return false;
  }
  return true;
}

bool Parser::family_facts(Family& family, const Word& keyword, LineReader& words) {
  if (keyword.text == "for") {
    list(family, words);
  } else if (keyword.text == "with") {
    list_column(family, words);
  } else if (keyword.text == "name") {
    name_line(family.names, words);
  } else if (keyword.text == "alias") {
    name_line(family.aliases, words);
  } else if (keyword.text == "only") {
    for (Word& word : words_left(words)) family.only_targets.push_back(std::move(word));
  } else if (keyword.text == "related") {
    for (Word& word : words_left(words)) family.related.push_back(std::move(word));
  } else if (keyword.text == "ptx") {
    ptx(family, words);
  } else if (keyword.text == "fidelity") {
    fidelity(family, words);
  } else if (keyword.text == "except") {
    except(family, words);
  } else if (keyword.text == "without") {
    without(family.withouts, words);
  } else if (keyword.text == "takes") {
    without(family.takes, words);
  } else if (keyword.text == "prefer") {
    without(family.prefers, words);
  } else if (keyword.text == "scalars") {
    scalars_line(family.scalars, keyword, words, true);
  } else if (keyword.text == "field") {
    field_line(family, words);
  } else if (keyword.text == "count") {
    count(family, words);
  } else if (keyword.text == "syntax") {
    Set on = words.take_on();
    family.syntax.push_back({words_left(words), std::move(on), keyword.at});
  } else {
    return false;
  }
  return true;
}

// The part of a word from `start` to `stop`; `-` is the empty text.
static Word part_of(const Word& word, std::size_t start, std::size_t stop) {
  Word part{word.text.substr(start, stop - start), word.at};
  part.at.column += static_cast<u32>(start);
  part.at.length = static_cast<u32>(std::max<std::size_t>(part.text.size(), 1));
  if (start != 0 && part.text == "-") part.text.clear();
  return part;
}

// `f16:b16` has two texts, `b64:b128:_x2` three.
static ListValue list_value(const Word& word) {
  const std::size_t end = word.text.size();
  const std::size_t first = std::min(word.text.find(':'), end);
  if (first == end) return {word, word, word};
  const std::size_t second = std::min(word.text.find(':', first + 1), end);
  ListValue value{part_of(word, 0, first), part_of(word, first + 1, second), {}};
  value.third = second == end ? value.second : part_of(word, second + 1, end);
  return value;
}

void Parser::list(Family& family, LineReader& words) {
  List list;
  list.name = expect_word(words, "the list's name");
  if (list.name.text.empty()) return;
  if (list.name.text.back() != ':') return fail(list.name.at, "expected ':' after the list's name", "for T: u32 i32");
  list.name.text.pop_back();
  list.name.at.length = static_cast<u32>(list.name.text.size());
  while (!words.at_end()) list.values.push_back(list_value(words.next()));
  if (list.values.empty()) return fail(list.name.at, "the list has no values");
  family.lists.push_back(std::move(list));
}

// A text of several words stands in quotes: `"two words"`; `""` is the empty text.
Word Parser::phrase(LineReader& words) {
  Word phrase = words.next();
  if (phrase.text == "-") phrase.text.clear();
  if (phrase.text.empty() || phrase.text[0] != '"') return phrase;
  phrase.text.erase(0, 1);
  while (phrase.text.empty() || phrase.text.back() != '"') {
    if (words.at_end()) {
      fail(phrase.at, "a text whose quote is not closed", "write \"two words\"");
      return phrase;
    }
    phrase.text += ' ' + words.next().text;
  }
  phrase.text.pop_back();
  return phrase;
}

void Parser::list_column(Family& family, LineReader& words) {
  ListColumn column;
  column.name = expect_word(words, "a name");
  if (column.name.text.empty()) return;
  if (column.name.text.back() != ':') return fail(column.name.at, "expected ':' after the name", "with M: 32 16 4");
  column.name.text.pop_back();
  column.name.at.length = static_cast<u32>(column.name.text.size());
  while (!words.at_end()) column.texts.push_back(phrase(words));
  if (family.lists.empty()) return fail(column.name.at, "there is no list before it", "for S: 32x32x1 16x16x1 4x4x1");
  std::vector<ListColumn>& columns = family.lists.back().columns;
  if (columns.empty() || columns.back().name.text != column.name.text) return columns.push_back(std::move(column));
  std::move(column.texts.begin(), column.texts.end(), std::back_inserter(columns.back().texts));
}

/// Only at the end of the family: a column may have several lines.
void Parser::check_columns(Family& family) {
  for (List& list : family.lists) {
    for (ListColumn& column : list.columns) {
      if (column.texts.size() == list.values.size()) continue;
      fail(column.name.at, "list '" + list.name.text + "' has " + std::to_string(list.values.size()) +
                               " values, but there are " + std::to_string(column.texts.size()) + " texts");
      column.texts.resize(list.values.size(), Word{{}, column.name.at});
    }
  }
}

// `gfx9 gfx10: rest`; a line without a colon is meant for every generation.
bool Parser::set_before_colon(LineReader& words, Set& set) {
  LineReader ahead = words;
  while (!ahead.at_end()) {
    Word word = ahead.next();
    const bool is_last = word.text.back() == ':';
    if (is_last) {
      word.text.pop_back();
      --word.at.length;
    }
    if (!word.text.empty()) set.items.push_back(std::move(word));
    if (!is_last) continue;
    words = ahead;
    return true;
  }
  set.items.clear();
  return false;
}

void Parser::name_line(std::vector<NameLine>& names, LineReader& words) {
  NameLine name;
  set_before_colon(words, name.on);
  name.name = expect_word(words, "a mnemonic");
  expect_end(words);
  if (!name.name.text.empty()) names.push_back(std::move(name));
}

void Parser::except(Family& family, LineReader& words) {
  Except except;
  set_before_colon(words, except.on);
  if (words.at_end()) fail(words.here(), "expected values of lists, found the end of the line", "except gfx12: f tru");
  except.values = words_left(words);
  family.excepts.push_back(std::move(except));
}

// `without gfx9: DPP16 opsel for u16`, and likewise `takes`.
void Parser::without(std::vector<Without>& lines, LineReader& words) {
  Without without;
  set_before_colon(words, without.on);
  while (!words.at_end() && words.peek() != "for") without.names.push_back(words.next());
  if (without.names.empty()) fail(words.here(), "expected suffixes, encodings or modifiers, found the end of the line");
  if (!words.at_end()) {
    words.next();
    if (words.at_end())
      fail(words.here(), "expected values of lists, found the end of the line", "takes clamp for u16");
    without.values = words_left(words);
  }
  lines.push_back(std::move(without));
}

// `gds = 1`, `saddr via saddr_any 64`
void Parser::field_line(Family& family, LineReader& words) {
  FieldLine line;
  line.on = words.take_on();
  line.field = expect_word(words, "a field of the encoding");
  if (words.peek() == "via") {
    words.next();
    line.via = expect_word(words, "an operand kind");
    line.via_bits = expect_word(words, "the width of what the code names");
    if (line.via_bits.text.empty()) return;
  } else {
    if (!expect_literal(words, "=", "a field that has one value is written field gds = 1")) return;
    do {
      line.values.emplace_back();
      if (!expect_number(words, "the field's value", 0x1ff, line.values.back())) return;
    } while (!words.at_end());
  }
  expect_end(words);
  family.fields.push_back(std::move(line));
}

bool relation_named(std::string_view word, Ptx::Relation& relation) {
  if (word == "same")
    relation = Ptx::Relation::same;
  else if (word == "near")
    relation = Ptx::Relation::near;
  else if (word == "partial")
    relation = Ptx::Relation::partial;
  else if (word == "none")
    relation = Ptx::Relation::none;
  else
    return false;
  return true;
}

// `NAME RELATION [on SET][: why]`. The name may be several words; the relation of each member may be a column: `{T'}:`.
void Parser::ptx(Family& family, LineReader& words) {
  Ptx ptx{};
  const Location at = words.here();
  bool found = false, colon = false;
  while (!words.at_end() && !found) {
    std::string word = words.next().text;
    colon = word.size() > 1 && word.back() == ':';
    if (colon) word.pop_back();
    found = relation_named(word, ptx.relation);
    if (!found && colon && word.front() == '{' && word.find('}') == word.size() - 1) {
      ptx.relation_column = word;
      found = true;
    }
    if (!found) ptx.name += (ptx.name.empty() ? "" : " ") + word + (colon ? ":" : "");
  }
  if (!found)
    return fail(at, "expected a PTX concept and its relation", "ptx NAME same|near|partial: why, or ptx none");
  if (!colon && words.peek() == "on") {
    words.next();
    while (!words.at_end() && !colon) {
      Word item = words.next();
      colon = item.text.back() == ':';
      if (colon) item.text.pop_back();
      if (!item.text.empty()) ptx.on.items.push_back(std::move(item));
    }
  }
  if (!colon) expect_end(words);
  ptx.why = words.rest();
  if (ptx.name.empty() && ptx.relation != Ptx::Relation::none) return fail(at, "the PTX concept has no name");
  family.ptx.push_back(std::move(ptx));
}

void Parser::fidelity(Family& family, LineReader& words) {
  Word word = expect_word(words, "exact, approximate or none");
  if (word.text.empty()) return;
  const bool colon = word.text.back() == ':';
  if (colon) word.text.pop_back();
  family.fidelity.why = words.rest();
  if (word.text == "exact") {
    family.fidelity.kind = Fidelity::Kind::exact;
  } else if (word.text == "approximate" || word.text == "none") {
    family.fidelity.kind = word.text == "none" ? Fidelity::Kind::none : Fidelity::Kind::approximate;
    if (!colon || family.fidelity.why.text.empty())
      fail(word.at, "the reason is missing", "fidelity " + word.text + ": why");
  } else {
    fail(word.at, "expected exact, approximate or none, found '" + word.text + "'");
  }
}

void Parser::slot(Family& family, const Word& name, LineReader& words) {
  Slot slot;
  slot.name = name;
  const std::string access = words.next().text;
  slot.access = access == "out"         ? Slot::Access::out
                : access == "inout"     ? Slot::Access::inout
                : access == "imm"       ? Slot::Access::imm
                : access == "returned"  ? Slot::Access::returned
                : access == "exchanged" ? Slot::Access::exchanged
                : access == "field"     ? Slot::Access::field
                                        : Slot::Access::in;
  slot.type = expect_word(words, "the slot's type");
  if (words.peek() == "via") {
    words.next();
    slot.via = expect_word(words, "an operand kind");
  }
  if (words.peek() == "by") {
    words.next();
    slot.sized_by = expect_word(words, "the field that holds the format of the elements");
  }
  if (words.peek() == "on") slot_set(slot, words);
  slot.note = words.rest();
  if (!slot.type.text.empty()) family.slots.push_back(std::move(slot));
}

// `on SET`, with a colon when a note follows.
void Parser::slot_set(Slot& slot, LineReader& words) {
  words.next();
  bool colon = false;
  while (!words.at_end() && !colon) {
    Word item = words.next();
    colon = item.text.back() == ':';
    if (colon) item.text.pop_back();
    if (!item.text.empty()) slot.on.items.push_back(std::move(item));
  }
}

// `count SLOT = EXPR, EXPR... [else N] [on SET]`, or `>=`.
void Parser::count(Family& family, LineReader& words) {
  Count count;
  count.at = words.here();
  count.on = words.take_on();
  count.slot = expect_word(words, "a slot");
  count.is_least = words.peek() == ">=";
  if (!count.is_least && words.peek() != "=")
    return fail(words.here(), "expected = or >=", "count addr = coordinates(dim, a16)");
  words.next();
  ExpressionParser parser(source_, words.line(), words.offset(), words.text().size(), *diagnostics_);
  do {
    count.groups.push_back(parser.expression());
    if (!count.groups.back()) return;
  } while (parser.accept(","));
  if (parser.accept("else")) {
    const ExpressionPtr number = parser.expression();
    if (!number) return;
    if (number->kind != Expression::Kind::number || number->value > most_registers)
      return fail(number->at, "expected a number of registers behind 'else'");
    count.otherwise = static_cast<u32>(number->value);
  }
  if (parser.expect_end()) family.counts.push_back(std::move(count));
}

void Parser::opcode_table(Family& family, const Word& encoding, LineReader& words, u32 indent) {
  OpcodeTable table;
  table.encoding = encoding;
  while (!words.at_end()) table.columns.push_back(column_set(words.next()));
  if (table.columns.empty()) fail(encoding.at, "the opcode table has no columns", "a table begins VOP2 gfx9 gfx10+");
  while (inside(indent)) {
    LineReader row = reader();
    ++at_;
    opcode_row(table, row);
  }
  if (table.rows.empty()) fail(encoding.at, "the opcode table has no rows", "a row holds an opcode for each column");
  if (table.columns.empty()) return;
  // `VOPD_X,VOPD_Y`: the same opcodes in several encodings.
  std::size_t start = 0;
  for (std::size_t comma; (comma = encoding.text.find(',', start)) != std::string::npos; start = comma + 1) {
    table.encoding.text = encoding.text.substr(start, comma - start);
    family.tables.push_back(table);
  }
  table.encoding.text = encoding.text.substr(start);
  family.tables.push_back(std::move(table));
}

// A shape such as 32x32x1 is a label.
static bool begins_cell(std::string_view word) {
  const std::size_t x = word.rfind('x');
  return word == "-" || (word[0] >= '0' && word[0] <= '9' && (x == std::string_view::npos || x == 1));
}

void Parser::opcode_row(OpcodeTable& table, LineReader& words) {
  OpcodeRow row;
  row.at = words.here();
  const std::size_t errors = diagnostics_->list().size();
  if (!begins_cell(words.peek()) && words.peek().find("..") == std::string_view::npos) row.label = words.next();
  const Word part{std::string(words.peek()), words.here()};
  if (const std::size_t dots = part.text.find(".."); dots != std::string::npos) {
    words.next();
    row.part_first = {part.text.substr(0, dots), part.at};
    row.part_last = {part.text.substr(dots + 2), part.at};
    if (row.part_first.text.empty() || row.part_last.text.empty())
      fail(part.at, "expected FIRST..LAST, found '" + part.text + "'");
  } else if (!row.label.text.empty() && !part.text.empty() && !begins_cell(part.text)) {
    row.part_first = row.part_last = words.next();
  }
  while (!words.at_end()) {
    if (!opcode_cell(row, words)) return;
  }
  // A label may be a number, too: then the row has a word too many.
  if (row.label.text.empty() && row.part_first.text.empty() && row.cells.size() == table.columns.size() + 1) {
    const Cell first = row.cells.front();
    if (first.exists && first.plus.empty()) {
      row.label = {std::string(sources_->line(source_, first.at.line).substr(first.at.column - 1, first.at.length)),
                   first.at};
      row.cells.erase(row.cells.begin());
    }
  }
  if (diagnostics_->list().size() != errors) return;
  if (row.cells.size() != table.columns.size()) {
    const auto counted = [](std::size_t count, const char* what) {
      return std::to_string(count) + what + (count == 1 ? "" : "s");
    };
    return fail(row.at, counted(table.columns.size(), " column") + " but " + counted(row.cells.size(), " opcode"),
                "write - where there is none");
  }
  table.rows.push_back(std::move(row));
}

bool Parser::opcode_cell(OpcodeRow& row, LineReader& words) {
  Cell cell;
  cell.at = words.here();
  if (words.peek() == "-") {
    words.next();
  } else {
    u64 number = 0;
    if (!expect_number(words, "an opcode", 0xffff, number)) return false;
    cell.exists = true;
    cell.number = static_cast<u32>(number);
  }
  while (words.peek() == "+") {
    words.next();
    CellTerm term;
    term.list = expect_word(words, "a list's name");
    if (term.list.text.empty()) return false;
    if (words.peek() == "*") {
      words.next();
      u64 factor = 0;
      if (!expect_number(words, "a factor", 0xffff, factor)) return false;
      term.factor = static_cast<u32>(factor);
    }
    cell.plus.push_back(std::move(term));
  }
  row.cells.push_back(std::move(cell));
  return true;
}

}  // namespace gfxisa::lang
