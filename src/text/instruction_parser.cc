#include "text/instruction_parser.h"

#include <algorithm>

#include "codec/decode.h"
#include "text/mnemonic.h"
#include "text/pair.h"

namespace gfxisa::text {

namespace {

Share share_of(const Candidate& candidate) {
  return gfxisa::share_of(tables().encodings[tables().forms[candidate.form].encoding]);
}

/// The instruction exists, but not in this place: alone, before or after the colons of a pair.
Error wrong_share(std::string_view mnemonic, const std::vector<Candidate>& candidates, Share share) {
  const std::string name(mnemonic);
  const auto can_be = [&](Share other) {
    return std::any_of(candidates.begin(), candidates.end(),
                       [&](const Candidate& candidate) { return share_of(candidate) == other; });
  };
  if (share == Share::whole) return {name + " is one of two instructions", "write both, with :: between them"};
  const bool is_first = share == Share::first;
  const bool fits_elsewhere = can_be(is_first ? Share::second : Share::first);
  return {name + " cannot be the " + (is_first ? "first" : "second") + " of two instructions",
          !fits_elsewhere ? "no pair has it"
          : is_first      ? "it can be the second, after ::"
                          : "it can be the first, before ::"};
}

/// Every reading of one instruction as a form that fits, in order of preference, at most `most`. Of several forms that
/// do not fit, the one that was read furthest says what is wrong.
std::vector<Instruction> readings(const ParserContext& context, Cursor& cursor, Share share, std::size_t most) {
  std::vector<Instruction> found;
  cursor.skip_spaces();
  const std::size_t start = cursor.at();
  const std::string_view mnemonic = cursor.take_identifier();
  if (mnemonic.empty()) return cursor.fail(start, cursor.peek_word().size(), "expected an instruction"), found;
  const std::vector<Candidate> candidates = candidates_of(context.chip, mnemonic);
  if (candidates.empty()) {
    const Error error = unknown_mnemonic(context.chip, mnemonic);
    return cursor.fail(start, mnemonic.size(), error.message, error.hint), found;
  }
  const std::size_t operands = cursor.at();
  for (const Candidate& candidate : candidates) {
    if (share_of(candidate) != share) continue;
    cursor.go_to(operands);
    Instruction result;
    if (!FormParser(context, cursor, candidate.form, candidate.suffix).parse(result)) continue;
    found.push_back(result);
    if (found.size() == most) break;
  }
  if (!found.empty()) {
    cursor.clear_error();
  } else if (!cursor.error()) {
    const Error error = wrong_share(mnemonic, candidates, share);
    cursor.fail(start, mnemonic.size(), error.message, error.hint);
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
      const std::optional<Instruction> both = joined(first, second);
      if (!both) continue;
      result = *both;
      return true;
    }
  }
  return cursor.fail(middle, 2, "the two instructions do not go together",
                     "one destination must be even and the other odd, and a constant the same in both");
}

}  // namespace

ParserContext context_of(unsigned chip, const TextOptions& options) {
  ParserContext context;
  context.chip = chip;
  context.wave_size = options.wave_size != 0 ? options.wave_size : (tables().chips[chip].waves & 1) != 0 ? 32 : 64;
  context.chip_set = chip_bit(chip);
  return context;
}

bool parse_instruction(const ParserContext& context, Cursor& cursor, Instruction& result) {
  const std::size_t middle = cursor.line().find("::", cursor.at());
  if (middle != std::string_view::npos) return parse_pair(context, cursor, middle, result);
  const std::vector<Instruction> found = readings(context, cursor, Share::whole, 1);
  if (found.empty()) return false;
  result = found[0];
  return true;
}

}  // namespace gfxisa::text
