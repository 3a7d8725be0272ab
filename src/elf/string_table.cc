#include "elf/string_table.h"

#include <algorithm>

namespace gfxisa {

void StringTable::add(std::string_view name) {
  if (!name.empty()) offsets_.emplace(name, 0);
}

void StringTable::finish() {
  std::vector<std::pair<const std::string, u32>*> order;
  order.reserve(offsets_.size());
  for (auto& entry : offsets_) order.push_back(&entry);
  // From the last character backwards, the greatest first: whatever ends another name follows it at once.
  std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    const auto less = [](char x, char y) { return static_cast<u8>(x) < static_cast<u8>(y); };
    return std::lexicographical_compare(b->first.rbegin(), b->first.rend(), a->first.rbegin(), a->first.rend(), less);
  });
  bytes_.assign(1, '\0');
  std::string_view previous;
  for (auto* entry : order) {
    const std::string& name = entry->first;
    if (previous.ends_with(name)) {
      entry->second = static_cast<u32>(bytes_.size() - name.size() - 1);
      continue;
    }
    entry->second = static_cast<u32>(bytes_.size());
    bytes_ += name;
    bytes_ += '\0';
    previous = name;
  }
}

u32 StringTable::offset(std::string_view name) const {
  const auto found = offsets_.find(std::string(name));
  return found == offsets_.end() ? 0 : found->second;
}

}  // namespace gfxisa
