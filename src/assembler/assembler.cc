#include "assembler/assembler.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/large_pages.h"
#include "base/suggest.h"
#include "codec/encode.h"
#include "codec/scalar_reads.h"

namespace gfxisa {

namespace assembler {

namespace {

constexpr u64 most_bytes = u64{1} << 30;

TargetFacts facts_of(const TargetId& target) {
  TargetFacts facts;
  const std::string_view name = target.processor;
  facts.major = name.starts_with("gfx12") ? 12 : name.starts_with("gfx11") ? 11 : name.starts_with("gfx10") ? 10 : 9;
  facts.has_unified_registers = facts.major == 9 && name != "gfx908";
  facts.has_architected_scratch = facts.major >= 11 || name.starts_with("gfx94") || name.starts_with("gfx95");
  facts.is_xnack_on_or_any = target.xnack == TargetFeature::any || target.xnack == TargetFeature::on;
  return facts;
}

}  // namespace

Assembler::Assembler(TargetId target, unsigned chip, u32 source, const Sources& sources, Diagnostics& diagnostics,
                     const AssemblyOptions& options)
    : target_(std::move(target)),
      facts_(facts_of(target_)),
      reader_(source, sources, diagnostics),
      diagnostics_(diagnostics),
      sources_(sources),
      options_(options),
      symbols_(facts_),
      context_(text::context_of(chip, options.text)) {
  context_.symbols = &symbols_;
  context_.later = &later_;
  context_.used = &used_;
  switch_to(".text");
  const std::string_view number = std::string_view(target_.processor).substr(3);
  const auto digit = [&](std::size_t back) {
    const char c = number[number.size() - back];
    return c >= 'a' ? c - 'a' + 10 : c - '0';
  };
  define_predefined(".amdgcn.gfx_generation_number", facts_.major);
  define_predefined(".amdgcn.gfx_generation_minor", digit(2));
  define_predefined(".amdgcn.gfx_generation_stepping", digit(1));
  define_predefined(".amdgcn.next_free_vgpr", 0);
  define_predefined(".amdgcn.next_free_sgpr", 0);
  next_vector_ = symbols_.find_known(".amdgcn.next_free_vgpr");
  next_scalar_ = symbols_.find_known(".amdgcn.next_free_sgpr");
}

void Assembler::define_predefined(std::string_view name, i64 value) {
  Symbol& symbol = symbols_[symbols_.find(name)];
  symbol.state = Symbol::State::variable;
  symbol.constant = value;
}

Assembly Assembler::run() {
  if (options_.keeps_lines) {
    // Room for lines of a usual length, which costs nothing until it is used; growing would copy them all again and
    // again.
    constexpr std::size_t usual_length = 16;
    out_.lines.reserve(sources_.text(reader_.locate(0, 1).source).size() / usual_length + 1);
    out_.instructions.reserve(out_.lines.capacity());
    prefer_large_pages(out_.lines.data(), out_.lines.capacity() * sizeof(AssembledLine));
    prefer_large_pages(out_.instructions.data(), out_.instructions.capacity() * sizeof(Instruction));
  }
  do {
    append_known_lines();
  } while (read_statement());
  finish();
  return std::move(out_);
}

void Assembler::report_at(const Location& at, std::string message, std::string hint) {
  diagnostics_.error(at, std::move(message), std::move(hint));
}

/// What symbols may ask for: the place itself, and how many registers were named.
void Assembler::update_symbols() {
  count_registers();
  symbols_.current_section = section_;
  symbols_.current_offset = place();
}

/// Instructions that were met before. Such lines have no comments, of which a known statement is without.
void Assembler::append_known_lines() {
  while (true) {
    const std::string_view line = reader_.peek_line();
    const KnownInstruction* known = known_.find(MemoKey(line));
    if (known == nullptr) return;
    reader_.take_line(line);
    append_instruction(known->instruction, known->used, {}, known->start);
  }
}

/// The next statement; false at the end.
bool Assembler::read_statement() {
  std::string_view statement;
  if (!reader_.next(statement)) return false;
  if (const KnownInstruction* known = known_.find(MemoKey(statement)))
    append_instruction(known->instruction, known->used, {}, known->start);
  else
    read_new(statement);
  return true;
}

void Assembler::read_new(std::string_view statement) {
  text::Cursor cursor(statement);
  update_symbols();
  const bool has_colon = statement.find(':') != std::string_view::npos;
  while (has_colon && read_label(cursor)) {
  }
  if (cursor.error()) return reader_.report(*cursor.error());
  if (cursor.at_end()) return;
  const std::string_view name = cursor.peek_identifier();
  const std::size_t at = cursor.at();
  if (!name.empty() && name[0] == '.' && name.size() > 1) {
    std::size_t after = at + name.size();
    while (after < statement.size() && text::is_space(statement[after])) ++after;
    const bool is_assignment = after < statement.size() && statement[after] == '=';
    if (!is_assignment) return read_directive(cursor, name, at);
  }
  if (read_assignment(cursor)) {
    if (cursor.error()) reader_.report(*cursor.error());
    return;
  }
  if (const Macro* macro = reader_.find_macro(name)) {
    cursor.take_identifier();
    reader_.call_macro(*macro, cursor);
    return;
  }
  read_instruction(cursor);
}

/// `name:`, `"name":` or `1:`; true when there was one.
bool Assembler::read_label(text::Cursor& cursor) {
  const char first = cursor.peek();
  const std::size_t at = cursor.at();
  const std::string_view line = cursor.line();
  std::size_t end = at;
  if (first == '"') {
    end = line.find('"', at + 1);
    if (end == std::string_view::npos) return false;
    ++end;
  } else {
    while (end < line.size() && text::is_name_character(line[end])) ++end;
  }
  std::size_t colon = end;
  while (colon < line.size() && text::is_space(line[colon])) ++colon;
  if (end == at || colon >= line.size() || line[colon] != ':' || cursor.line().substr(colon, 2) == "::") return false;
  cursor.go_to(colon + 1);
  std::string_view name = line.substr(at, end - at);
  if (first >= '0' && first <= '9') {
    i64 number = 0;
    for (const char c : name) {
      if (c < '0' || c > '9' || number > 1'000'000'000)
        return cursor.fail(at, name.size(), "this is no name of a label");
      number = number * 10 + (c - '0');
    }
    symbols_.define_local(number);
    return true;
  }
  if (first == '"') name = name.substr(1, name.size() - 2);
  return define_label(cursor, name, at);
}

bool Assembler::define_label(text::Cursor& cursor, std::string_view name, std::size_t at) {
  if (name == ".") return cursor.fail(at, 1, "'.' is the place itself and no label");
  const u32 index = symbols_.find(name);
  Symbol& symbol = symbols_[index];
  if (symbol.state != Symbol::State::undefined)
    return cursor.fail(at, name.size(), "'" + std::string(name) + "' is defined twice");
  symbol.state = Symbol::State::label;
  symbol.section = section_;
  symbol.offset = place();
  symbols_.note(index);
  return true;
}

/// `name = expression`; true when the statement is one.
bool Assembler::read_assignment(text::Cursor& cursor) {
  const std::string_view line = cursor.line();
  if (line.find('=', cursor.at()) == std::string_view::npos) return false;
  const std::size_t at = cursor.at();
  std::size_t end = at;
  const bool is_quoted = end < line.size() && line[end] == '"';
  if (is_quoted)
    end = std::min(line.find('"', at + 1), line.size() - 1) + 1;
  else
    end += cursor.peek_identifier().size();
  std::size_t equals = end;
  while (equals < line.size() && text::is_space(line[equals])) ++equals;
  if (end == at || equals >= line.size() || line[equals] != '=') return false;
  std::size_t after = equals + 1;
  if (after < line.size() && line[after] == '=') ++after;  // `==` defines too, but only once
  const bool may_replace = after == equals + 1;
  std::string_view name = line.substr(at, end - at);
  if (is_quoted) name = name.substr(1, name.size() - 2);
  cursor.go_to(after);
  assign(cursor, name, at, may_replace);
  return true;
}

bool Assembler::assign(text::Cursor& cursor, std::string_view name, std::size_t at, bool may_replace) {
  text::Value value;
  if (name == ".") return cursor.fail(at, 1, "'.' cannot be set", "write .org, .space or .p2align");
  if (!parse_value(cursor, value) || !expect_end(cursor)) return false;
  const u32 index = symbols_.find(name);
  Symbol& symbol = symbols_[index];
  const bool is_defined = symbol.state != Symbol::State::undefined;
  if (is_defined && (symbol.state != Symbol::State::variable || !may_replace))
    return cursor.fail(at, name.size(), "'" + std::string(name) + "' is defined twice");
  // An expression that names the symbol itself means its value so far, which must be known then.
  if (value.later != 0) {
    Relocatable known;
    std::string problem;
    if (symbols_.evaluate(value.later, known, problem) && known.is_number()) value = {known.constant};
  }
  symbols_.note(index);
  if (value.later != 0) symbols_.note_all(value.later);
  Symbol& target = symbols_[index];
  target.state = Symbol::State::variable;
  target.constant = value.integer;
  target.expression = value.later;
  return true;
}

/// Registers named so far go to the symbols that count them.
void Assembler::count_registers() {
  const auto raise = [&](u32 index, i64 count) {
    Symbol& symbol = symbols_[index];
    if (symbol.expression == 0 && symbol.constant < count) symbol.constant = count;
  };
  if (counted_.vector != 0) raise(*next_vector_, counted_.vector);
  if (counted_.scalar != 0) raise(*next_scalar_, counted_.scalar);
  counted_ = {};
}

void Assembler::read_instruction(text::Cursor& cursor) {
  const std::size_t start = cursor.at();
  const u64 questions = symbols_.questions();
  Instruction instruction;
  used_ = {};
  if (!text::parse_instruction(context_, cursor, instruction)) return reader_.report(*cursor.error());
  const u32 index = static_cast<u32>(out_.instructions.size());
  out_.instructions.push_back(instruction);
  append_instruction(index, used_, later_, start);
  if (warn_of_scalars(instruction, start)) return;
  // What no symbol played a part in is the same wherever it stands.
  const bool begins_line = cursor.line().substr(0, start).find_first_not_of(" \t") == std::string_view::npos;
  if (begins_line && symbols_.questions() == questions)
    known_.keep(MemoKey(cursor.line()), {index, used_, static_cast<u32>(start)});
}

/// llvm-mc's assembler refuses such a line and its disassembler writes it; so that what was disassembled can be
/// assembled, here it is taken.
bool Assembler::warn_of_scalars(const Instruction& instruction, std::size_t start) {
  const auto reads = excess_scalars(instruction, context_.wave_size);
  if (!reads) return false;
  std::string names;
  for (const ScalarValue& value : std::span(reads->values).first(reads->count)) {
    if (!names.empty()) names += ", ";
    const bool is_literal = value.code == literal_code;
    names += is_literal ? "the literal" : code_name(instruction.chip, value.code, value.bits);
  }
  reader_.warn({"this reads " + std::to_string(reads->count) + " scalar values (" + names + "), and there may be " +
                    std::to_string(reads->most),
                "llvm-mc refuses it; move one to a vector register first", start, 1});
  return true;
}

void Assembler::append_instruction(u32 index, const text::RegistersUsed& used, const text::LaterValue& later,
                                   std::size_t start) {
  if (!sections_[section_].has_bytes()) return reader_.report({"an instruction in a section of zeros", "", start, 1});
  const Instruction& instruction = out_.instructions[index];
  counted_.vector = std::max(counted_.vector, used.vector);
  counted_.scalar = std::max(counted_.scalar, used.scalar);
  const u64 offset = place();
  if (total_bytes_ + instruction.size > most_bytes) {
    reader_.report({"the object would have more than 1 GiB", "", start, 1});
    return reader_.stop();
  }
  total_bytes_ += instruction.size;
  bytes().append(reinterpret_cast<const char*>(instruction.words.data()), instruction.size);
  if (later.place != text::LaterValue::Place::none) add_fixup(index, later, offset, start);
  if (options_.keeps_lines) out_.lines.push_back({index, static_cast<u32>(offset)});
}

/// Of the instruction just appended, whose value is known later.
void Assembler::add_fixup(u32 index, const text::LaterValue& later, u64 offset, std::size_t start) {
  Fixup fixup;
  const bool is_branch = later.place == text::LaterValue::Place::branch;
  fixup.kind = is_branch ? Fixup::Kind::branch : Fixup::Kind::literal;
  fixup.bytes = is_branch ? 2 : later.place == text::LaterValue::Place::literal64 ? 8 : 4;
  fixup.section = section_;
  fixup.offset = offset;
  fixup.place = is_branch ? offset : offset + out_.instructions[index].size - fixup.bytes;
  fixup.expression = later.expression;
  fixup.at = reader_.locate(start, 1);
  fixup.instruction = index;
  symbols_.note_all(later.expression);
  fixups_.push_back(fixup);
}

void Assembler::read_directive(text::Cursor& cursor, std::string_view name, std::size_t at) {
  if (const Macro* macro = reader_.find_macro(name)) {
    cursor.take_identifier();
    reader_.call_macro(*macro, cursor);
    return;
  }
  const auto found = directives().find(name);
  if (found == directives().end()) {
    std::vector<std::string_view> known;
    for (const auto& [directive, function] : directives()) known.push_back(directive);
    return reader_.report({"unknown directive '" + std::string(name) + "'", suggestion(name, known), at, name.size()});
  }
  cursor.take_identifier();
  if (!(this->*found->second)(cursor) && cursor.error()) reader_.report(*cursor.error());
}

// ---- parts of directives

bool Assembler::parse_value(text::Cursor& cursor, text::Value& value) {
  cursor.skip_spaces();
  const std::size_t start = cursor.at();
  if (!text::parse_expression(cursor, &symbols_, value)) return false;
  return !value.is_float || cursor.fail(start, cursor.at() - start, "expected an integer");
}

/// An expression whose value is known here, differences of places included.
bool Assembler::parse_number(text::Cursor& cursor, i64& number) {
  cursor.skip_spaces();
  const std::size_t start = cursor.at();
  text::Value value;
  if (!parse_value(cursor, value)) return false;
  number = value.integer;
  if (value.later == 0) return true;
  Relocatable known;
  std::string problem;
  if (!symbols_.evaluate(value.later, known, problem)) return cursor.fail(start, cursor.at() - start, problem);
  number = known.constant;
  return known.is_number() || cursor.fail(start, cursor.at() - start, "the number must be known here",
                                          "define what it depends on before this line");
}

bool Assembler::parse_symbol_name(text::Cursor& cursor, std::string& name) {
  if (cursor.peek() == '"') return parse_string(cursor, name);
  name = cursor.take_identifier();
  return !name.empty() || cursor.fail_here("expected the name of a symbol");
}

bool Assembler::parse_string(text::Cursor& cursor, std::string& text) {
  if (!cursor.take('"')) return cursor.fail_here("expected a text in quotes");
  text.clear();
  while (true) {
    char c = cursor.peek_after(0);
    if (cursor.at() >= cursor.line().size()) return cursor.fail_here("expected '\"'");
    cursor.go_to(cursor.at() + 1);
    if (c == '"') return true;
    if (c != '\\') {
      text += c;
      continue;
    }
    c = cursor.peek_after(0);
    if (c == 'x' || c == 'X') {
      unsigned value = 0;
      cursor.go_to(cursor.at() + 1);
      while (true) {
        const char digit = cursor.peek_after(0), letter = static_cast<char>(digit | 0x20);
        if (digit >= '0' && digit <= '9')
          value = value * 16 + static_cast<unsigned>(digit - '0');
        else if (letter >= 'a' && letter <= 'f')
          value = value * 16 + static_cast<unsigned>(letter - 'a' + 10);
        else
          break;
        value &= 0xff;
        cursor.go_to(cursor.at() + 1);
      }
      text += static_cast<char>(value);
      continue;
    }
    if (c >= '0' && c <= '7') {
      unsigned value = 0;
      for (int i = 0; i < 3 && cursor.peek_after(0) >= '0' && cursor.peek_after(0) <= '7'; ++i) {
        value = value * 8 + static_cast<unsigned>(cursor.peek_after(0) - '0');
        cursor.go_to(cursor.at() + 1);
      }
      if (value > 255) return cursor.fail(cursor.at() - 4, 4, "an octal character is at most \\377");
      text += static_cast<char>(value);
      continue;
    }
    static constexpr std::string_view letters = "bfnrt\"\\", meanings = "\b\f\n\r\t\"\\";
    const std::size_t index = letters.find(c);
    if (index == std::string_view::npos || c == '\0')
      return cursor.fail(cursor.at() - 1, 2, "unknown character after '\\'", "one of b f n r t \" \\ or digits");
    text += meanings[index];
    cursor.go_to(cursor.at() + 1);
  }
}

bool Assembler::has_room(text::Cursor& cursor, u64 more) {
  if (more <= most_bytes && total_bytes_ + more <= most_bytes) {
    total_bytes_ += more;
    return true;
  }
  return cursor.fail(0, cursor.line().size(), "the object would have more than 1 GiB");
}

}  // namespace assembler

Assembly assemble_file(std::string_view target, u32 source, const Sources& sources, Diagnostics& diagnostics,
                       const AssemblyOptions& options) {
  const int chip = find_chip(target);
  TargetId id = default_target(target);
  if (chip < 0 || id.processor.empty()) {
    diagnostics.error({source, 0, 0, 1}, "unknown architecture");
    return {};
  }
  return assembler::Assembler(std::move(id), static_cast<unsigned>(chip), source, sources, diagnostics, options).run();
}

std::vector<Instruction> assemble(unsigned chip, u32 source, const Sources& sources, Diagnostics& diagnostics,
                                  const TextOptions& options) {
  if (chip >= tables().chips.size()) {
    diagnostics.error({source, 0, 0, 1}, "unknown architecture");
    return {};
  }
  AssemblyOptions all;
  all.text = options;
  all.keeps_lines = true;
  const Assembly assembly = assemble_file(tables().text(tables().chips[chip].name), source, sources, diagnostics, all);
  std::vector<Instruction> instructions;
  for (const AssembledLine& line : assembly.lines) instructions.push_back(assembly.instructions[line.instruction]);
  return instructions;
}

}  // namespace gfxisa
