// Results of pure functions of a short text, kept for when the same text comes again.
#pragma once
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/large_pages.h"
#include "base/types.h"

namespace gfxisa {

/// Bytes kept for keys, in a store that is filled from the start: what came one after the other lies there one after
/// the other, so that a stretch of code that repeats itself is read in order. Places in it stand in an index that is
/// never more than half full. A full store begins anew, so that it does not grow beyond a few megabytes. Compiled code
/// repeats itself: of its instructions three in four were met before. Not thread-safe.
class ByteMemo {
 public:
  /// The bytes kept for `key`, aligned to words of 64 bits; without data when there are none. Valid until the next
  /// `keep` or `clear`.
  std::string_view find(std::string_view key) const {
    if (index_.empty()) return {};
    const u64 hash = hash_of(key);
    for (std::size_t at = hash >> shift_; index_[at] != 0; at = (at + 1) & (index_.size() - 1)) {
      if (index_[at] >> place_bits != tag_of(hash)) continue;
      const std::byte* entry = store_.get() + (index_[at] & most_words) * sizeof(u64);
      const Sizes sizes = sizes_of(entry);
      const char* value = reinterpret_cast<const char*>(entry + sizeof sizes);
      if (sizes.key == key.size() && std::memcmp(value + padded(sizes.value), key.data(), key.size()) == 0)
        return {value, sizes.value};
    }
    return {};
  }

  /// Keeps `value` for a key for which nothing is kept.
  void keep(std::string_view key, std::string_view value) {
    if (key.size() > most_bytes || value.size() > most_bytes) return;
    if (index_.empty()) {
      // A short input is done before the tables would have paid for themselves.
      if (++asked_ < least_asked) return;
      store_.reset(new std::byte[most_words * sizeof(u64)]);  // not zeroed: costs nothing before it is written to
      prefer_large_pages(store_.get(), most_words * sizeof(u64));
      resize_index(first_index_bits);
    }
    const Sizes sizes{static_cast<u32>(key.size()), static_cast<u32>(value.size())};
    if (used_ + words_of(sizes) > most_words) {
      index_.assign(index_.size(), 0);
      used_ = 1;
      count_ = 0;
    }
    if (++count_ > index_.size() / 2) resize_index(64 - shift_ + 2);
    std::byte* entry = store_.get() + used_ * sizeof(u64);
    std::memcpy(entry, &sizes, sizeof sizes);
    std::memcpy(entry + sizeof sizes, value.data(), value.size());
    std::memcpy(entry + sizeof sizes + padded(value.size()), key.data(), key.size());
    add_place(key, used_);
    used_ += words_of(sizes);
  }

  void clear() {
    index_.clear();
    store_.reset();
    used_ = 1;
    asked_ = 0;
    count_ = 0;
  }

 private:
  static constexpr unsigned first_index_bits = 12, place_bits = 20;
  static constexpr u32 most_words = (u32{1} << place_bits) - 1;  ///< of 64 bits in the store; word 0 is no place
  static constexpr std::size_t most_bytes = 256;                 ///< of a key or a value; longer ones are not kept
  static constexpr unsigned least_asked = 256;

  struct Sizes {
    u32 key, value;
  };
  static_assert(sizeof(Sizes) == sizeof(u64));

  static Sizes sizes_of(const std::byte* entry) {
    Sizes sizes;
    std::memcpy(&sizes, entry, sizeof sizes);
    return sizes;
  }
  static std::size_t padded(std::size_t size) { return (size + 7) & ~std::size_t{7}; }
  static std::size_t words_of(const Sizes& sizes) {
    return 1 + (padded(sizes.value) + padded(sizes.key)) / sizeof(u64);
  }
  /// Bits of the hash that do not choose the place in the index.
  static u32 tag_of(u64 hash) { return static_cast<u32>(hash) & low_tag; }
  static constexpr u32 low_tag = (u32{1} << (32 - place_bits)) - 1;

  void add_place(std::string_view key, std::size_t place) {
    const u64 hash = hash_of(key);
    std::size_t at = hash >> shift_;
    while (index_[at] != 0) at = (at + 1) & (index_.size() - 1);
    index_[at] = tag_of(hash) << place_bits | static_cast<u32>(place);
  }

  /// An index of 2^bits places for what is in the store.
  void resize_index(unsigned bits) {
    shift_ = 64 - bits;
    index_.assign(std::size_t{1} << bits, 0);
    for (std::size_t place = 1; place < used_;) {
      const std::byte* entry = store_.get() + place * sizeof(u64);
      const Sizes sizes = sizes_of(entry);
      const std::byte* key = entry + sizeof sizes + padded(sizes.value);
      add_place({reinterpret_cast<const char*>(key), sizes.key}, place);
      place += words_of(sizes);
    }
  }

  static u64 load(const char* from, std::size_t size) {
    u64 word = 0;
    std::memcpy(&word, from, size);
    return word;
  }

  static u64 hash_of(std::string_view key) {
    constexpr u64 odd = 0x9e3779b97f4a7c15, other_odd = 0xc2b2ae3d27d4eb4f;
    const std::size_t size = key.size();
    const char* at = key.data();
    u64 hash = size, other = odd;
    if (size >= 8) {
      // Two words at a time, whose products do not wait for one another. The last words may be read twice.
      const char* const last = at + size - 8;
      for (; last - at >= 8; at += 16) {
        hash = (hash ^ load(at, 8)) * odd;
        other = (other ^ load(at + 8, 8)) * other_odd;
        hash ^= hash >> 29;
        other ^= other >> 31;
      }
      other ^= load(last, 8);
      if (at < last) hash ^= load(at, 8);
    } else {
      hash ^= load(at, size) << 8;
    }
    hash = (hash * odd) ^ (other * other_odd);
    hash ^= hash >> 32;
    hash *= odd;
    return hash ^ hash >> 32;
  }

  std::unique_ptr<std::byte[]> store_;
  std::vector<u32> index_;  ///< tag and place in the store, at the first free place from that of the hash; 0: free
  unsigned shift_ = 0;      ///< of a hash, for its place in the index
  std::size_t used_ = 1;    ///< words
  std::size_t count_ = 0;   ///< keys in the store
  unsigned asked_ = 0;
};

/// The same for values of one type.
template <class Value>
class Memo {
 public:
  static_assert(std::is_trivially_copyable_v<Value> && alignof(Value) <= alignof(u64));

  /// The value kept for `key`; null when there is none. Valid until the next `keep` or `clear`.
  const Value* find(std::string_view key) const { return reinterpret_cast<const Value*>(bytes_.find(key).data()); }
  void keep(std::string_view key, const Value& value) {
    bytes_.keep(key, {reinterpret_cast<const char*>(&value), sizeof value});
  }
  void clear() { bytes_.clear(); }

 private:
  ByteMemo bytes_;
};

/// Appends to `out` the text kept for `key`, or else what `append()` appends, which is kept.
template <class Append>
void append_remembered(std::string& out, ByteMemo& known, std::string_view key, Append append) {
  if (const std::string_view text = known.find(key); !text.empty()) {
    out += text;
    return;
  }
  const std::size_t start = out.size();
  append();
  known.keep(key, std::string_view(out).substr(start));
}

}  // namespace gfxisa
