#include "cli/input.h"

#include <sys/stat.h>

#include <algorithm>
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
  struct stat status {};
  const bool is_sized = fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode);
  // One byte more than the file has, so that the first read sees its end.
  std::size_t room = is_sized ? static_cast<std::size_t>(status.st_size) + 1 : 65536, size = 0, count = 0;
  std::setvbuf(file, nullptr, _IONBF, 0);
  do {
    text.resize(size + room);
    count = std::fread(text.data() + size, 1, room, file);
    size += count;
    room = std::max<std::size_t>(size, 65536);
  } while (count > 0 && std::feof(file) == 0);
  text.resize(size);
  if (std::ferror(file) != 0)
    return Error{"cannot read " + (is_standard ? "standard input" : name) + ": " + std::strerror(errno), ""};
  return text;
}

}  // namespace gfxisa::cli
