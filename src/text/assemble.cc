#include "text/assemble.h"

#include "text/instruction_parser.h"

namespace gfxisa {

namespace {

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

}  // namespace

Result<Instruction> assemble_line(unsigned chip, std::string_view text, const TextOptions& options,
                                  std::size_t* column) {
  if (chip >= tables().chips.size()) return Error{"unknown architecture", ""};
  const text::ParserContext context = text::context_of(chip, options);
  text::Cursor cursor(without_comment(text));
  Instruction result;
  if (text::parse_instruction(context, cursor, result)) return result;
  const text::LineError& error = *cursor.error();
  if (column != nullptr) {
    *column = error.at + 1;
    return Error{error.message, error.hint};
  }
  return Error{error.message + " (column " + std::to_string(error.at + 1) + ")", error.hint};
}

}  // namespace gfxisa
