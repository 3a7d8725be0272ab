// From the text of a spec file to its syntax tree.
#pragma once
#include "base/diagnostics.h"
#include "lang/syntax.h"

namespace gfxisa::lang {

/// Parses a source. Total: any text gives a tree; what could not be read is left out and reported.
File parse(u32 source, const Sources& sources, Diagnostics& diagnostics);

}  // namespace gfxisa::lang
