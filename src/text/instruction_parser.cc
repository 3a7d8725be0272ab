#include "text/instruction_parser.h"

#include <algorithm>

#include "codec/decode.h"
#include "text/mnemonic.h"
#include "text/pair.h"
#include "text/plain_line.h"

namespace gfxisa::text {

namespace {

Share share_of(const Candidate& candidate) {
  return gfxisa::share_of(tables().encodings[tables().forms[candidate.form].encoding]);
}

/// The instruction exists, but not in this place: alone, before or after the colons of a pair.
Error wrong_share(std::string_view mnemonic, std::span<const Candidate> candidates, Share share) {
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

bool parse_form(const ParserContext& context, Cursor& cursor, const Candidate& candidate, Instruction& result) {
  thread_local FormBuffers buffers;
  return FormParser(context, cursor, candidate.form, candidate.suffix, buffers).parse(result);
}

/// Reads one instruction as each form that fits, in order of preference, until `take` says that it has enough. Of
/// several forms that do not fit, the one that was read furthest says what is wrong. False: none fits.
template <class Take>
bool read_forms(const ParserContext& context, Cursor& cursor, Share share, const Take& take) {
  cursor.skip_spaces();
  const std::size_t start = cursor.at();
  const std::string_view mnemonic = cursor.take_identifier();
  if (mnemonic.empty()) return cursor.fail(start, cursor.peek_word().size(), "expected an instruction");
  const std::span<const Candidate> candidates = candidates_of(context.chip, mnemonic);
  if (candidates.empty()) {
    const Error error = unknown_mnemonic(context.chip, mnemonic);
    return cursor.fail(start, mnemonic.size(), error.message, error.hint);
  }
  const std::size_t operands = cursor.at();
  bool is_found = false;
  for (const Candidate& candidate : candidates) {
    if (share_of(candidate) != share) continue;
    cursor.go_to(operands);
    Instruction result;
    const bool may_be_plain = candidate.suffix == no_suffix;
    if (!(may_be_plain && parse_plain_line(context, cursor, candidate.form, result)) &&
        !parse_form(context, cursor, candidate, result))
      continue;
    is_found = true;
    if (take(result)) break;
  }
  if (is_found) {
    cursor.clear_error();
  } else if (!cursor.error()) {
    const Error error = wrong_share(mnemonic, candidates, share);
    cursor.fail(start, mnemonic.size(), error.message, error.hint);
  }
  return is_found;
}

std::vector<Instruction> readings(const ParserContext& context, Cursor& cursor, Share share) {
  constexpr std::size_t most = 8;
  std::vector<Instruction> found;
  read_forms(context, cursor, share, [&](const Instruction& reading) {
    found.push_back(reading);
    return found.size() == most;
  });
  return found;
}

/// `first :: second`, where `middle` is the place of the colons.
bool parse_pair(const ParserContext& context, Cursor& cursor, std::size_t middle, Instruction& result) {
  if (context.wave_size == 64)
    return cursor.fail(middle, 2, "two instructions at once exist in waves of 32 lanes only");
  Cursor left(cursor.line().substr(0, middle)), right(cursor.line());
  left.go_to(cursor.at());
  right.go_to(middle + 2);
  const std::vector<Instruction> firsts = readings(context, left, Share::first);
  const std::vector<Instruction> seconds = readings(context, right, Share::second);
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
  context.wave_size = wave_size_of(chip, options);
  context.chip_set = chip_bit(chip);
  return context;
}

bool parse_instruction(const ParserContext& context, Cursor& cursor, Instruction& result) {
  const std::size_t middle = cursor.line().find("::", cursor.at());
  if (middle != std::string_view::npos) return parse_pair(context, cursor, middle, result);
  return read_forms(context, cursor, Share::whole, [&](const Instruction& reading) {
    result = reading;
    return true;
  });
}

}  // namespace gfxisa::text
