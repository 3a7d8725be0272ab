#include "text/assemble.h"

#include "codec/decode.h"
#include "text/form_parser.h"
#include "text/mnemonic.h"
#include "text/pair.h"

namespace gfxisa {

namespace {

using text::Candidate;
using text::Cursor;
using text::LineError;
using text::ParserContext;
using text::Symbols;

ParserContext context_of(unsigned chip, const TextOptions& options) {
  ParserContext context;
  context.chip = chip;
  context.wave_size = options.wave_size != 0 ? options.wave_size : (tables().chips[chip].waves & 1) != 0 ? 32 : 64;
  context.chip_set = text::chip_bit(chip);
  return context;
}

Share share_of(const Candidate& candidate) {
  return gfxisa::share_of(tables().encodings[tables().forms[candidate.form].encoding]);
}

/// Every reading of one instruction as a form that fits, in order of preference, at most `most`. Of several forms that
/// do not fit, the one that was read furthest says what is wrong.
std::vector<Instruction> readings(const ParserContext& context, Cursor& cursor, Share share, std::size_t most) {
  std::vector<Instruction> found;
  cursor.skip_spaces();
  const std::size_t start = cursor.at();
  const std::string_view mnemonic = cursor.take_identifier();
  if (mnemonic.empty()) return cursor.fail(start, cursor.peek_word().size(), "expected an instruction"), found;
  const std::vector<Candidate> candidates = text::candidates_of(context.chip, mnemonic);
  if (candidates.empty()) {
    const Error error = text::unknown_mnemonic(context.chip, mnemonic);
    return cursor.fail(start, mnemonic.size(), error.message, error.hint), found;
  }
  const std::size_t operands = cursor.at();
  for (const Candidate& candidate : candidates) {
    if (share_of(candidate) != share) continue;
    cursor.go_to(operands);
    Instruction result;
    if (!text::FormParser(context, cursor, candidate.form, candidate.suffix).parse(result)) continue;
    found.push_back(result);
    if (found.size() == most) break;
  }
  if (!found.empty()) {
    cursor.clear_error();
  } else if (!cursor.error()) {
    const std::string name(mnemonic);
    cursor.fail(start, mnemonic.size(),
                share == Share::whole    ? name + " is one of two instructions: write first :: second"
                : share == Share::second ? name + " cannot be the second of two instructions"
                                         : name + " cannot be the first of two instructions");
  }
  return found;
}

/// `first :: second`, where `middle` is the place of the colons.
bool parse_pair(const ParserContext& context, Cursor& cursor, std::size_t middle, Instruction& result) {
  Cursor left(cursor.line().substr(0, middle)), right(cursor.line());
  left.go_to(cursor.at());
  right.go_to(middle + 2);
  constexpr std::size_t most = 8;
  const std::vector<Instruction> firsts = readings(context, left, Share::first, most);
  const std::vector<Instruction> seconds = readings(context, right, Share::second, most);
  for (Cursor* half : {&left, &right}) {
    if (half->error())
      return cursor.fail(half->error()->at, half->error()->length, half->error()->message, half->error()->hint);
  }
  for (const Instruction& first : firsts) {
    for (const Instruction& second : seconds) {
      const std::optional<Instruction> both = text::joined(first, second);
      if (!both) continue;
      result = *both;
      return true;
    }
  }
  return cursor.fail(middle, 2, "the two instructions do not go together",
                     "one destination must be even and the other odd, and a constant the same in both");
}

bool parse_instruction(const ParserContext& context, Cursor& cursor, Instruction& result) {
  const std::size_t middle = cursor.line().find("::", cursor.at());
  if (middle != std::string_view::npos) return parse_pair(context, cursor, middle, result);
  const std::vector<Instruction> found = readings(context, cursor, Share::whole, 1);
  if (found.empty()) return false;
  result = found[0];
  return true;
}

/// The line without its comment: `;` or `//` outside quotes.
std::string_view without_comment(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (!quoted && (line[i] == ';' || (line[i] == '/' && i + 1 < line.size() && line[i + 1] == '/')))
      return line.substr(0, i);
  }
  return line;
}

class SourceAssembler {
 public:
  SourceAssembler(unsigned chip, u32 source, const Sources& sources, Diagnostics& diagnostics,
                  const TextOptions& options)
      : context_(context_of(chip, options)), source_(source), sources_(sources), diagnostics_(diagnostics) {
    symbols_.is_complete = false;
    context_.symbols = &symbols_;
  }

  std::vector<AssembledLine> run() {
    const u32 lines = static_cast<u32>(line_count());
    for (u32 line = 1; line <= lines; ++line) read_line(line);
    symbols_.is_complete = true;
    for (const std::size_t index : waiting_) read_again(index);
    // Size 0 marks lines that turned out to be wrong.
    std::erase_if(out_, [](const AssembledLine& line) { return line.instruction.size == 0; });
    return std::move(out_);
  }

 private:
  std::size_t line_count() const {
    const std::string& text = sources_.text(source_);
    std::size_t count = 1;
    for (const char c : text) count += c == '\n';
    return count;
  }

  std::string_view line_text(u32 line) {
    std::string_view text = without_comment(sources_.line(source_, line));
    return text.substr(0, text.find_last_not_of(" \t\r") + 1);
  }

  void report(u32 line, const LineError& error) {
    const Location at{source_, line, static_cast<u32>(error.at + 1), static_cast<u32>(error.length)};
    diagnostics_.error(at, error.message, error.hint);
  }

  void read_line(u32 line) {
    Cursor cursor(line_text(line));
    while (read_label(line, cursor)) {
    }
    if (cursor.at_end() || read_definition(line, cursor) || read_directive(line, cursor)) return;
    symbols_.was_asked = false;
    context_.offset = offset_;
    AssembledLine result{{}, {source_, line, static_cast<u32>(cursor.at() + 1), 1}, offset_};
    if (!parse_instruction(context_, cursor, result.instruction)) return report(line, *cursor.error());
    if (symbols_.was_asked) waiting_.push_back(out_.size());
    offset_ += result.instruction.size;
    out_.push_back(result);
  }

  /// `name:`; true when there was one.
  bool read_label(u32 line, Cursor& cursor) {
    const std::string_view name = cursor.peek_identifier();
    if (name.empty() || cursor.peek_after(name.size()) != ':') return false;
    const std::size_t at = cursor.at();
    cursor.go_to(at + name.size() + 1);
    define(line, at, name, {static_cast<i64>(offset_), true});
    return true;
  }

  void define(u32 line, std::size_t at, std::string_view name, text::Symbol symbol) {
    if (!symbols_.values.emplace(std::string(name), symbol).second) {
      report(line, {"'" + std::string(name) + "' is defined twice", "", at, name.size()});
    }
  }

  /// `name = expression` or `.set name, expression`.
  bool read_definition(u32 line, Cursor& cursor) {
    const std::size_t start = cursor.at();
    const bool is_set = cursor.peek_identifier() == ".set";
    if (is_set) cursor.take_identifier();
    const std::string_view name = cursor.peek_identifier();
    const std::size_t at = cursor.at();
    cursor.take_identifier();
    if (name.empty() || !cursor.take(is_set ? ',' : '=')) {
      cursor.go_to(start);
      return false;
    }
    text::Value value;
    if (!text::parse_expression(cursor, &symbols_, value) ||
        (!cursor.at_end() && !cursor.fail_here("unexpected text"))) {
      report(line, *cursor.error());
      return true;
    }
    symbols_.values.erase(std::string(name));  // a definition may replace an older one
    define(line, at, name, {value.integer, value.is_address});
    return true;
  }

  /// Directives of other assemblers that say nothing about the code are passed over.
  bool read_directive(u32 line, Cursor& cursor) {
    const std::string_view name = cursor.peek_identifier();
    if (!name.starts_with('.')) return false;
    for (const std::string_view known :
         {".text", ".globl", ".global", ".type", ".size", ".section", ".amdgcn_target", ".p2align", ".protected"}) {
      if (name == known) return true;
    }
    report(line, {"unknown directive '" + std::string(name) + "'", "", cursor.at(), name.size()});
    return true;
  }

  /// A line that named symbols, now that all are known. Sizes do not change: a symbol is a branch's distance or was
  /// known.
  void read_again(std::size_t index) {
    AssembledLine& line = out_[index];
    Cursor cursor(line_text(line.at.line));
    cursor.go_to(line.at.column - 1);
    context_.offset = line.offset;
    const u8 size = line.instruction.size;
    if (!parse_instruction(context_, cursor, line.instruction)) {
      report(line.at.line, *cursor.error());
    } else if (line.instruction.size != size) {
      report(line.at.line,
             {"the size depends on a symbol that is defined later", "define it before", line.at.column - 1, 1});
    } else {
      return;
    }
    line.instruction.size = 0;
  }

  ParserContext context_;
  u32 source_;
  const Sources& sources_;
  Diagnostics& diagnostics_;
  Symbols symbols_;
  u64 offset_ = 0;
  std::vector<AssembledLine> out_;
  std::vector<std::size_t> waiting_;
};

}  // namespace

Result<Instruction> assemble_line(unsigned chip, std::string_view text, const TextOptions& options) {
  if (chip >= tables().chips.size()) return Error{"unknown architecture", ""};
  const ParserContext context = context_of(chip, options);
  Cursor cursor(without_comment(text));
  Instruction result;
  if (parse_instruction(context, cursor, result)) return result;
  const LineError& error = *cursor.error();
  return Error{error.message + " (column " + std::to_string(error.at + 1) + ")", error.hint};
}

std::vector<AssembledLine> assemble(unsigned chip, u32 source, const Sources& sources, Diagnostics& diagnostics,
                                    const TextOptions& options) {
  if (chip >= tables().chips.size()) {
    diagnostics.error({source, 0, 0, 1}, "unknown architecture");
    return {};
  }
  return SourceAssembler(chip, source, sources, diagnostics, options).run();
}

}  // namespace gfxisa
