// Names of the data formats of typed buffers: `[BUF_FMT_32_FLOAT]`, and on gfx9
// `[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]`.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "text/named_values.h"

namespace gfxisa::text {

/// The format that a field holds when nothing is written: one byte, 0 to 1.
inline constexpr u32 default_buffer_format = 1;

/// How the value of a format field (7 bits) is written: names in brackets, or the number where it has no name. On gfx9
/// a part that is the default's is left out.
std::string buffer_format_text(Chips chip, u32 value);

/// The value that names in brackets mean on a chip; `second` is empty when there is but one. One name: BUF_FMT_..., or
/// one half of a format, the other being the default's. Two: both halves, in any order.
std::optional<u32> buffer_format_value(Chips chip, std::string_view first, std::string_view second);

}  // namespace gfxisa::text
