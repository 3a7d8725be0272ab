#include "cli/input.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace gfxisa::cli {

Result<std::string> read_input(const std::string& name) {
  const bool is_standard = name.empty() || name == "-";
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> owned(is_standard ? nullptr : std::fopen(name.c_str(), "rb"),
                                                        std::fclose);
  std::FILE* file = is_standard ? stdin : owned.get();
  if (file == nullptr) return Error{"cannot read " + name + ": " + std::strerror(errno), ""};
  std::string text;
  char buffer[65536];
  std::size_t count = 0;
  while ((count = std::fread(buffer, 1, sizeof buffer, file)) > 0) text.append(buffer, count);
  if (std::ferror(file) != 0)
    return Error{"cannot read " + (is_standard ? "standard input" : name) + ": " + std::strerror(errno), ""};
  return text;
}

}  // namespace gfxisa::cli
