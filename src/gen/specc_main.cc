// specc, the compiler of the spec:
//
//     specc check DIR                 reads and checks everything, writes nothing
//     specc fmt [--check] PATH...     the one layout of spec files
//     specc generate DIR OUT          writes tables and kernels as C++
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/suggest.h"
#include "gen/kernels.h"
#include "gen/load.h"
#include "gen/output.h"
#include "gen/tables.h"
#include "lang/format.h"
#include "model/isa.h"

namespace gfxisa::gen {
namespace {

int usage() {
  std::fputs("usage: specc check DIR\n       specc fmt [--check] FILE|DIR...\n       specc generate DIR OUT\n", stderr);
  return 2;
}

int failure(const Error& error) {
  std::fprintf(stderr, "specc: %s\n", error.message.c_str());
  if (!error.hint.empty()) std::fprintf(stderr, "       %s\n", error.hint.c_str());
  return 1;
}

bool wants_colour() { return isatty(STDERR_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr; }

/// The spec of a folder; `files` and `sources` are kept, since the Isa refers to them.
struct Spec {
  Sources sources;
  std::vector<lang::File> files;
  model::Isa isa;
};

int read_spec(const std::string& folder, Spec& spec) {
  Diagnostics diagnostics(spec.sources);
  Result<std::vector<lang::File>> files = load_spec(folder, spec.sources, diagnostics);
  if (!files) return failure(files.error());
  spec.files = std::move(*files);
  // A file that could not be read whole would make the checks of names report what is not there.
  if (!diagnostics.has_errors()) spec.isa = model::build_isa(spec.files, spec.sources, diagnostics);
  if (!diagnostics.has_errors()) return 0;
  std::fputs(diagnostics.text(wants_colour()).c_str(), stderr);
  const std::size_t count = diagnostics.list().size();
  std::fprintf(stderr, "specc: %zu error%s in %s\n", count, count == 1 ? "" : "s", folder.c_str());
  return 1;
}

// While the spec is being written a family may point at one that is still to come, so that this stops nobody from
// generating; the finished spec has none.
int check_related(const Spec& spec) {
  Diagnostics diagnostics(spec.sources);
  std::vector<std::string_view> names;
  for (const model::Instruction& instruction : spec.isa.instructions) names.push_back(instruction.name);
  for (const lang::Word& word : spec.isa.unknown_related) {
    diagnostics.error(word.at, "no instruction is called '" + word.text + "'", suggestion(word.text, names));
  }
  std::fputs(diagnostics.text(wants_colour()).c_str(), stderr);
  return diagnostics.has_errors() ? 1 : 0;
}

int check(const std::string& folder) {
  Spec spec;
  if (const int code = read_spec(folder, spec); code != 0) return code;
  if (const int code = check_related(spec); code != 0) return code;
  std::printf("%zu files, %zu families, %zu instructions, %zu forms on %zu generations: no errors\n", spec.files.size(),
              spec.isa.families.size(), spec.isa.instructions.size(), spec.isa.forms.size(), spec.isa.chips.size());
  return 0;
}

int generate(const std::string& folder, const std::string& out) {
  Spec spec;
  if (const int code = read_spec(folder, spec); code != 0) return code;
  OutputFolder output(out);
  generate_tables(spec.isa, output);
  std::vector<std::string> names;
  for (const lang::File& file : spec.files) names.push_back(spec.sources.name(file.source));
  const std::vector<std::string> problems = generate_kernels(spec.isa, names, output);
  for (const std::string& problem : problems) std::fprintf(stderr, "specc: %s\n", problem.c_str());
  if (!problems.empty()) return 1;
  if (!output.error().message.empty()) return failure(output.error());
  std::printf("%zu files in %s, %u of them new or changed\n", output.names().size(), out.c_str(), output.changed());
  return 0;
}

int format_file(const std::string& path, bool only_check) {
  const Result<std::string> text = read_file(path);
  if (!text) return failure(text.error());
  const std::string formatted = lang::format(*text);
  if (formatted == *text) return 0;
  if (only_check) {
    std::fprintf(stderr, "%s: not in the one layout; run specc fmt on it\n", path.c_str());
    return 1;
  }
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << formatted;
  out.close();
  return out ? 0 : failure({"cannot write " + path, {}});
}

int format_path(const std::string& path, bool only_check) {
  if (!std::filesystem::is_directory(path)) return format_file(path, only_check);
  const Result<std::vector<std::string>> names = spec_names(path);
  if (!names) return failure(names.error());
  int code = 0;
  for (const std::string& name : *names) code |= format_file(path + "/" + name, only_check);
  return code;
}

int format(std::vector<std::string> words) {
  const bool only_check = !words.empty() && words[0] == "--check";
  if (only_check) words.erase(words.begin());
  if (words.empty()) return usage();
  int code = 0;
  for (const std::string& path : words) code |= format_path(path, only_check);
  return code;
}

int run(const std::vector<std::string>& words) {
  if (words.size() == 2 && words[0] == "check") return check(words[1]);
  if (words.size() == 3 && words[0] == "generate") return generate(words[1], words[2]);
  if (words.size() >= 2 && words[0] == "fmt") return format({words.begin() + 1, words.end()});
  return usage();
}

}  // namespace
}  // namespace gfxisa::gen

int main(int count, char** values) { return gfxisa::gen::run({values + 1, values + count}); }
