// What there is: the forms of all generations, filtered. The command `list` and the site's index show it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "inst/tables.h"

namespace gfxisa {

/// Empty texts let everything pass; words are compared without regard to case.
struct Filter {
  int chip = -1;
  std::string name;       ///< mnemonic with `*` and `?`
  std::string encoding;   ///< SOP2, or a suffix that the form may take: DPP16
  std::string category;   ///< a word of it, or all of it: `LDS`, `vector`
  std::string format;     ///< data format of an operand: f32
  std::string registers;  ///< class of register an operand may be: sgpr vgpr agpr trap special literal
  std::string fidelity;   ///< exact, approximate, none
};

/// A filter's words that nothing has are an error that names what there is.
Result<bool> check_filter(const Filter& filter);

/// A form on a chip.
struct Entry {
  unsigned chip;
  u32 form;
};
std::vector<Entry> list_entries(const Filter& filter);

/// Names of suffixes that a form on `chip` may be followed by: LITERAL, DPP16, SDWA.
std::vector<std::string_view> suffixes_of(unsigned chip, const FormRow& form);
std::vector<u32> suffix_rows_of(unsigned chip, const FormRow& form);

std::string_view fidelity_word(Fidelity fidelity);
std::string_view class_word(CodeClass cls);
/// `text` as a JSON string with its quotes.
std::string json_text(std::string_view text);

}  // namespace gfxisa
