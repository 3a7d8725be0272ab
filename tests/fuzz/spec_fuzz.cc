// The front end of the spec on any text: alone, and together with a right spec so that damaged families meet real
// encodings. A corpus to start from: spec/ and tests/errors/.
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "lang/format.h"
#include "lang/parser.h"
#include "model/isa.h"

namespace gfxisa {
namespace {

const std::string& base() {
  static const std::string text = [] {
    std::ifstream in(GFXISA_SOURCE_DIR "/tests/errors/common/base.isa", std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }();
  return text;
}

// Mistakes in one file must not keep the model from being built, so errors of the parser are not looked at.
void build(const std::string& text) {
  Sources sources;
  Diagnostics diagnostics(sources);
  std::vector<lang::File> files;
  files.push_back(lang::parse(sources.add("base.isa", base()), sources, diagnostics));
  files.push_back(lang::parse(sources.add("text.isa", text), sources, diagnostics));
  const model::Isa isa = model::build_isa(files, sources, diagnostics);
  if (diagnostics.has_errors() && diagnostics.text().empty()) std::abort();
}

void format(const std::string& text) {
  const std::string once = lang::format(text);
  if (lang::format(once) != once) std::abort();
}

}  // namespace
}  // namespace gfxisa

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  gfxisa::build(text);
  gfxisa::format(text);
  return 0;
}
