// Numbers and expressions in operands: `-4`, `0x1f`, `1.5`, `(N << 2) | 1`, `label + 8`.
#pragma once
#include <string>
#include <unordered_map>

#include "text/cursor.h"

namespace gfxisa::text {

/// What a name stands for: a number, or a place in the code.
struct Symbol {
  i64 value = 0;
  bool is_address = false;
};

/// Names known to a source. While sizes are not known yet, an unknown name counts as the address 0.
struct Symbols {
  std::unordered_map<std::string, Symbol> values;
  bool is_complete = true;
  bool was_asked = false;  ///< an expression named a symbol
};

struct Value {
  i64 integer = 0;
  double real = 0;
  bool is_float = false;
  bool is_address = false;
};

/// Reads an expression; false when there is none or it is wrong (then the cursor has the error).
/// `between_bars`: a `|` ends it.
bool parse_expression(Cursor& cursor, Symbols* symbols, Value& value, bool between_bars = false);
/// Reads one that must be a plain number in [low, high].
bool parse_integer(Cursor& cursor, Symbols* symbols, i64 low, i64 high, std::string_view what, i64& value);

}  // namespace gfxisa::text
