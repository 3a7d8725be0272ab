#include <algorithm>
#include <map>

#include "base/suggest.h"
#include "doc/page.h"
#include "inst/tables.h"

namespace gfxisa {

std::vector<std::string> similar_mnemonics(std::string_view name, int chip, unsigned count) {
  const Tables& all = tables();
  std::map<std::string_view, unsigned> distances;
  for (unsigned c = 0; c < all.chips.size(); ++c) {
    if (chip >= 0 && c != static_cast<unsigned>(chip)) continue;
    const ChipRow& row = all.chips[c];
    for (u32 i = row.first_name; i < row.first_name + row.name_count; ++i) {
      const std::string_view candidate = all.text(all.name_index[i].name);
      if (!distances.contains(candidate)) distances[candidate] = edit_distance(name, candidate);
    }
  }
  std::vector<std::pair<unsigned, std::string_view>> order;
  const unsigned limit = std::max<unsigned>(3, static_cast<unsigned>(name.size()) / 3);
  for (const auto& [candidate, distance] : distances) {
    if (distance <= limit) order.emplace_back(distance, candidate);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::string> out;
  for (unsigned i = 0; i < order.size() && i < count; ++i) out.emplace_back(order[i].second);
  return out;
}

}  // namespace gfxisa
