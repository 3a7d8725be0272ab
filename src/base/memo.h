// Results of pure functions of a short text, kept for when the same text comes again.
#pragma once
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/types.h"

namespace gfxisa {

/// A table in which each key has one place: a key whose place is taken pushes the other out, so that it never grows
/// and never has to be cleaned. Compiled code repeats itself: of its instructions three in four were met before.
/// `Value` is trivially copyable. Not thread-safe.
template <class Value>
class Memo {
 public:
  static constexpr std::size_t most_key = 56;  ///< bytes; longer keys are not kept

  /// The value kept for `key`; null when there is none. Valid until the next `keep` or `clear`.
  const Value* find(std::string_view key) const {
    if (places_ == nullptr || key.size() > most_key) return nullptr;
    const Place& place = places_[place_of(key)];
    const bool is_same = place.size == key.size() + 1 && std::memcmp(place.key, key.data(), key.size()) == 0;
    return is_same ? &place.value : nullptr;
  }

  void keep(std::string_view key, const Value& value) {
    if (key.size() > most_key) return;
    if (places_ == nullptr) {
      // A short input is done before the table would have paid for itself.
      if (++asked_ < least_asked) return;
      places_ = std::make_unique<Place[]>(place_count);
    }
    Place& place = places_[place_of(key)];
    place.size = static_cast<u8>(key.size() + 1);
    std::memcpy(place.key, key.data(), key.size());
    place.value = value;
  }

  void clear() {
    places_.reset();
    asked_ = 0;
  }

 private:
  static constexpr unsigned place_bits = 13;
  static constexpr std::size_t place_count = std::size_t{1} << place_bits;
  static constexpr unsigned least_asked = 256;

  struct Place {
    u8 size = 0;  ///< of the key, plus one; 0: nothing is kept here
    char key[most_key];
    Value value;
  };

  static u64 load(const char* from, std::size_t size) {
    u64 word = 0;
    std::memcpy(&word, from, size);
    return word;
  }

  static std::size_t place_of(std::string_view key) {
    constexpr u64 odd = 0x9e3779b97f4a7c15;
    u64 hash = key.size();
    const char* at = key.data();
    std::size_t left = key.size();
    for (; left >= 8; at += 8, left -= 8) hash = (hash ^ load(at, 8)) * odd ^ hash >> 29;
    if (left != 0) {
      // The last eight bytes once more where there are as many: a copy of fixed size.
      const u64 rest = key.size() >= 8 ? load(key.data() + key.size() - 8, 8) : load(at, left);
      hash = (hash ^ rest) * odd ^ hash >> 29;
    }
    return (hash * odd) >> (64 - place_bits);
  }

  std::unique_ptr<Place[]> places_;
  unsigned asked_ = 0;
};

/// A text as a value of a memo.
struct ShortText {
  u8 size = 0;
  char text[71];

  /// Nothing when it is too long.
  static std::optional<ShortText> of(std::string_view text) {
    ShortText result;
    if (text.size() > sizeof result.text) return {};
    result.size = static_cast<u8>(text.copy(result.text, text.size()));
    return result;
  }
  std::string_view view() const { return {text, size}; }
};

/// Appends to `out` the text kept for `key`, or else what `append()` appends, which is kept.
template <class Append>
void append_remembered(std::string& out, Memo<ShortText>& known, std::string_view key, Append append) {
  if (const ShortText* text = known.find(key)) {
    out += text->view();
    return;
  }
  const std::size_t start = out.size();
  append();
  if (const auto text = ShortText::of(std::string_view(out).substr(start))) known.keep(key, *text);
}

}  // namespace gfxisa
