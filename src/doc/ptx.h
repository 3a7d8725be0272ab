// PTX instructions and what AMD has for them: from the spec's `ptx` lines and data/ptx*.ref.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/types.h"
#include "doc/reference_text.h"

namespace gfxisa {

struct PtxCounterpart {
  std::string mnemonic;
  std::string relation, why;
  u16 chips = 0;  ///< one bit a generation
};

struct PtxEntry {
  std::string name, about;
  std::vector<std::string> meaning;
  std::vector<PtxCounterpart> counterparts;  ///< equivalent ones first
  std::vector<std::string> sequences;
  std::string none;                 ///< why nothing does it
  std::vector<std::string> tested;  ///< the AMD instructions whose equality a test checks,
  std::string limited;              ///< with operands limited like this: `b & 31`
};

/// What data/ptx*.ref says, as it stands there.
std::vector<ReferenceBlock> ptx_blocks();

/// A name as PTX writes it: lists of the spec name signed types i32 where PTX says s32, and spaces flat and scratch
/// where it says nothing and local.
std::string ptx_name(std::string_view name);

/// All PTX instructions that are known here, sorted by name.
std::vector<PtxEntry> ptx_entries();
/// One; the error names similar ones.
Result<PtxEntry> find_ptx(std::string_view name);

/// `v_bfe_u32 gives the same on edge cases and random inputs, for operands b & 31.`
std::string tested_text(const PtxEntry& entry);

std::string render_text(const PtxEntry& entry, unsigned width = 100);
std::string render_json(const PtxEntry& entry);

/// Titles of a set of generations: `CDNA 1, RDNA 2`.
std::string chip_titles(u16 chips);
/// The same, or `all generations`.
std::string generations_text(u16 chips);

}  // namespace gfxisa
