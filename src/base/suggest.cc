#include "base/suggest.h"

#include <algorithm>

namespace gfxisa {

// Words longer than this are no typing mistakes of ours, and the table below grows with the square of the length.
static constexpr std::size_t longest_word = 64;

unsigned edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<unsigned> rows(3 * width);
  unsigned *before = &rows[0], *last = &rows[width], *row = &rows[2 * width];
  for (std::size_t j = 0; j < width; ++j) row[j] = static_cast<unsigned>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, last);
    std::swap(last, row);
    row[0] = static_cast<unsigned>(i);
    for (std::size_t j = 1; j < width; ++j) {
      const unsigned replaced = last[j - 1] + (a[i - 1] != b[j - 1]);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[width - 1];
}

std::string nearest(std::string_view name, const std::vector<std::string_view>& candidates) {
  if (name.empty() || name.size() > longest_word) return {};
  // Of a word of one letter nothing is left to be alike.
  const unsigned allowed = name.size() == 1 ? 0 : static_cast<unsigned>(std::max<std::size_t>(1, name.size() / 3));
  unsigned best = allowed + 1;
  std::string_view found;
  for (const std::string_view candidate : candidates) {
    const std::size_t longer = std::max(candidate.size(), name.size());
    const std::size_t shorter = std::min(candidate.size(), name.size());
    if (longer - shorter > allowed) continue;
    const unsigned distance = edit_distance(name, candidate);
    if (distance < best) {
      best = distance;
      found = candidate;
    }
  }
  return std::string(found);
}

std::string suggestion(std::string_view name, const std::vector<std::string_view>& candidates) {
  const std::string found = nearest(name, candidates);
  return found.empty() ? std::string() : "did you mean '" + found + "'?";
}

}  // namespace gfxisa
