// specc, the compiler of the spec:
//
//     specc check DIR                 reads and checks everything, writes nothing
//     specc fmt [--check] FILE...     the one layout of spec files
//     specc generate DIR OUT          writes tables and kernels as C++
#include <cstdio>
#include <string>
#include <vector>

#include "gen/load.h"

namespace gfxisa::gen {
namespace {

int usage() {
  std::fputs("usage: specc check DIR\n       specc fmt [--check] FILE...\n       specc generate DIR OUT\n", stderr);
  return 2;
}

int check(const std::string& folder) {
  Sources sources;
  Diagnostics diagnostics(sources);
  const auto files = load_spec(folder, sources, diagnostics);
  if (!files) {
    std::fprintf(stderr, "specc: %s\n", files.error().message.c_str());
    return 1;
  }
  std::fputs(diagnostics.text().c_str(), stderr);
  return diagnostics.has_errors() ? 1 : 0;
}

}  // namespace
}  // namespace gfxisa::gen

int main(int count, char** values) {
  const std::vector<std::string> words(values + 1, values + count);
  if (words.size() == 2 && words[0] == "check") return gfxisa::gen::check(words[1]);
  return gfxisa::gen::usage();
}
