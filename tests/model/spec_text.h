// Spec text of tests, built.
#pragma once
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "lang/parser.h"
#include "model/isa.h"

namespace gfxisa {

inline std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Texts with their names, as one spec.
class SpecText {
 public:
  explicit SpecText(const std::vector<std::pair<std::string, std::string>>& texts) : diagnostics(sources) {
    for (const auto& [name, text] : texts) files.push_back(lang::parse(sources.add(name, text), sources, diagnostics));
    if (!diagnostics.has_errors()) isa = model::build_isa(files, sources, diagnostics);
  }

  Sources sources;
  Diagnostics diagnostics;
  std::vector<lang::File> files;
  model::Isa isa;
};

}  // namespace gfxisa
