// Copies of tensor tiles between memory and the data share (CDNA 5 ISA, 10.11). The descriptor lies in scalar
// registers.
#include <algorithm>
#include <array>

#include "exec/access.h"

namespace gfxisa::exec {
namespace {

constexpr unsigned most_dimensions = 5, most_rows = 16;

/// A group of the descriptor, read by bits.
class Group {
 public:
  Group(const Wave& wave, const Step* step, unsigned input) {
    const OperandRef& ref = step->in[input];
    for (unsigned i = 0; i < words_.size() && i < ref.rows; ++i) words_[i] = read_lane(wave, step, input, 0, i);
  }
  u64 bits(unsigned low, unsigned width) const {
    u64 value = 0;
    for (unsigned i = 0; i < width; ++i) value |= u64{words_[(low + i) / 32] >> (low + i) % 32 & 1} << i;
    return value;
  }

 private:
  std::array<u32, 8> words_{};
};

struct Tile {
  bool is_valid = false, pads = false, gathers = false, signals = false;
  u32 element_bytes = 1, iterations = 1;
  u32 lds_address = 0, lds_increment = 0, barrier = 0;
  u64 address = 0, increment = 0;
  u32 pad_interval = 0, pad_bytes = 0;
  std::array<u64, most_dimensions> tensor{}, stride{};  ///< stride: from one line, plane, ... to the next, in elements
  std::array<u32, most_dimensions> size{};
  std::array<u32, most_rows> rows{};  ///< of a gather
};

void read_rows(const Group& second, const Group& third, bool are_wide, Tile& tile) {
  for (unsigned i = 0; i < most_rows; ++i) {
    const unsigned width = are_wide ? 32 : 16, in_group = 128 / width;
    if (i >= 2 * in_group) return;
    tile.rows[i] = static_cast<u32>((i < in_group ? second : third).bits(i % in_group * width, width));
  }
}

/// Sizes of dimensions that the descriptor does not use are 0 and count as 1; tensors of that many have no end there.
Tile read_tile(const Wave& wave, const Step* step) {
  const Group first(wave, step, 0), shape(wave, step, 1), second(wave, step, 2), third(wave, step, 3);
  Tile tile;
  tile.is_valid = first.bits(0, 2) != 0;
  tile.gathers = first.bits(31, 1) != 0;
  tile.lds_address = static_cast<u32>(first.bits(32, 32));
  tile.address = first.bits(64, 57);
  tile.element_bytes = 1u << shape.bits(16, 2);
  tile.signals = shape.bits(18, 1) != 0;
  const bool iterates = shape.bits(19, 1) != 0;
  tile.pads = shape.bits(20, 1) != 0;
  tile.pad_interval = 8u << shape.bits(22, 3);
  tile.pad_bytes = static_cast<u32>(shape.bits(25, 7) + 1) * 4;
  tile.barrier = static_cast<u32>(shape.bits(32, 16)) * 8;
  tile.tensor = {shape.bits(48, 32), shape.bits(80, 32)};
  tile.stride = {1, shape.bits(160, 48), shape.bits(208, 48)};
  tile.size = {static_cast<u32>(shape.bits(112, 16)), static_cast<u32>(shape.bits(128, 16)),
               static_cast<u32>(shape.bits(144, 16))};
  if (tile.gathers) {
    tile.size[2] = 0;
    read_rows(second, third, first.bits(30, 1) != 0, tile);
    tile.size[1] = std::min(tile.size[1], most_rows);
    return tile;
  }
  tile.tensor[2] = second.bits(0, 32);
  if (iterates) {
    tile.lds_increment = static_cast<u32>(second.bits(32, 32));
    tile.increment = second.bits(64, 48);
    tile.iterations = static_cast<u32>(second.bits(112, 16)) + 1;
    return tile;
  }
  tile.tensor[3] = second.bits(32, 32);
  tile.stride[3] = second.bits(64, 48);
  tile.size[3] = static_cast<u32>(second.bits(112, 16));
  tile.stride[4] = third.bits(0, 48);
  tile.tensor[4] = third.bits(48, 32);
  tile.size[4] = static_cast<u32>(third.bits(80, 16));
  return tile;
}

/// Where the copy is in the data share, with the gaps that padding leaves.
class SharePlace {
 public:
  SharePlace(const Tile& tile, u32 at, bool pads) : tile_(tile), at_(at), pads_(pads) {}
  u32 at() const { return at_; }
  void advance() {
    at_ += tile_.element_bytes;
    filled_ += tile_.element_bytes;
    if (!pads_ || filled_ < tile_.pad_interval) return;
    filled_ = 0;
    at_ += tile_.pad_bytes;
  }

 private:
  const Tile& tile_;
  u32 at_, filled_ = 0;
  bool pads_;
};

void copy_element(Wave& wave, const Tile& tile, u64 address, u32 at, bool is_inside, bool is_store) {
  const DataShare share(wave);
  if (!share.has(at, tile.element_bytes)) return;
  u8* place = share.start + at;
  if (!is_inside) {
    if (!is_store) std::memset(place, 0, tile.element_bytes);
    return;
  }
  u8* memory = guest_memory(wave, address, tile.element_bytes, 0, is_store);
  if (memory == nullptr) return;
  if (is_store)
    copy_guest(memory, place, tile.element_bytes);
  else
    copy_guest(place, memory, tile.element_bytes);
}

void copy_once(Wave& wave, const Tile& tile, u64 base, u32 lds, bool is_store) {
  SharePlace place(tile, lds, tile.pads && !is_store);
  const auto extent = [&](unsigned dimension) { return std::max(1u, tile.size[dimension]); };
  std::array<u32, most_dimensions> i{};
  for (i[4] = 0; i[4] < extent(4); ++i[4]) {
    for (i[3] = 0; i[3] < extent(3); ++i[3]) {
      for (i[2] = 0; i[2] < extent(2); ++i[2]) {
        for (i[1] = 0; i[1] < extent(1); ++i[1]) {
          const u64 row = tile.gathers ? tile.rows[i[1]] : i[1];
          u64 line = row * tile.stride[1];
          bool is_inside = row < tile.tensor[1] || tile.size[1] == 0;
          for (unsigned dimension = 2; dimension < most_dimensions; ++dimension) {
            line += i[dimension] * tile.stride[dimension];
            is_inside = is_inside && (tile.size[dimension] == 0 || i[dimension] < tile.tensor[dimension]);
          }
          for (i[0] = 0; i[0] < extent(0) && !wave.fault; ++i[0], place.advance())
            copy_element(wave, tile, base + (line + i[0]) * tile.element_bytes, place.at(),
                         is_inside && i[0] < tile.tensor[0], is_store);
          if (wave.fault) return;
        }
      }
    }
  }
}

/// One arrival at a barrier object, as ds_atomic_async_barrier_arrive_b64 does it: the count goes down by one, and
/// below zero the next phase begins with the count that the upper word holds.
void arrive_in_share(Wave& wave, u32 at) {
  constexpr u32 count_bits = (1u << 29) - 1;
  const DataShare share(wave);
  if (!share.has(at, 8)) return;
  u32 words[2];
  std::memcpy(words, share.start + at, sizeof words);
  const bool is_last = (words[0] & count_bits) == 0;
  --words[0];
  if (is_last) words[0] = (words[0] & ~count_bits) | (words[1] & 0xffff);
  std::memcpy(share.start + at, words, sizeof words);
}

}  // namespace

void copy_tile(Wave& wave, const Step* step, bool is_store) {
  const Tile tile = read_tile(wave, step);
  if (!tile.is_valid) return;
  for (u32 n = 0; n < tile.iterations && !wave.fault; ++n) {
    copy_once(wave, tile, tile.address + n * tile.increment * tile.element_bytes,
              tile.lds_address + n * tile.lds_increment * tile.element_bytes, is_store);
  }
  if (tile.signals) arrive_in_share(wave, tile.barrier);
}

}  // namespace gfxisa::exec
