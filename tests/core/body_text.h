// Bodies from text, for the tests of core.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "core/check.h"
#include "core/listing.h"
#include "lang/parser.h"

namespace gfxisa::core {

/// A checked body with what it refers to.
struct Checked {
  Body body;
  std::string listing;
  std::string errors;  ///< one `line:column: message | hint` a line; lines and columns as in the body's own text
};

/// `d out u32`, `a in f32`, `offset imm u16`, one a line.
inline std::vector<SlotInfo> slots_of(const std::string& text) {
  std::vector<SlotInfo> slots;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    const std::size_t first = line.find(' '), second = line.find(' ', first + 1);
    if (second == std::string::npos) continue;
    const std::string access = line.substr(first + 1, second - first - 1), type = line.substr(second + 1);
    const bool is_immediate = access == "imm";
    slots.push_back({line.substr(0, first), is_immediate ? immediate_type(type) : type_named(type), access != "out",
                     access == "out" || access == "inout", is_immediate});
  }
  return slots;
}

/// `kind` is `exec`, `exec lane` or `exec wave`; `block` has no indentation of its own; `functions` stand before the
/// family.
inline Checked check(const std::string& slots, const std::string& kind, const std::string& block,
                     const std::vector<std::pair<std::string, std::string>>& lists = {},
                     const std::string& functions = "") {
  std::string text = functions + "family t\n  " + kind + "\n    ";
  for (const char c : block) text += c == '\n' ? std::string("\n    ") : std::string(1, c);
  const u32 lines_before = static_cast<u32>(std::count(functions.begin(), functions.end(), '\n')) + 2;
  Sources sources;
  const u32 source = sources.add("t.isa", text + "\n");
  Diagnostics diagnostics(sources);
  const lang::File file = lang::parse(source, sources, diagnostics);
  FunctionTable table;
  for (const lang::Function& function : file.functions) table[function.name.text] = &function;
  Checked result;
  if (!file.families.empty() && !file.families[0].bodies.empty()) {
    result.body = check_body(file.families[0].bodies[0], {slots_of(slots), lists, &table}, diagnostics);
    result.listing = listing(result.body);
  }
  for (const Diagnostic& d : diagnostics.list()) {
    const i64 line = static_cast<i64>(d.at.line) - lines_before;
    const i64 column = static_cast<i64>(d.at.column) - (line > 0 ? 4 : 0);
    result.errors += std::to_string(line) + ":" + std::to_string(column) + ": " + d.message;
    if (!d.hint.empty()) result.errors += " | " + d.hint;
    result.errors += '\n';
  }
  return result;
}

inline Checked check_lane(const std::string& slots, const std::string& block) {
  return check(slots, "exec lane", block);
}

}  // namespace gfxisa::core
