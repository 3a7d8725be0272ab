// Full-text search over instructions: ranked, and tolerant of typing mistakes. The site's script ranks by the same
// rules (site/search.js); a test compares the two.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace gfxisa {

struct SearchHit {
  u32 instruction;  ///< index in tables().instructions
  unsigned chip;    ///< the newest generation that has it
  std::string mnemonic;
  u32 score;
};

/// At most `count` instructions that have every word of `query` (or as many as any instruction has), best first; of
/// `chip` alone when that is not negative.
std::vector<SearchHit> search(std::string_view query, int chip, unsigned count);

/// The words of a text: runs of letters and digits, in lower case.
std::vector<std::string> words_of(std::string_view text);

/// What the search knows of an instruction besides its names.
struct SearchEntry {
  u32 instruction;
  u16 chips;                       ///< one bit a generation
  std::vector<std::string> names;  ///< mnemonics, the newest generation's first, then aliases
  std::string topic, about;
  std::string ptx;  ///< names of PTX counterparts, apart by spaces
  u32 weight;       ///< orders what is otherwise equal: usual types first, then many generations
};
std::vector<SearchEntry> search_entries();

}  // namespace gfxisa
