// The metadata note of a code object as YAML, as it stands between .amdgpu_metadata and .end_amdgpu_metadata.
#pragma once
#include <span>
#include <string>

#include "base/types.h"

namespace gfxisa {

/// Appends the MessagePack document of an NT_AMDGPU_METADATA note, every key of it, known or not. False, and nothing
/// appended, when the bytes are no such document.
bool append_metadata_yaml(std::string& out, std::span<const u8> note);

/// The contents of the NT_AMDGPU_METADATA note among the notes of a section; empty when there is none.
std::span<const u8> metadata_of_notes(std::span<const u8> notes);

}  // namespace gfxisa
