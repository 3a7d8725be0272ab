// Chips, epochs, and sets of them.
#include <algorithm>

#include "base/suggest.h"
#include "model/builder.h"

namespace gfxisa::model {

static constexpr std::size_t most_chips = 16;  // the tables keep sets of chips in 16 bits

void Builder::add_chips() {
  for (const lang::File& file : files_) {
    for (const lang::Chip& chip : file.chips) add_chip(chip);
  }
}

void Builder::add_chip(const lang::Chip& source) {
  const auto same = [&](const Chip& chip) { return chip.name == source.name.text; };
  if (std::any_of(isa_.chips.begin(), isa_.chips.end(), same)) {
    return fail(source.name.at, "chip '" + source.name.text + "' is declared twice");
  }
  if (isa_.chips.size() == most_chips) {
    return fail(source.name.at, "there are more than " + std::to_string(most_chips) + " chips");
  }
  Chip chip{source.name.text, source.title.text, {}, {}, {}, 0};
  const u32 index = static_cast<u32>(isa_.chips.size());
  for (const lang::Word& target : source.targets) {
    chip.targets.push_back(target.text);
    if (!chip_of_target_.emplace(target.text, index).second) {
      fail(target.at, "target '" + target.text + "' belongs to two chips");
    }
  }
  if (chip.targets.empty()) fail(source.name.at, "chip '" + chip.name + "' has no targets", "targets gfx942");
  add_waves(chip, source);
  for (const lang::Text& manual : source.manuals) chip.manuals.push_back(manual.text);
  isa_.chips.push_back(std::move(chip));
  all_ |= ChipSet{1} << index;
}

void Builder::add_waves(Chip& chip, const lang::Chip& source) {
  for (const lang::Word& wave : source.waves) {
    if (wave.text == "32" || wave.text == "64") {
      chip.waves.push_back(wave.text == "32" ? 32 : 64);
    } else {
      fail(wave.at, "a wave has 32 or 64 lanes");
    }
  }
  if (source.waves.empty()) fail(source.name.at, "chip '" + chip.name + "' has no wave size", "wave 32 64");
}

void Builder::add_epochs() {
  for (const lang::File& file : files_) {
    for (const lang::Epoch& epoch : file.epochs) add_epoch(epoch);
  }
  ChipSet in_epochs = 0;
  for (const Epoch& epoch : isa_.epochs) in_epochs |= epoch.chips;
  for (const lang::File& file : files_) {
    for (const lang::Chip& chip : file.chips) {
      for (u32 i = 0; i < isa_.chips.size(); ++i) {
        if (isa_.chips[i].name == chip.name.text && (in_epochs >> i & 1) == 0) {
          fail(chip.name.at, "chip '" + chip.name.text + "' is in no epoch", "epoch gfx9 = " + chip.name.text);
        }
      }
    }
  }
}

void Builder::add_epoch(const lang::Epoch& source) {
  Epoch epoch{source.name.text, 0, 0};
  if (epoch_index(epoch.name) < isa_.epochs.size()) {
    fail(source.name.at, "epoch '" + epoch.name + "' is declared twice");
  }
  for (const lang::Word& word : source.chips.items) {
    u32 index = 0;
    while (index < isa_.chips.size() && isa_.chips[index].name != word.text) ++index;
    if (index == isa_.chips.size()) {
      std::vector<std::string_view> names;
      for (const Chip& chip : isa_.chips) names.push_back(chip.name);
      fail(word.at, "unknown chip '" + word.text + "'", suggestion(word.text, names));
      continue;
    }
    for (const Epoch& other : isa_.epochs) {
      if (other.chips >> index & 1) fail(word.at, "chip '" + word.text + "' is in two epochs");
    }
    epoch.chips |= ChipSet{1} << index;
    isa_.chips[index].epoch = static_cast<u32>(isa_.epochs.size());
  }
  if (!source.knows.items.empty()) epoch.known = resolve(source.knows) & ~epoch.chips;
  isa_.epochs.push_back(std::move(epoch));
}

u32 Builder::epoch_index(std::string_view name) const {
  u32 index = 0;
  while (index < isa_.epochs.size() && isa_.epochs[index].name != name) ++index;
  return index;
}

ChipSet Builder::resolve(const lang::Set& set) {
  if (set.empty()) return all_;
  ChipSet chips = 0;
  for (const lang::Word& item : set.items) chips |= resolve_item(item);
  return chips;
}

// `gfx9-cdna1`: the first name without those after it.
ChipSet Builder::resolve_item(const lang::Word& item) {
  const std::string_view text = item.text;
  std::size_t dash = text.find('-');
  ChipSet chips = resolve_name(item, text.substr(0, dash));
  while (dash != std::string_view::npos) {
    const std::size_t next = text.find('-', dash + 1);
    const std::string_view name = text.substr(dash + 1, next == std::string_view::npos ? next : next - dash - 1);
    const ChipSet without = resolve_name(item, name);
    if ((without & ~chips) != 0) {
      fail(item.at, "'" + std::string(name) + "' is not part of '" + std::string(text.substr(0, dash)) + "'");
    }
    chips &= ~without;
    dash = next;
  }
  return chips;
}

ChipSet Builder::resolve_name(const lang::Word& item, std::string_view name) {
  if (!name.empty() && name.back() == '+') return from_epoch_on(item, name.substr(0, name.size() - 1));
  for (u32 i = 0; i < isa_.chips.size(); ++i) {
    if (isa_.chips[i].name == name) return ChipSet{1} << i;
  }
  if (const u32 epoch = epoch_index(name); epoch < isa_.epochs.size()) return isa_.epochs[epoch].chips;
  if (const auto target = chip_of_target_.find(std::string(name)); target != chip_of_target_.end()) {
    return ChipSet{1} << target->second;
  }
  std::vector<std::string_view> names;
  for (const Chip& chip : isa_.chips) names.push_back(chip.name);
  for (const Epoch& epoch : isa_.epochs) names.push_back(epoch.name);
  for (const auto& target : chip_of_target_) names.push_back(target.first);
  std::sort(names.begin() + static_cast<std::ptrdiff_t>(isa_.chips.size() + isa_.epochs.size()), names.end());
  fail(item.at, "unknown generation '" + std::string(name) + "'", suggestion(name, names));
  return 0;
}

ChipSet Builder::from_epoch_on(const lang::Word& item, std::string_view name) {
  u32 epoch = epoch_index(name);
  if (epoch == isa_.epochs.size()) {
    std::vector<std::string_view> names;
    for (const Epoch& known : isa_.epochs) names.push_back(known.name);
    std::string hint = suggestion(name, names);
    if (hint.empty()) hint = "only epochs have later ones: gfx10+";
    fail(item.at, "unknown epoch '" + std::string(name) + "'", hint);
    return 0;
  }
  ChipSet chips = 0;
  for (; epoch < isa_.epochs.size(); ++epoch) chips |= isa_.epochs[epoch].chips;
  return chips;
}

std::string Builder::chip_names(ChipSet chips) const {
  std::string text;
  for (u32 i = 0; i < isa_.chips.size(); ++i) {
    if (chips >> i & 1) text += (text.empty() ? "" : " ") + isa_.chips[i].name;
  }
  return text;
}

}  // namespace gfxisa::model
