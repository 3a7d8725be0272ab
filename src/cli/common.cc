#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "base/suggest.h"
#include "cli/commands.h"
#include "inst/instruction.h"

namespace gfxisa::cli {

bool wants_colour(int fd) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  if (no_colour != nullptr && *no_colour != '\0') return false;
  return isatty(fd) != 0 && term != nullptr && std::string_view(term) != "dumb";
}

unsigned terminal_width() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 100;
  return size.ws_col;
}

void print_error(const Error& error) {
  const bool colour = wants_colour(STDERR_FILENO);
  fmt::print(stderr, "{}error:{} {}\n", colour ? "\033[1;31m" : "", colour ? "\033[0m" : "", error.message);
  if (!error.hint.empty()) fmt::print(stderr, "hint: {}\n", error.hint);
}

Result<int> parse_arch(const std::string& name) {
  const int chip = find_chip(name);
  if (chip >= 0) return chip;
  std::vector<std::string_view> families, all_names;
  for (const ChipRow& row : tables().chips) {
    families.push_back(tables().text(row.name));
    all_names.push_back(families.back());
    for (u32 i = 0; i < row.target_count; ++i) all_names.push_back(tables().text(tables().texts[row.first_target + i]));
  }
  const std::string_view near = nearest(name, all_names);
  return Error{
      fmt::format("unknown architecture '{}'{}", name, near.empty() ? "" : fmt::format("; did you mean {}?", near)),
      fmt::format("a family ({}) or a target such as gfx1100", fmt::join(families, ", "))};
}

}  // namespace gfxisa::cli
