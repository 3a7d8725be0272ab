// The records of `gfxisa dis --json`: one JSON object a line, as docs/dis-json.md describes them.
#pragma once
#include <string>
#include <string_view>

#include "codec/decode.h"
#include "text/listing.h"

namespace gfxisa::cli {

/// What a record says beside the instruction.
struct RecordPlace {
  u64 address = 0;
  std::string_view section, entry;  ///< empty: not said
  std::span<const CodeLabel> labels;
};

/// Appends the record of what was decoded from `bytes`, with a line end. `bytes` are those of the record, also where
/// they are no instruction.
void append_record(std::string& out, const Decoded& decoded, std::span<const u8> bytes, const RecordPlace& place,
                   const TextOptions& options);
/// The record of bytes that are wrong for another reason than an instruction's.
void append_invalid(std::string& out, std::span<const u8> bytes, const RecordPlace& place, std::string_view fault,
                    std::string_view reason);

/// All records of a range of code; `place` is that of its first byte.
void write_records(const CodeRange& range, const RecordPlace& place, const TextOptions& options, const TextSink& sink);

}  // namespace gfxisa::cli
