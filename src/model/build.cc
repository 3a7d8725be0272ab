#include "model/builder.h"

namespace gfxisa::model {

Isa build_isa(const std::vector<lang::File>& files, const Sources& sources, Diagnostics& diagnostics) {
  return Builder(files, sources, diagnostics).build();
}

// Each step reads what the steps before it made.
Isa Builder::build() {
  add_chips();
  add_epochs();
  add_formats();
  add_codes();
  add_kinds();
  add_functions();
  add_encodings();
  add_promotes();
  add_families();
  check_clashes();
  check_mnemonics();
  check_patterns();
  check_related();
  sort_instructions();
  return std::move(isa_);
}

}  // namespace gfxisa::model
