#include "exec/descriptor_check.h"

#include <fmt/format.h>

#include <array>
#include <atomic>

#include "exec/access.h"
#include "inst/tables.h"

namespace gfxisa::exec {
namespace {

constexpr u32 code(DescriptorCheck check) { return static_cast<u32>(check); }

/// By check: the last word of the first descriptor that was odd, and a bit above it; 0: there was none.
std::array<std::atomic<u64>, 3> odd_words;
constexpr u64 is_seen = u64{1} << 32;

u64 odd_word(DescriptorCheck check) { return odd_words[code(check)].load(std::memory_order_relaxed); }

/// gfx9: bits [26:24] and [29:28] of the last word are reserved; gfx10 and gfx11 have RESOURCE_LEVEL and OOB_SELECT
/// there.
constexpr u32 not_of_gfx9 = 7u << 24 | 3u << 28;

/// gfx10 to gfx12: bounded by records and stride (OOB_SELECT 0) with a stride of 0, nothing lies within; what gfx9
/// wants of a buffer of bytes looks so.
bool has_nothing_within(const u32* words) { return (words[3] >> 28 & 3) == 0 && (words[1] >> 16 & 0x3fff) == 0; }

}  // namespace

DescriptorCheck descriptor_check_of(unsigned chip) {
  const Tables& all = tables();
  if (all.text(all.chips[chip].name) == "cdna5") return DescriptorCheck::none;
  return all.text(all.chips[chip].epoch) == "gfx9" ? DescriptorCheck::gfx9 : DescriptorCheck::gfx10_up;
}

const Step* check_descriptor(Wave& wave, const Step* step) {
  u32 words[4];
  read_scalar_words<4>(wave, step, 0, words);
  const auto check = static_cast<DescriptorCheck>(step->immediates[0]);
  const bool is_odd = check == DescriptorCheck::gfx9 ? (words[3] & not_of_gfx9) != 0 : has_nothing_within(words);
  // One without bytes or records is one of no buffer.
  if (is_odd && words[2] != 0 && odd_word(check) == 0)
    odd_words[code(check)].store(is_seen | words[3], std::memory_order_relaxed);
  return step[1].run(wave, step + 1);  // called from here, so that it is not counted as an instruction
}

std::string descriptor_text() {
  if (const u64 word = odd_word(DescriptorCheck::gfx9); word != 0)
    return fmt::format(
        "a buffer descriptor's last word is 0x{:08x}, with bits that CDNA 1 to 4 do not have: it looks like one of "
        "gfx10 or later",
        word & ~is_seen);
  if (const u64 word = odd_word(DescriptorCheck::gfx10_up); word != 0)
    return fmt::format(
        "a buffer descriptor's last word is 0x{:08x}, its stride 0: such a buffer has nothing within its bounds "
        "(OOB_SELECT 0), loads give 0. It looks like one of CDNA 1 to 4",
        word & ~is_seen);
  return {};
}

}  // namespace gfxisa::exec
