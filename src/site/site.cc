#include "site/site.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <system_error>

#include "doc/embedded.h"
#include "site/pages.h"

namespace gfxisa {
namespace {

namespace fs = std::filesystem;

class Writer {
 public:
  explicit Writer(fs::path directory) : directory_(std::move(directory)) {}

  bool write(const site::File& file) {
    const fs::path path = directory_ / file.path;
    std::error_code problem;
    fs::create_directories(path.parent_path(), problem);
    std::ofstream out(path, std::ios::binary);
    out.write(file.text.data(), static_cast<std::streamsize>(file.text.size()));
    out.close();
    if (!out) {
      failed_ = path.string();
      return false;
    }
    ++report.files;
    report.bytes += file.text.size();
    const bool is_painted_first = file.path == "index.html" || file.path == "style.css" || file.path == "app.js" ||
                                  file.path == "search.js" || file.path == "icon.svg";
    if (is_painted_first) report.first_paint_bytes += file.text.size();
    return true;
  }
  bool write(const std::vector<site::File>& files) {
    for (const site::File& file : files) {
      if (!write(file)) return false;
    }
    return true;
  }
  Error error() const {
    return {fmt::format("cannot write '{}'", failed_), "is the folder writable, and is there room?"};
  }

  SiteReport report;

 private:
  fs::path directory_;
  std::string failed_;
};

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

Result<SiteReport> write_site(const SiteOptions& options) {
  std::error_code problem;
  fs::create_directories(options.directory, problem);
  if (problem) return Error{fmt::format("cannot make the folder '{}': {}", options.directory, problem.message()), ""};
  Writer writer(options.directory);
  const auto entries = search_entries();
  const std::string decoder = options.decoder.empty() ? std::string() : read_file(options.decoder);
  writer.report.has_decoder = !decoder.empty();
  for (const EmbeddedFile& file : embedded_site()) {
    if (!file.name.ends_with(".html") && !writer.write({std::string(file.name), std::string(file.text)}))
      return writer.error();
  }
  bool ok = writer.write(site::home_page(entries)) && writer.write(site::all_page(entries)) &&
            writer.write(site::search_index(entries)) && writer.write(site::encoding_pages(entries)) &&
            writer.write(site::operands_page()) && writer.write(site::formats_page()) &&
            writer.write(site::matrix_pages(entries)) && writer.write(site::ptx_page()) &&
            writer.write(site::compare_pages()) && writer.write(site::decoder_page(writer.report.has_decoder));
  if (ok && writer.report.has_decoder) ok = writer.write({"gfxisa-wasm.js", decoder});
  for (std::size_t i = 0; ok && i < entries.size(); ++i) {
    ok = writer.write(site::instruction_pages(entries[i]));
    if (options.progress) options.progress(static_cast<u32>(i + 1), static_cast<u32>(entries.size()));
  }
  if (!ok) return writer.error();
  return writer.report;
}

}  // namespace gfxisa
