// The project's spec for tests that look at what it says, as it is written.
#pragma once
#include <string>
#include <vector>

#include "gen/load.h"
#include "model/isa.h"

namespace gfxisa {

/// The whole spec, read once.
struct Spec {
  Sources sources;
  std::vector<lang::File> files;
  model::Isa isa;
  std::string mistakes;
};

inline const Spec& spec() {
  static const Spec* loaded = [] {
    auto* result = new Spec;
    Diagnostics diagnostics(result->sources);
    auto files = gen::load_spec(GFXISA_SOURCE_DIR "/spec", result->sources, diagnostics);
    if (files) {
      result->files = std::move(*files);
      result->isa = model::build_isa(result->files, result->sources, diagnostics);
    }
    result->mistakes = diagnostics.text();
    return result;
  }();
  return *loaded;
}

}  // namespace gfxisa
