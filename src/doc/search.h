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
  u16 chips;        ///< one bit a generation that has it
  unsigned chip;    ///< the newest of them
  std::string mnemonic;
  u32 score;
};

/// At most `count` instructions that have every word of `query` (or as many as any instruction has), best first; of
/// `chip` alone when that is not negative.
std::vector<SearchHit> search(std::string_view query, int chip, unsigned count);

/// The words of a text: runs of letters and digits, in lower case.
std::vector<std::string> words_of(std::string_view text);

/// What has one page: the instructions of a name. There are several where generations have different instructions of
/// one name (v_cmpx_eq_f32), or a generation has two that its encodings tell apart (buffer_load_dword into the data
/// share).
struct SearchEntry {
  struct Member {
    u32 instruction;  ///< index in tables().instructions
    u16 chips;        ///< one bit a generation
  };
  std::vector<Member> members;     ///< that of the newest generation first
  u16 chips = 0;                   ///< of all members
  std::vector<std::string> names;  ///< mnemonics, the newest generation's first, then aliases
  std::string topic, about;        ///< of the first member
  std::string ptx;                 ///< names of PTX counterparts, apart by spaces
  u32 weight = 0;                  ///< orders what is otherwise equal: usual types first, then many generations
};
/// Sorted by name.
std::vector<SearchEntry> search_entries();

}  // namespace gfxisa
