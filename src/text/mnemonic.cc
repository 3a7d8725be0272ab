#include "text/mnemonic.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <unordered_map>

#include "base/suggest.h"
#include "codec/encode.h"

namespace gfxisa::text {

namespace {

std::span<const NameRow> names_of(unsigned chip) {
  const ChipRow& row = tables().chips[chip];
  return tables().name_index.subspan(row.first_name, row.name_count);
}

/// Names are sorted by text, with aliases of a text after its names.
std::span<const NameRow> rows_of(unsigned chip, std::string_view mnemonic) {
  const auto names = names_of(chip);
  const auto less = [](const NameRow& row, std::string_view text) { return tables().text(row.name) < text; };
  const auto first = std::lower_bound(names.begin(), names.end(), mnemonic, less);
  auto last = first;
  while (last != names.end() && tables().text(last->name) == mnemonic) ++last;
  return {first, last};
}

/// What the end of a mnemonic asks for.
struct Ending {
  std::string_view text;
  std::string_view encoding_suffix;  ///< the form's encoding must have this suffix; empty: any
  bool is_lane = false;              ///< a DPP or SDWA word must follow
  std::string_view lane = {};        ///< DPP or SDWA
};
constexpr Ending endings[] = {
    {"_e64_dpp", "", true, "DPP"},   {"_e32", "_e32"}, {"_e64", "_e64"}, {"_dpp", "_e32", true, "DPP"},
    {"_sdwa", "_e32", true, "SDWA"},
};

void add_lane_suffixes(u32 form, std::string_view lane, std::vector<Candidate>& out) {
  for (const std::string_view name : {"DPP16", "DPP8", "DPP8_FI", "SDWA"}) {
    if (!lane.empty() && !name.starts_with(lane)) continue;
    const u16 suffix = find_suffix(form, name);
    if (suffix != no_suffix) out.push_back({form, suffix});
  }
}

const EncodingRow& encoding_of(u32 form) { return tables().encodings[tables().forms[form].encoding]; }

void add_with_ending(unsigned chip, std::string_view mnemonic, const Ending& ending, std::vector<Candidate>& out) {
  const std::string_view base = mnemonic.substr(0, mnemonic.size() - ending.text.size());
  for (const NameRow& row : rows_of(chip, base)) {
    const EncodingRow& encoding = encoding_of(row.form);
    const bool is_short = encoding.bits == 32;
    if (ending.is_lane && is_short != (ending.encoding_suffix == "_e32")) continue;
    if (!ending.is_lane && tables().text(encoding.mnemonic_suffix) != ending.encoding_suffix) continue;
    if (ending.is_lane)
      add_lane_suffixes(row.form, ending.lane, out);
    else
      out.push_back({row.form, no_suffix});
  }
}

std::vector<Candidate> search_candidates(unsigned chip, std::string_view mnemonic) {
  std::vector<Candidate> out;
  for (const NameRow& row : rows_of(chip, mnemonic)) out.push_back({row.form, no_suffix});
  // By length; forms of one length keep their order, which is that of their indices.
  const auto place = [](const Candidate& candidate) {
    const bool is_last = !tables().forms[candidate.form].is_preferred;
    return std::tuple(is_last, encoding_of(candidate.form).bits, candidate.form);
  };
  std::sort(out.begin(), out.end(), [&](const Candidate& a, const Candidate& b) { return place(a) < place(b); });
  const std::size_t plain = out.size();
  for (std::size_t i = 0; i < plain; ++i) add_lane_suffixes(out[i].form, {}, out);
  if (!out.empty()) return out;
  for (const Ending& ending : endings) {
    if (mnemonic.ends_with(ending.text) && out.empty()) add_with_ending(chip, mnemonic, ending, out);
  }
  return out;
}

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
using KnownMnemonics = std::unordered_map<std::string, std::vector<Candidate>, TextHash, std::equal_to<>>;

}  // namespace

std::span<const Candidate> candidates_of(unsigned chip, std::string_view mnemonic) {
  thread_local std::array<KnownMnemonics, chip_count> known;
  const auto found = known[chip].find(mnemonic);
  if (found != known[chip].end()) return found->second;
  std::vector<Candidate> candidates = search_candidates(chip, mnemonic);
  if (candidates.empty()) return {};  // there are more wrong names than one would want to remember
  return known[chip].emplace(mnemonic, std::move(candidates)).first->second;
}

Error unknown_mnemonic(unsigned chip, std::string_view mnemonic) {
  const Tables& all = tables();
  const std::string_view here = all.text(all.chips[chip].name);
  std::string others;
  for (unsigned other = 0; other < all.chips.size(); ++other) {
    if (other == chip || candidates_of(other, mnemonic).empty()) continue;
    (others += others.empty() ? "" : ", ") += all.text(all.chips[other].name);
  }
  std::vector<std::string_view> known;
  for (const NameRow& row : names_of(chip)) known.push_back(all.text(row.name));
  if (!others.empty()) {
    return Error{std::string(here) + " has no instruction '" + std::string(mnemonic) + "'; it exists on " + others,
                 suggestion(mnemonic, known)};
  }
  return Error{"unknown instruction '" + std::string(mnemonic) + "'", suggestion(mnemonic, known)};
}

}  // namespace gfxisa::text
