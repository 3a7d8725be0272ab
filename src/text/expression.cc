#include "text/expression.h"

#include <charconv>

namespace gfxisa::text {

namespace {

/// Deeper nesting than anybody writes; keeps wrong input from using up the stack.
constexpr unsigned deepest = 64;

struct BinaryOperator {
  std::string_view text;
  int precedence;
};
constexpr BinaryOperator operators[] = {{"<<", 4}, {">>", 4}, {"|", 1}, {"^", 2}, {"&", 3},
                                        {"+", 5},  {"-", 5},  {"*", 6}, {"/", 6}, {"%", 6}};

class ExpressionParser {
 public:
  ExpressionParser(Cursor& cursor, Symbols* symbols) : cursor_(cursor), symbols_(symbols) {}

  bool binary(int lowest, Value& left) {
    if (!unary(left)) return false;
    while (const BinaryOperator* found = next_operator(lowest)) {
      const std::size_t at = cursor_.at();
      cursor_.take(found->text);
      Value right;
      if (!binary(found->precedence + 1, right)) return false;
      if (left.is_float || right.is_float)
        return cursor_.fail(at, 1, "floats take no operators in an operand", "write the number itself");
      if (!apply(found->text, left, right)) return cursor_.fail(at, found->text.size(), "division by zero");
    }
    return true;
  }

 private:
  const BinaryOperator* next_operator(int lowest) {
    cursor_.skip_spaces();
    const std::string_view rest = cursor_.line().substr(cursor_.at());
    for (const BinaryOperator& candidate : operators) {
      if (candidate.precedence >= lowest && rest.starts_with(candidate.text)) return &candidate;
    }
    return nullptr;
  }

  static bool apply(std::string_view text, Value& left, const Value& right) {
    const u64 a = static_cast<u64>(left.integer), b = static_cast<u64>(right.integer);
    const bool is_address = text == "-" ? left.is_address != right.is_address : left.is_address || right.is_address;
    u64 result = 0;
    switch (text[0]) {
      case '+':
        result = a + b;
        break;
      case '-':
        result = a - b;
        break;
      case '*':
        result = a * b;
        break;
      case '&':
        result = a & b;
        break;
      case '|':
        result = a | b;
        break;
      case '^':
        result = a ^ b;
        break;
      case '<':
        result = b < 64 ? a << b : 0;
        break;
      case '>':
        result = b < 64 ? static_cast<u64>(left.integer >> b) : (left.integer < 0 ? ~u64{0} : 0);
        break;
      default:
        if (b == 0) return false;
        if (right.integer == -1)
          result = text[0] == '/' ? 0 - a : 0;  // the lowest number divided by -1 would overflow
        else
          result = static_cast<u64>(text[0] == '/' ? left.integer / right.integer : left.integer % right.integer);
    }
    left.integer = static_cast<i64>(result);
    left.is_address = is_address;
    return true;
  }

  bool unary(Value& value) {
    if (++depth_ > deepest) return cursor_.fail_here("too many operators in one another");
    bool is_good;
    if (cursor_.take('-')) {
      is_good = unary(value);
      value.integer = static_cast<i64>(0 - static_cast<u64>(value.integer));
      value.real = -value.real;
    } else if (cursor_.take('+')) {
      is_good = unary(value);
    } else if (cursor_.take('~')) {
      is_good = unary(value);
      value.integer = ~value.integer;
    } else if (cursor_.take('!')) {
      is_good = unary(value);
      value.integer = value.integer == 0;
    } else {
      is_good = primary(value);
    }
    --depth_;
    return is_good;
  }

  bool primary(Value& value) {
    const char c = cursor_.peek();
    if (c == '(') {
      cursor_.take('(');
      if (!binary(0, value)) return false;
      return cursor_.take(')') || cursor_.fail_here("expected ')'");
    }
    if ((c >= '0' && c <= '9') || (c == '.' && cursor_.peek_after(1) >= '0' && cursor_.peek_after(1) <= '9'))
      return number(value);
    return symbol(value);
  }

  bool symbol(Value& value) {
    const std::string_view name = cursor_.peek_identifier();
    if (name.empty()) return cursor_.fail_here("expected a number or a name");
    if (symbols_ == nullptr)
      return cursor_.fail_here("'" + std::string(name) + "' is not a register, a constant or a label");
    symbols_->was_asked = true;
    const auto found = symbols_->values.find(std::string(name));
    if (found == symbols_->values.end() && symbols_->is_complete)
      return cursor_.fail_here("'" + std::string(name) + "' is not defined");
    if (found == symbols_->values.end())
      value.is_address = true;
    else
      value.integer = found->second.value, value.is_address = found->second.is_address;
    cursor_.take_identifier();
    return true;
  }

  bool number(Value& value) {
    const std::size_t start = cursor_.at();
    const std::string_view rest = cursor_.line().substr(start);
    const int base = rest.starts_with("0x") || rest.starts_with("0X")   ? 16
                     : rest.starts_with("0b") || rest.starts_with("0B") ? 2
                                                                        : 10;
    const char* first = rest.data() + (base == 10 ? 0 : 2);
    const char* last = rest.data() + rest.size();
    u64 integer = 0;
    auto [end, status] = std::from_chars(first, last, integer, base);
    if (base == 10 && is_float_end(end, last)) {
      const auto real = std::from_chars(first, last, value.real);
      if (real.ec == std::errc::invalid_argument) return cursor_.fail_here("not a number");
      value.is_float = true;
      end = real.ptr;
    } else if (status == std::errc::result_out_of_range) {
      return cursor_.fail_here("the number needs more than 64 bits");
    } else if (status != std::errc()) {
      return cursor_.fail_here("not a number");
    }
    value.integer = static_cast<i64>(integer);
    cursor_.go_to(start + static_cast<std::size_t>(end - rest.data()));
    if (!cursor_.peek_after(0) || cursor_.at() >= cursor_.line().size()) return true;
    const char next = cursor_.line()[cursor_.at()];
    if ((next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') || next == '_')
      return cursor_.fail(start, cursor_.at() - start + 1, "not a number");
    return true;
  }

  static bool is_float_end(const char* end, const char* last) {
    if (end == last) return false;
    if (*end == '.') return true;
    if (*end != 'e' && *end != 'E') return false;
    ++end;
    if (end != last && (*end == '+' || *end == '-')) ++end;
    return end != last && *end >= '0' && *end <= '9';
  }

  Cursor& cursor_;
  Symbols* symbols_;
  unsigned depth_ = 0;
};

}  // namespace

bool parse_expression(Cursor& cursor, Symbols* symbols, Value& value, bool between_bars) {
  return ExpressionParser(cursor, symbols).binary(between_bars ? 2 : 0, value);
}

bool parse_integer(Cursor& cursor, Symbols* symbols, i64 low, i64 high, std::string_view what, i64& value) {
  cursor.skip_spaces();
  const std::size_t start = cursor.at();
  Value read;
  if (!parse_expression(cursor, symbols, read)) return false;
  value = read.integer;
  if (!read.is_float && value >= low && value <= high) return true;
  return cursor.fail(start, cursor.at() - start,
                     std::string(what) + " must be from " + std::to_string(low) + " to " + std::to_string(high));
}

}  // namespace gfxisa::text
