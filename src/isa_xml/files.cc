#include "isa_xml/files.h"

#include <fmt/format.h>
#include <unzip.h>

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

using Archive = std::unique_ptr<void, decltype(&unzClose)>;

struct ArchivedFile {
  std::string name;
  unz_file_pos place;
  std::uint64_t size;
};

/// False: the archive's directory cannot be read.
bool list_files(unzFile archive, std::vector<ArchivedFile>& files) {
  int status = unzGoToFirstFile(archive);
  for (; status == UNZ_OK; status = unzGoToNextFile(archive)) {
    ArchivedFile file;
    unz_file_info64 about;
    char name[4096];
    if (unzGetCurrentFileInfo64(archive, &about, name, sizeof name, nullptr, 0, nullptr, 0) != UNZ_OK) return false;
    file.name.assign(name, std::min<std::size_t>(about.size_filename, sizeof name));
    file.size = about.uncompressed_size;
    if (unzGetFilePos(archive, &file.place) != UNZ_OK) return false;
    if (is_xml(file.name)) files.push_back(file);
  }
  return status == UNZ_END_OF_LIST_OF_FILE;
}

Result<std::string> unpack(unzFile archive, ArchivedFile file, const std::string& name) {
  if (file.size > most_bytes) return too_large(name);
  const Error cannot_unpack{
      fmt::format("{}: it does not unpack to the {} bytes that the archive gives", name, file.size), ""};
  if (unzGoToFilePos(archive, &file.place) != UNZ_OK || unzOpenCurrentFile(archive) != UNZ_OK) return cannot_unpack;
  std::string text(file.size, '\0');
  char beyond;
  const int size = unzReadCurrentFile(archive, text.data(), static_cast<unsigned>(file.size));
  const bool is_all =
      size >= 0 && static_cast<std::uint64_t>(size) == file.size && unzReadCurrentFile(archive, &beyond, 1) == 0;
  // Closing compares the checksum.
  if (unzCloseCurrentFile(archive) != UNZ_OK || !is_all) return cannot_unpack;
  return text;
}

Result<bool> use_archive(const std::string& path, const Use& use) {
  const Archive archive(unzOpen64(path.c_str()), unzClose);
  if (archive == nullptr) return Error{fmt::format("cannot read {}: it is no complete ZIP archive", path), ""};
  std::vector<ArchivedFile> files;
  if (!list_files(archive.get(), files))
    return Error{fmt::format("cannot read {}: the archive's list of files is damaged", path), ""};
  if (files.empty()) return none_in(path);
  std::sort(files.begin(), files.end(), [](const ArchivedFile& a, const ArchivedFile& b) { return a.name < b.name; });
  for (const ArchivedFile& file : files) {
    auto text = unpack(archive.get(), file, path + ":" + file.name);
    if (!text) return text.error();
    if (const auto done = use(file.name, std::move(*text)); !done) return done;
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
