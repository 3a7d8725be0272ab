// Numbers and expressions in operands: `-4`, `0x1f`, `1.5`, `(N << 2) | 1`, `label + 8`. Precedence is that of GNU's
// and LLVM's assemblers: `* / % << >>`, then `| ^ & !`, then `+ -`, comparisons, `&&`, `||`.
#pragma once
#include <span>
#include <string>

#include "text/cursor.h"

namespace gfxisa::text {

enum class Operator : u8 {
  add,
  subtract,
  multiply,
  divide,
  remainder,
  shift_left,
  shift_right,
  bit_and,
  bit_or,
  bit_xor,
  bit_or_not,
  equal,
  unequal,
  less,
  less_or_equal,
  greater,
  greater_or_equal,
  both,
  either,
  negate,
  complement,
  is_zero,
};

/// `a op b`; a comparison that holds is -1. False for a division by zero.
bool apply(Operator op, i64 a, i64 b, i64& result);

struct Value {
  i64 integer = 0;
  double real = 0;
  bool is_float = false;
  u32 later = 0;  ///< not 0: a value that is not known while lines are read; a number that Names gave out
};

/// What the names in expressions mean. Those that cannot be known yet are values with `later` set.
class Names {
 public:
  virtual ~Names() = default;
  /// False: there is no such name.
  virtual bool value_of(std::string_view name, Value& value) = 0;
  /// `1b`, `1f`. False: there are no such labels here.
  virtual bool local_label(i64, bool /*is_forward*/, Value&) { return false; }
  /// An operator with an operand that is known later (`right` is unused by unary ones). False: not possible here.
  virtual bool combine(Operator, const Value& /*left*/, const Value& /*right*/, Value&) { return false; }
  virtual bool is_function(std::string_view) const { return false; }
  virtual bool call(std::string_view /*function*/, std::span<const Value> /*arguments*/, Value&) { return false; }
};

/// Reads an expression; false when there is none or it is wrong (then the cursor has the error).
/// `between_bars`: a `|` ends it.
bool parse_expression(Cursor& cursor, Names* names, Value& value, bool between_bars = false);
/// Reads one whose value is known.
bool parse_known(Cursor& cursor, Names* names, Value& value);
/// Reads one that must be a plain number in [low, high].
bool parse_integer(Cursor& cursor, Names* names, i64 low, i64 high, std::string_view what, i64& value);

}  // namespace gfxisa::text
