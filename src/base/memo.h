// Results of pure functions of a short text, kept for when the same text comes again.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/large_pages.h"
#include "base/types.h"

namespace gfxisa {

/// What is looked for in a memo, with its hash. Of lines of code no two next to each other are equally long, and a
/// processor that must guess a length guesses wrong; so all that have 16 to 64 bytes are hashed and compared alike, as
/// four parts of 16 bytes that may overlap.
class MemoKey {
 public:
  explicit MemoKey(std::string_view text) : text_(text) {
    if (is_short()) {
      block_ = parts_of(text.data());
      // Of characters the low half says most.
      const Words low = (Words)block_[0] ^ (Words)block_[1] << 4, high = (Words)block_[2] ^ (Words)block_[3] << 4;
      hash_ = mix(odd[0] ^ low[0], odd[1] ^ low[1]) ^ mix(odd[2] ^ high[0], odd[3] ^ high[1]);
    } else {
      // The last words may be read twice.
      for (std::size_t at = 0; at < text.size(); at += sizeof(Part)) {
        const Words words = (Words)part_at(text.data() + std::min(at, text.size() - sizeof(Part)));
        hash_ = mix(odd[0] ^ hash_ ^ words[0], odd[1] ^ words[1]);
      }
    }
    hash_ = mix(hash_ ^ text.size(), odd[0]);
  }

  std::string_view text() const { return text_; }
  u64 hash() const { return hash_; }
  /// Whether it is the text of the same size at `other`.
  bool is_at(const char* other) const {
    if (!is_short()) return std::memcmp(text_.data(), other, text_.size()) == 0;
    const Block theirs = parts_of(other);
    Part differs = block_[0] ^ theirs[0];
    for (std::size_t i = 1; i < theirs.size(); ++i) differs |= block_[i] ^ theirs[i];
    const auto words = (Words)differs;
    return (words[0] | words[1]) == 0;
  }

 private:
  using Part = u8 __attribute__((vector_size(16)));
  using Words = u64 __attribute__((vector_size(16)));
  using Block = std::array<Part, 4>;

  bool is_short() const { return text_.size() <= sizeof(Block); }

  static Part part_at(const char* from) {
    Part part;
    std::memcpy(&part, from, sizeof part);
    return part;
  }
  /// The parts of a text as long as the key.
  Block parts_of(const char* from) const {
    Block block{};
    if (text_.size() < sizeof(Part)) {
      std::memcpy(block.data(), from, text_.size());
      return block;
    }
    for (std::size_t i = 0; i < block.size(); ++i)
      block[i] = part_at(from + std::min(i * sizeof(Part), text_.size() - sizeof(Part)));
    return block;
  }

  static constexpr u64 odd[] = {0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f, 0xff51afd7ed558ccd, 0xc4ceb9fe1a85ec53};
  static u64 mix(u64 a, u64 b) {
    const u128 product = u128{a} * b;
    return static_cast<u64>(product) ^ static_cast<u64>(product >> 64);
  }

  std::string_view text_;
  Block block_;  ///< of a short key
  u64 hash_ = 0;
};

/// Bytes kept for keys, in a store that is filled from the start: what came one after the other lies there one after
/// the other, so that a stretch of code that repeats itself is read in order. Places in it stand in an index that is
/// never more than half full. A full store begins anew, so that it does not grow beyond a few megabytes. Compiled code
/// repeats itself: of its instructions three in four were met before. Not thread-safe.
class ByteMemo {
 public:
  static constexpr std::size_t readable_bytes = 64;

  /// The bytes kept for a key, aligned to words of 64 bits; without data when there are none. From their start on
  /// `readable_bytes` may be read. Valid until the next `keep` or `clear`.
  std::string_view find(const MemoKey& key) const {
    if (index_.empty()) return {};
    for (std::size_t at = key.hash() >> shift_; index_[at] != 0; at = (at + 1) & (index_.size() - 1)) {
      if (index_[at] >> place_bits != tag_of(key)) continue;
      const std::byte* entry = store_.get() + (index_[at] & most_place) * sizeof(u64);
      const Sizes sizes = sizes_of(entry);
      if (sizes.key == key.text().size() && key.is_at(key_of(entry))) return {value_of(entry, sizes), sizes.value};
    }
    return {};
  }

  /// Keeps `value` for a key for which nothing is kept.
  void keep(const MemoKey& key, std::string_view value) {
    const Sizes sizes{static_cast<u32>(key.text().size()), static_cast<u32>(value.size())};
    if (sizes.key > most_bytes || sizes.value > most_bytes) return;
    if (index_.empty()) {
      // A short input is done before the tables would have paid for themselves.
      if (++asked_ < least_asked) return;
      store_.reset(::new (std::align_val_t{large_page}) std::byte[store_bytes]);  // not zeroed: costs nothing at first
      prefer_large_pages(store_.get(), store_bytes);
      resize_index(first_index_bits);
    }
    if (used_ + words_of(sizes) > end_place) {
      index_.assign(index_.size(), 0);
      used_ = 1;
      count_ = 0;
    }
    if (++count_ > index_.size() / 2) resize_index(64 - shift_ + 2);
    std::byte* entry = store_.get() + used_ * sizeof(u64);
    std::memcpy(entry, &sizes, sizeof sizes);
    std::memcpy(entry + sizeof sizes, key.text().data(), sizes.key);
    std::memcpy(entry + sizeof sizes + padded(sizes.key), value.data(), sizes.value);
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
  static constexpr std::size_t store_bytes = sizeof(u64) << place_bits;
  /// Behind the last place there is room for what may be read beyond an entry. Place 0 is none.
  static constexpr u32 most_place = (u32{1} << place_bits) - 1, end_place = most_place - readable_bytes / 8;
  static constexpr std::size_t most_bytes = 256;  ///< of a key or a value; longer ones are not kept
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
  static const char* key_of(const std::byte* entry) { return reinterpret_cast<const char*>(entry + sizeof(Sizes)); }
  static const char* value_of(const std::byte* entry, const Sizes& sizes) { return key_of(entry) + padded(sizes.key); }
  static std::size_t padded(std::size_t size) { return (size + 7) & ~std::size_t{7}; }
  static std::size_t words_of(const Sizes& sizes) {
    return 1 + (padded(sizes.value) + padded(sizes.key)) / sizeof(u64);
  }
  /// Bits of the hash that do not choose the place in the index.
  static u32 tag_of(const MemoKey& key) { return static_cast<u32>(key.hash()) & low_tag; }
  static constexpr u32 low_tag = (u32{1} << (32 - place_bits)) - 1;

  void add_place(const MemoKey& key, std::size_t place) {
    std::size_t at = key.hash() >> shift_;
    while (index_[at] != 0) at = (at + 1) & (index_.size() - 1);
    index_[at] = tag_of(key) << place_bits | static_cast<u32>(place);
  }

  /// An index of 2^bits places for what is in the store.
  void resize_index(unsigned bits) {
    shift_ = 64 - bits;
    index_.assign(std::size_t{1} << bits, 0);
    for (std::size_t place = 1; place < used_;) {
      const std::byte* entry = store_.get() + place * sizeof(u64);
      const Sizes sizes = sizes_of(entry);
      add_place(MemoKey({key_of(entry), sizes.key}), place);
      place += words_of(sizes);
    }
  }

  struct Free {
    void operator()(std::byte* start) const { ::operator delete[](start, std::align_val_t{large_page}); }
  };
  std::unique_ptr<std::byte[], Free> store_;
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
  const Value* find(const MemoKey& key) const { return reinterpret_cast<const Value*>(bytes_.find(key).data()); }
  void keep(const MemoKey& key, const Value& value) {
    bytes_.keep(key, {reinterpret_cast<const char*>(&value), sizeof value});
  }
  void clear() { bytes_.clear(); }

 private:
  ByteMemo bytes_;
};

}  // namespace gfxisa
