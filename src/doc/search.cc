#include "doc/search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <unordered_map>

#include "base/suggest.h"
#include "doc/compare.h"
#include "doc/ptx.h"
#include "inst/tables.h"

namespace gfxisa {
namespace {

const Tables& all() { return tables(); }

// How much a word found in each part of an entry counts. A whole word counts full, its beginning three quarters, a word
// with a typing mistake half.
constexpr u32 name_points = 400, topic_points = 120, ptx_points = 160, about_points = 60;
constexpr u32 exact_name_points = 4000;

bool is_word_character(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

/// `s_` and `v_` say in a letter what people write as a word.
std::string_view meaning_of_prefix(std::string_view word) {
  if (word == "s") return "scalar";
  if (word == "v") return "vector";
  if (word == "ds") return "lds";
  return {};
}

/// Types in the order in which people mean them when they do not say.
u32 type_weight(std::string_view name) {
  static constexpr std::array usual = {"f32", "u32", "b32", "i32", "f16", "f64", "b64", "u64", "i64"};
  const std::size_t at = name.rfind('_');
  const std::string_view type = at == std::string_view::npos ? name : name.substr(at + 1);
  for (std::size_t i = 0; i < usual.size(); ++i) {
    if (type == usual[i]) return static_cast<u32>(usual.size() - i);
  }
  return 0;
}

/// Points of a query word against a word of the text, out of 4: whole, beginning, one or two letters wrong, none.
u32 likeness(std::string_view query, std::string_view word) {
  if (query == word) return 4;
  if (query.size() >= 2 && word.size() > query.size() && word.substr(0, query.size()) == query) return 3;
  // Numbers are not mistyped: u33 is no u32.
  const bool has_digit = std::any_of(query.begin(), query.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (query.size() < 4 || has_digit) return 0;
  const unsigned allowed = query.size() >= 8 ? 2 : 1;
  const std::size_t longer = std::max(query.size(), word.size()), shorter = std::min(query.size(), word.size());
  if (longer - shorter > allowed) return 0;
  return edit_distance(query, word) <= allowed ? 2 : 0;
}

/// Calls `use` with each word of `text`, in lower case; the word lives as long as the call.
template <class Use>
void for_each_word(std::string_view text, const Use& use) {
  std::string word;
  for (const char c : text) {
    if (is_word_character(c)) {
      word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!word.empty()) {
      use(std::string_view(word));
      word.clear();
    }
  }
  if (!word.empty()) use(std::string_view(word));
}

/// Numbers every different word once, so that a query's word is compared with each only once.
class Vocabulary {
 public:
  u32 number(std::string_view word) {
    if (const auto found = numbers_.find(word); found != numbers_.end()) return found->second;
    const u32 added = static_cast<u32>(words_.size());
    numbers_.emplace(words_.emplace_back(word), added);
    return added;
  }
  std::vector<u8> compare(std::string_view query) const {
    std::vector<u8> out;
    out.reserve(words_.size());
    for (const std::string& word : words_) out.push_back(static_cast<u8>(likeness(query, word)));
    return out;
  }

 private:
  std::deque<std::string> words_;  ///< stay where they are: numbers_ looks at them
  std::unordered_map<std::string_view, u32> numbers_;
};

/// The words of all entries by their numbers, and how much a word in each part of an entry counts.
class Index {
 public:
  explicit Index(const std::vector<SearchEntry>& entries) {
    ends_.reserve(entries.size() * parts);
    for (const SearchEntry& entry : entries) add(entry);
  }
  std::vector<u8> compare(std::string_view query) const { return vocabulary_.compare(query); }
  /// Of a query's word whose likeness to each word of the vocabulary is given.
  u32 points_of_word(std::size_t entry, const std::vector<u8>& likenesses) const {
    u32 best = 0;
    std::size_t at = entry == 0 ? 0 : ends_[entry * parts - 1];
    for (std::size_t part = 0; part < parts; ++part) {
      for (; at < ends_[entry * parts + part]; ++at) best = std::max(best, points[part] * likenesses[words_[at]] / 4);
    }
    return best;
  }

 private:
  static constexpr std::size_t parts = 4;
  static constexpr std::array<u32, parts> points = {name_points, topic_points, ptx_points, about_points};

  void add(const SearchEntry& entry) {
    for (const std::string& name : entry.names) add_words(name);
    end_part();
    // People write `bitfield` for `bit field`.
    std::string before;
    for_each_word(entry.topic, [&](std::string_view word) {
      words_.push_back(vocabulary_.number(word));
      if (!before.empty()) words_.push_back(vocabulary_.number(before.append(word)));
      before = word;
    });
    const std::string& name = entry.names.front();
    if (const auto meaning = meaning_of_prefix(std::string_view(name).substr(0, name.find('_'))); !meaning.empty())
      words_.push_back(vocabulary_.number(meaning));
    end_part();
    add_words(entry.ptx);
    end_part();
    add_words(entry.about);
    end_part();
  }
  void add_words(std::string_view text) {
    for_each_word(text, [&](std::string_view word) { words_.push_back(vocabulary_.number(word)); });
  }
  void end_part() { ends_.push_back(static_cast<u32>(words_.size())); }

  Vocabulary vocabulary_;
  std::vector<u32> words_;  ///< of all parts of all entries, one after the other
  std::vector<u32> ends_;   ///< where each part ends
};

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : "_") + word;
  return out;
}

/// Whether the query is a whole name, or the start of one: s_bfe_u32, `bfe u32`, s_bfe.
u32 points_of_name(const SearchEntry& entry, const std::string& query) {
  u32 best = 0;
  for (const std::string& name : entry.names) {
    if (name == query) return exact_name_points;
    if (name.size() > query.size() && name.compare(0, query.size(), query) == 0) best = exact_name_points / 4;
    if (name.size() > query.size() + 1 && name.ends_with("_" + query)) best = std::max(best, exact_name_points / 4);
  }
  return best;
}

/// Numbers of groups that grow together.
class Groups {
 public:
  explicit Groups(std::size_t count) : parents_(count) {
    for (std::size_t i = 0; i < count; ++i) parents_[i] = static_cast<u32>(i);
  }
  u32 of(u32 i) {
    while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
    return i;
  }
  void join(u32 a, u32 b) { parents_[of(a)] = of(b); }

 private:
  std::vector<u32> parents_;
};

/// The mnemonic of each instruction on the newest generation that has it.
std::vector<std::string_view> newest_names() {
  std::vector<std::string_view> out(all().instructions.size());
  for (const ChipRow& chip : all().chips) {
    for (const FormRow& form : all().forms.subspan(chip.first_form, chip.form_count))
      out[form.instruction] = all().text(form.mnemonic);
  }
  return out;
}

/// Instructions belong together whose names are the same on a generation, or on the newest that each has.
Groups groups_by_name(const std::vector<std::string_view>& newest) {
  Groups groups(all().instructions.size());
  std::unordered_map<std::string_view, u32> known;
  for (u32 i = 0; i < newest.size(); ++i) {
    if (newest[i].empty()) continue;
    const auto [at, added] = known.emplace(newest[i], i);
    if (!added) groups.join(i, at->second);
  }
  for (const ChipRow& chip : all().chips) {
    known.clear();
    for (const FormRow& form : all().forms.subspan(chip.first_form, chip.form_count)) {
      const auto [at, added] = known.emplace(all().text(form.mnemonic), form.instruction);
      if (!added) groups.join(form.instruction, at->second);
    }
  }
  return groups;
}

void add_name(SearchEntry& entry, std::string_view name) {
  if (std::find(entry.names.begin(), entry.names.end(), name) == entry.names.end()) entry.names.emplace_back(name);
}

void add_member(SearchEntry& entry, u32 instruction, unsigned chip) {
  const u16 bit = static_cast<u16>(1u << chip);
  entry.chips = static_cast<u16>(entry.chips | bit);
  for (SearchEntry::Member& member : entry.members) {
    if (member.instruction != instruction) continue;
    member.chips = static_cast<u16>(member.chips | bit);
    return;
  }
  entry.members.push_back({instruction, bit});
}

void add_texts(SearchEntry& entry) {
  const InstructionRow& first = all().instructions[entry.members.front().instruction];
  entry.topic = all().text(first.topic);
  entry.about = all().text(first.about);
  for (const SearchEntry::Member& member : entry.members) {
    const InstructionRow& row = all().instructions[member.instruction];
    for (const PtxRow& ptx : all().ptx.subspan(row.first_ptx, row.ptx_count)) {
      const std::string name = ptx_name(all().text(ptx.name));
      if (entry.ptx.find(name) == std::string::npos) entry.ptx += (entry.ptx.empty() ? "" : " ") + name;
    }
  }
  entry.weight = type_weight(entry.names.front()) * 16 + static_cast<u32>(std::popcount(entry.chips));
}

/// What the generation calls the entry.
SearchHit hit_on(const SearchEntry& entry, unsigned chip, u32 score) {
  for (const SearchEntry::Member& member : entry.members) {
    const int form = form_on_chip(member.instruction, chip, "");
    if (form < 0) continue;
    return {member.instruction, entry.chips, chip,
            std::string(all().text(all().forms[static_cast<u32>(form)].mnemonic)), score};
  }
  return {entry.members.front().instruction, entry.chips, chip, entry.names.front(), score};
}

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  for_each_word(text, [&](std::string_view word) { out.emplace_back(word); });
  return out;
}

std::vector<SearchEntry> search_entries() {
  Groups groups = groups_by_name(newest_names());
  std::vector<SearchEntry> out;
  std::vector<int> place(all().instructions.size(), -1);
  for (unsigned chip = static_cast<unsigned>(all().chips.size()); chip-- > 0;) {
    const ChipRow& row = all().chips[chip];
    for (const FormRow& form : all().forms.subspan(row.first_form, row.form_count)) {
      int& at = place[groups.of(form.instruction)];
      if (at < 0) {
        at = static_cast<int>(out.size());
        out.emplace_back();
      }
      SearchEntry& entry = out[static_cast<std::size_t>(at)];
      add_name(entry, all().text(form.mnemonic));
      add_member(entry, form.instruction, chip);
    }
  }
  for (const NameRow& row : all().name_index) {
    if (row.is_alias)
      add_name(out[static_cast<std::size_t>(place[groups.of(all().forms[row.form].instruction)])],
               all().text(row.name));
  }
  for (SearchEntry& entry : out) add_texts(entry);
  std::sort(out.begin(), out.end(),
            [](const SearchEntry& a, const SearchEntry& b) { return a.names.front() < b.names.front(); });
  return out;
}

std::vector<SearchHit> search(std::string_view query, int chip, unsigned count) {
  const auto query_words = words_of(query);
  if (query_words.empty()) return {};
  const auto entries = search_entries();
  const Index index(entries);
  std::vector<std::vector<u8>> likenesses;
  for (const std::string& word : query_words) likenesses.push_back(index.compare(word));
  const std::string whole = joined(query_words);

  struct Ranked {
    u32 found;  ///< words of the query that the entry has
    u32 score, weight, entry;
  };
  std::vector<Ranked> ranked;
  for (u32 i = 0; i < entries.size(); ++i) {
    if (chip >= 0 && (entries[i].chips >> chip & 1) == 0) continue;
    u32 score = points_of_name(entries[i], whole);
    u32 found = score > 0 ? static_cast<u32>(likenesses.size()) : 0;
    if (found == 0) {
      for (const auto& likeness_of : likenesses) found += index.points_of_word(i, likeness_of) > 0;
    }
    for (const auto& likeness_of : likenesses) score += index.points_of_word(i, likeness_of);
    if (found > 0) ranked.push_back({found, score, entries[i].weight, i});
  }
  // Those that have most of the words are the answer; entries with fewer are not what was meant.
  u32 most = 0;
  for (const Ranked& hit : ranked) most = std::max(most, hit.found);
  std::erase_if(ranked, [&](const Ranked& hit) { return hit.found < most; });
  std::sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
    if (a.score != b.score) return a.score > b.score;
    return a.weight != b.weight ? a.weight > b.weight : a.entry < b.entry;
  });
  std::vector<SearchHit> out;
  for (const Ranked& hit : ranked) {
    if (out.size() == count) break;
    const SearchEntry& entry = entries[hit.entry];
    out.push_back(
        hit_on(entry, chip >= 0 ? static_cast<unsigned>(chip) : static_cast<unsigned>(std::bit_width(entry.chips)) - 1,
               hit.score));
  }
  return out;
}

}  // namespace gfxisa
