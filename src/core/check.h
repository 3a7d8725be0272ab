// From a body's syntax to its typed tree: names, widths, signs, list names, calls of spec functions, all resolved or
// reported.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "core/core.h"
#include "lang/syntax.h"

namespace gfxisa::core {

/// The `fn` and `stage` definitions of all spec files, by name.
using FunctionTable = std::unordered_map<std::string, const lang::Function*>;

/// What names mean inside one body.
struct Scope {
  std::vector<SlotInfo> slots;                             ///< in the family's order
  std::vector<std::pair<std::string, std::string>> lists;  ///< {"T", "u32"}, {"T'", "u32"}
  const FunctionTable* functions = nullptr;
};

/// Checks one body for one member of a family. Every mistake is reported with its place; the result is complete only
/// when nothing was reported.
Body check_body(const lang::Body& body, const Scope& scope, Diagnostics& diagnostics);

/// What a body sees of an immediate written in this style: i32 for `i1` .. `i32`, `simm` and `label`, and u32 for
/// everything else, floats included (as_f32(k) reads them). Give it to SlotInfo::type.
Type immediate_type(std::string_view style);

/// Types a `fn` or `stage` for given argument types as a lane body with slots `d` (out, the result) and one immediate
/// or input slot a parameter.
Body check_function(const lang::Function& function, const std::vector<SlotInfo>& parameters, const Scope& scope,
                    Diagnostics& diagnostics);

/// Replaces `{T}` and `{T'}` in `text` by list values.
std::string fill(const std::string& text, const std::vector<std::pair<std::string, std::string>>& lists);
/// The same for a body that people read: names of lists that stand for themselves are replaced too (`K` by 16).
std::string fill_body(const std::string& text, const std::vector<std::pair<std::string, std::string>>& lists);

}  // namespace gfxisa::core
