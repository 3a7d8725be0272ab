#include "gen/load.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "lang/parser.h"

namespace gfxisa::gen {

namespace fs = std::filesystem;

// Positions are 32 bits; no spec file is near this size.
static constexpr std::uintmax_t largest_file = std::uintmax_t{64} << 20;

Result<std::string> read_file(const std::string& path) {
  std::error_code failure;
  // Reading a folder as a file throws.
  if (fs::is_directory(path, failure)) return Error{"cannot read " + path, "it is a folder"};
  const std::uintmax_t size = fs::file_size(path, failure);
  if (!failure && size > largest_file) return Error{path + " is too large to be a spec file", {}};
  std::ifstream in(path, std::ios::binary);
  if (!in.is_open()) return Error{"cannot read " + path, {}};
  return std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
}

Result<std::vector<std::string>> spec_names(const std::string& folder) {
  std::error_code failure;
  std::vector<std::string> names;
  fs::recursive_directory_iterator entries(folder, failure);
  if (failure) return Error{"cannot read the folder " + folder, failure.message()};
  for (; entries != fs::recursive_directory_iterator(); entries.increment(failure)) {
    if (failure) return Error{"cannot read the folder " + folder, failure.message()};
    if (entries->path().extension() == ".isa")
      names.push_back(entries->path().lexically_relative(folder).generic_string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::vector<lang::File>> load_spec(const std::string& folder, Sources& sources, Diagnostics& diagnostics) {
  const Result<std::vector<std::string>> names = spec_names(folder);
  if (!names) return names.error();
  if (names->empty()) return Error{"no spec files (*.isa) in " + folder, {}};
  std::vector<lang::File> files;
  for (const std::string& name : *names) {
    Result<std::string> text = read_file(folder + "/" + name);
    if (!text) return text.error();
    files.push_back(lang::parse(sources.add(name, std::move(*text)), sources, diagnostics));
  }
  return files;
}

}  // namespace gfxisa::gen
