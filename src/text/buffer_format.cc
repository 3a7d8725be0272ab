#include "text/buffer_format.h"

#include <span>

namespace gfxisa::text {

namespace {

constexpr std::string_view unified_prefix = "BUF_FMT_";
constexpr std::string_view data_prefix = "BUF_DATA_FORMAT_";
constexpr std::string_view number_prefix = "BUF_NUM_FORMAT_";

/// By value of the data half and of the number half on gfx9.
constexpr std::string_view data_names[] = {"INVALID",     "8",        "16",          "8_8",        "32",      "16_16",
                                           "10_11_11",    "11_11_10", "10_10_10_2",  "2_10_10_10", "8_8_8_8", "32_32",
                                           "16_16_16_16", "32_32_32", "32_32_32_32", "RESERVED_15"};
constexpr std::string_view number_names[] = {"UNORM", "SNORM", "USCALED",    "SSCALED",
                                             "UINT",  "SINT",  "RESERVED_6", "FLOAT"};

/// Formats of gfx10 and later count through the data halves, and for each through some of the number halves (a bit
/// each, by value).
struct UnifiedRun {
  u8 data;
  u8 numbers;
};
constexpr u8 small = 0x3f, integers_and_float = 0xb0, all_numbers = 0xbf, float_only = 0x80, unscaled = 0x33;
constexpr UnifiedRun gfx10_runs[] = {{1, small},
                                     {2, all_numbers},
                                     {3, small},
                                     {4, integers_and_float},
                                     {5, all_numbers},
                                     {6, all_numbers},
                                     {7, all_numbers},
                                     {8, small},
                                     {9, small},
                                     {10, small},
                                     {11, integers_and_float},
                                     {12, all_numbers},
                                     {13, integers_and_float},
                                     {14, integers_and_float}};
constexpr UnifiedRun gfx11_runs[] = {{1, small},
                                     {2, all_numbers},
                                     {3, small},
                                     {4, integers_and_float},
                                     {5, all_numbers},
                                     {6, float_only},
                                     {7, float_only},
                                     {8, unscaled},
                                     {9, small},
                                     {10, small},
                                     {11, integers_and_float},
                                     {12, all_numbers},
                                     {13, integers_and_float},
                                     {14, integers_and_float}};

std::span<const UnifiedRun> unified_runs(Chips chip) {
  if ((chip & gfx10) != 0) return gfx10_runs;
  return gfx11_runs;
}

struct Halves {
  u32 data, number;
};

/// What a unified format is made of; nothing where the value has no name.
std::optional<Halves> halves_of(Chips chip, u32 value) {
  u32 next = 1;
  for (const UnifiedRun& run : unified_runs(chip)) {
    for (u32 number = 0; number < 8; ++number) {
      if ((run.numbers >> number & 1) != 0 && next++ == value) return Halves{run.data, number};
    }
  }
  return {};
}

std::optional<u32> unified_value(Chips chip, Halves halves) {
  u32 next = 1;
  for (const UnifiedRun& run : unified_runs(chip)) {
    for (u32 number = 0; number < 8; ++number) {
      if ((run.numbers >> number & 1) == 0) continue;
      if (run.data == halves.data && number == halves.number) return next;
      ++next;
    }
  }
  return {};
}

std::optional<u32> index_in(std::span<const std::string_view> names, std::string_view prefix, std::string_view name) {
  if (!name.starts_with(prefix)) return {};
  name.remove_prefix(prefix.size());
  for (u32 i = 0; i < names.size(); ++i) {
    if (names[i] == name) return i;
  }
  return {};
}

std::optional<u32> value_of_name(Chips chip, std::string_view name) {
  if ((chip & gfx9) != 0 || !name.starts_with(unified_prefix)) return {};
  if (name == "BUF_FMT_INVALID") return 0;
  for (u32 value = 1; value < 128; ++value) {
    const std::optional<Halves> halves = halves_of(chip, value);
    if (!halves) return {};
    const std::string text = std::string(unified_prefix) + std::string(data_names[halves->data]) + '_' +
                             std::string(number_names[halves->number]);
    if (text == name) return value;
  }
  return {};
}

}  // namespace

std::string buffer_format_text(Chips chip, u32 value) {
  if ((chip & gfx9) != 0) {
    const u32 data = value & 15, number = value >> 4 & 7;
    std::string text = "[";
    if (data != default_buffer_format) (text += data_prefix) += data_names[data];
    if (number != 0 && text.size() > 1) text += ',';
    if (number != 0) (text += number_prefix) += number_names[number];
    return text + ']';
  }
  if (value == 0) return "[BUF_FMT_INVALID]";
  const std::optional<Halves> halves = halves_of(chip, value);
  if (!halves) return std::to_string(value);
  std::string text = "[" + std::string(unified_prefix);
  ((text += data_names[halves->data]) += '_') += number_names[halves->number];
  return text + ']';
}

std::optional<u32> buffer_format_value(Chips chip, std::string_view first, std::string_view second) {
  if (second.empty()) {
    if (const std::optional<u32> value = value_of_name(chip, first)) return value;
  }
  std::optional<u32> data, number;
  for (const std::string_view name : {first, second}) {
    if (name.empty()) continue;
    const std::optional<u32> as_data = index_in(data_names, data_prefix, name);
    const std::optional<u32> as_number = index_in(number_names, number_prefix, name);
    if ((as_data && data) || (as_number && number) || (!as_data && !as_number)) return {};
    if (as_data) data = as_data;
    if (as_number) number = as_number;
  }
  const Halves halves{data.value_or(default_buffer_format), number.value_or(0)};
  if ((chip & gfx9) != 0) return halves.data | halves.number << 4;
  if (halves.data == 0 && halves.number == 0) return 0;
  return unified_value(chip, halves);
}

}  // namespace gfxisa::text
