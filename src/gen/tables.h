// The constant tables of inst/tables.h, made from the Isa.
#pragma once
#include "gen/output.h"
#include "model/isa.h"

namespace gfxisa::gen {

/// Writes `tables.cc`, which defines gfxisa::tables().
void generate_tables(const model::Isa& isa, OutputFolder& output);

}  // namespace gfxisa::gen
