// A code object as assembly: code with its symbols and labels where branches go, data as words, kernel descriptors as
// directives. The text assembles to the same code and descriptors, with gfxisa asm and with llvm-mc.
#pragma once
#include <string_view>

#include "elf/parsed_elf.h"
#include "text/listing.h"

namespace gfxisa {

/// Bytes [start, end) of a section as a range with labels, one a symbol.
CodeRange code_range(const ParsedElf& file, const ParsedSection& section, unsigned chip, u64 start, u64 end);

/// The text of an AMD GPU object. `chip` is that of its target, or another one that it is to be read as.
void write_object_listing(const ParsedElf& file, unsigned chip, const TextOptions& options, const TextSink& sink);

/// Name of the kernel whose descriptor a symbol is (`saxpy` of `saxpy.kd`); empty when it is none.
std::string_view kernel_of_descriptor(const ParsedElf& file, const ParsedSymbol& symbol);

}  // namespace gfxisa
