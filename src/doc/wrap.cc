#include "doc/wrap.h"

#include <algorithm>

namespace gfxisa {

std::vector<std::string> wrap(std::string_view text, unsigned width) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    if (text.front() == '\n') {
      lines.emplace_back();
      text.remove_prefix(1);
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end < text.size() && text[end] == ' ' ? end + 1 : end);
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width) lines.emplace_back();
    if (!lines.back().empty() && !word.empty()) lines.back() += ' ';
    lines.back() += word;
  }
  return lines;
}

}  // namespace gfxisa
