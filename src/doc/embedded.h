// Text files of data/ and site/ that the build puts into the program (cmake/embed.cmake).
#pragma once
#include <span>
#include <string_view>

namespace gfxisa {

struct EmbeddedFile {
  std::string_view name, text;
};
std::span<const EmbeddedFile> embedded_data();
std::span<const EmbeddedFile> embedded_site();

/// The file's text; empty when there is none of that name.
inline std::string_view embedded_text(std::span<const EmbeddedFile> files, std::string_view name) {
  for (const EmbeddedFile& file : files) {
    if (file.name == name) return file.text;
  }
  return {};
}

}  // namespace gfxisa
