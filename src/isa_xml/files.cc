#include "isa_xml/files.h"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <vector>

namespace gfxisa::isa_xml {
namespace {

namespace fs = std::filesystem;

/// AMD's files have some 12 MB; a small archive must not unpack into all memory.
constexpr std::uint64_t most_bytes = 256u << 20;

using Use = std::function<Result<bool>(std::string, std::string)>;

bool is_xml(std::string_view name) { return name.size() > 4 && name.substr(name.size() - 4) == ".xml"; }

Error too_large(const std::string& name) {
  return Error{fmt::format("{}: larger than {} MB, which no such file is", name, most_bytes >> 20), ""};
}

Error none_in(const std::string& path) {
  return Error{fmt::format("{}: no .xml file in it", path),
               "gpuopen.com/machine-readable-isa has the files, one for each generation"};
}

Result<std::string> read_file(const fs::path& path) {
  std::error_code problem;
  const auto size = fs::file_size(path, problem);
  if (problem) return Error{fmt::format("cannot read {}: {}", path.string(), problem.message()), ""};
  if (size > most_bytes) return too_large(path.string());
  std::ifstream in(path, std::ios::binary);
  std::string text(size, '\0');
  if (!in.read(text.data(), static_cast<std::streamsize>(size))) return Error{"cannot read " + path.string(), ""};
  return text;
}

Result<bool> use_file(const fs::path& path, const Use& use) {
  auto text = read_file(path);
  if (!text) return text.error();
  return use(path.filename().string(), std::move(*text));
}

Result<bool> use_folder(const fs::path& path, const Use& use) {
  std::vector<fs::path> files;
  std::error_code problem;
  for (fs::directory_iterator at(path, problem), end; !problem && at != end; at.increment(problem)) {
    if (is_xml(at->path().string())) files.push_back(at->path());
  }
  if (problem) return Error{fmt::format("cannot read {}: {}", path.string(), problem.message()), ""};
  if (files.empty()) return none_in(path.string());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    if (const auto done = use_file(file, use); !done) return done;
  }
  return true;
}

using Archive = std::unique_ptr<zip_t, decltype(&zip_discard)>;

Result<std::string> unpack(zip_t* archive, zip_uint64_t index, const std::string& name) {
  zip_stat_t about;
  if (zip_stat_index(archive, index, 0, &about) != 0 || (about.valid & ZIP_STAT_SIZE) == 0)
    return Error{fmt::format("{}: {}", name, zip_strerror(archive)), ""};
  if (about.size > most_bytes) return too_large(name);
  const std::unique_ptr<zip_file_t, decltype(&zip_fclose)> file(zip_fopen_index(archive, index, 0), zip_fclose);
  if (file == nullptr) return Error{fmt::format("{}: {}", name, zip_strerror(archive)), ""};
  std::string text(about.size, '\0');
  const zip_int64_t size = zip_fread(file.get(), text.data(), about.size);
  if (size < 0 || static_cast<zip_uint64_t>(size) != about.size)
    return Error{fmt::format("{}: it does not unpack to the size that the archive gives", name), ""};
  return text;
}

Result<bool> use_archive(const std::string& path, const Use& use) {
  int problem = 0;
  const Archive archive(zip_open(path.c_str(), ZIP_RDONLY, &problem), zip_discard);
  if (archive == nullptr) {
    zip_error_t error;
    zip_error_init_with_code(&error, problem);
    const std::string why = zip_error_strerror(&error);
    zip_error_fini(&error);
    return Error{fmt::format("cannot read {}: {}", path, why), ""};
  }
  std::vector<std::pair<std::string, zip_uint64_t>> files;
  for (zip_int64_t i = 0; i < zip_get_num_entries(archive.get(), 0); ++i) {
    const char* name = zip_get_name(archive.get(), static_cast<zip_uint64_t>(i), 0);
    if (name != nullptr && is_xml(name)) files.push_back({name, static_cast<zip_uint64_t>(i)});
  }
  if (files.empty()) return none_in(path);
  std::sort(files.begin(), files.end());
  for (const auto& [name, index] : files) {
    auto text = unpack(archive.get(), index, path + ":" + name);
    if (!text) return text.error();
    if (const auto done = use(name, std::move(*text)); !done) return done;
  }
  return true;
}

bool is_archive(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  char magic[2] = {};
  return in.read(magic, 2) && magic[0] == 'P' && magic[1] == 'K';
}

}  // namespace

Result<bool> for_each_file(const std::string& path, const Use& use) {
  std::error_code problem;
  if (fs::is_directory(path, problem)) return use_folder(path, use);
  return is_archive(path) ? use_archive(path, use) : use_file(path, use);
}

}  // namespace gfxisa::isa_xml
