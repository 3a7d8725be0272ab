#include "text/expression.h"

#include <charconv>
#include <vector>

namespace gfxisa::text {

namespace {

/// Deeper nesting than anybody writes; keeps wrong input from using up the stack.
constexpr unsigned deepest = 64;

struct BinaryOperator {
  std::string_view text;
  int precedence;
  Operator op;
};
constexpr int bits_precedence = 5;
// Longer texts first.
constexpr BinaryOperator operators[] = {{"<<", 6, Operator::shift_left},
                                        {">>", 6, Operator::shift_right},
                                        {"<=", 3, Operator::less_or_equal},
                                        {"<>", 3, Operator::unequal},
                                        {">=", 3, Operator::greater_or_equal},
                                        {"==", 3, Operator::equal},
                                        {"!=", 3, Operator::unequal},
                                        {"&&", 2, Operator::both},
                                        {"||", 1, Operator::either},
                                        {"+", 4, Operator::add},
                                        {"-", 4, Operator::subtract},
                                        {"*", 6, Operator::multiply},
                                        {"/", 6, Operator::divide},
                                        {"%", 6, Operator::remainder},
                                        {"|", 5, Operator::bit_or},
                                        {"^", 5, Operator::bit_xor},
                                        {"&", 5, Operator::bit_and},
                                        {"!", 5, Operator::bit_or_not},
                                        {"<", 3, Operator::less},
                                        {">", 3, Operator::greater}};

bool starts_operator(char c) {
  switch (c) {
    case '<':
    case '>':
    case '=':
    case '!':
    case '&':
    case '|':
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
    case '^':
      return true;
    default:
      return false;
  }
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class ExpressionParser {
 public:
  ExpressionParser(Cursor& cursor, Names* names, bool between_bars)
      : cursor_(cursor), names_(names), between_bars_(between_bars) {}

  bool binary(int lowest, Value& left) {
    if (!unary(left)) return false;
    while (const BinaryOperator* found = next_operator(lowest)) {
      const std::size_t at = cursor_.at();
      cursor_.take(found->text);
      Value right;
      if (!binary(found->precedence + 1, right)) return false;
      if (!join(*found, at, left, right)) return false;
    }
    return true;
  }

 private:
  const BinaryOperator* next_operator(int lowest) {
    if (!starts_operator(cursor_.peek())) return nullptr;
    const std::string_view rest = cursor_.line().substr(cursor_.at());
    for (const BinaryOperator& candidate : operators) {
      if (!rest.starts_with(candidate.text)) continue;
      if (between_bars_ && rest[0] == '|') return nullptr;
      return candidate.precedence >= lowest ? &candidate : nullptr;
    }
    return nullptr;
  }

  bool join(const BinaryOperator& found, std::size_t at, Value& left, const Value& right) {
    if (left.is_float || right.is_float)
      return cursor_.fail(at, 1, "floats take no operators in an operand", "write the number itself");
    if (left.later == 0 && right.later == 0) {
      if (!apply(found.op, left.integer, right.integer, left.integer))
        return cursor_.fail(at, found.text.size(), "division by zero");
      return true;
    }
    return combine(found.op, at, left, right);
  }

  bool combine(Operator op, std::size_t at, Value& left, const Value& right) {
    Value result;
    if (names_ == nullptr || !names_->combine(op, left, right, result))
      return cursor_.fail(at, 1, "this expression of symbols is too complicated");
    left = result;
    return true;
  }

  bool unary(Value& value) {
    if (++depth_ > deepest) return cursor_.fail_here("too many operators in one another");
    const bool is_good = signed_value(value);
    --depth_;
    return is_good;
  }

  bool signed_value(Value& value) {
    const char c = cursor_.peek();
    const std::size_t at = cursor_.at();
    if (c != '-' && c != '+' && c != '~' && c != '!') return primary(value);
    cursor_.take(c);
    if (!unary(value)) return false;
    if (c == '+') return true;
    if (value.is_float) {
      if (c != '-') return cursor_.fail(at, 1, "floats take no operators in an operand", "write the number itself");
      value.real = -value.real;
      return true;
    }
    const Operator op = c == '-' ? Operator::negate : c == '~' ? Operator::complement : Operator::is_zero;
    if (value.later != 0) return combine(op, at, value, {});
    return apply(op, value.integer, 0, value.integer);
  }

  bool primary(Value& value) {
    const char c = cursor_.peek();
    if (c == '(') {
      cursor_.take('(');
      if (!binary(0, value)) return false;
      return cursor_.take(')') || cursor_.fail_here("expected ')'");
    }
    if (is_digit(c) || (c == '.' && is_digit(cursor_.peek_after(1)))) return number(value);
    if (c == '\'') return character(value);
    return symbol(value);
  }

  bool character(Value& value) {
    const std::size_t start = cursor_.at();
    std::size_t length = 3;
    char c = cursor_.peek_after(1);
    if (c == '\\') {
      c = cursor_.peek_after(2);
      c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c == '0' ? '\0' : c;
      length = 4;
    }
    if (cursor_.peek_after(length - 1) != '\'') return cursor_.fail_here("expected a character such as 'a'");
    cursor_.go_to(start + length);
    value.integer = static_cast<u8>(c);
    return true;
  }

  bool symbol(Value& value) {
    const bool is_quoted = cursor_.peek() == '"';
    const std::size_t start = cursor_.at();
    std::string_view name = cursor_.peek_identifier();
    if (is_quoted) {
      const std::size_t end = cursor_.line().find('"', start + 1);
      if (end == std::string_view::npos) return cursor_.fail_here("expected '\"'");
      name = cursor_.line().substr(start + 1, end - start - 1);
    }
    if (name.empty()) return cursor_.fail_here("expected a number or a name");
    if (names_ == nullptr)
      return cursor_.fail_here("'" + std::string(name) + "' is not a register, a constant or a label");
    if (!is_quoted && names_->is_function(name) && cursor_.peek_after(name.size()) == '(') return call(name, value);
    if (!names_->value_of(name, value)) return cursor_.fail_here("'" + std::string(name) + "' is not defined");
    cursor_.go_to(start + name.size() + (is_quoted ? 2 : 0));
    return true;
  }

  /// `max(a, b, c)`.
  bool call(std::string_view name, Value& value) {
    const std::size_t start = cursor_.at();
    cursor_.take_identifier();
    cursor_.take('(');
    std::vector<Value> arguments;
    do {
      arguments.emplace_back();
      if (!binary(0, arguments.back())) return false;
    } while (cursor_.take(','));
    if (!cursor_.take(')')) return cursor_.fail_here("expected ')'");
    if (!names_->call(name, arguments, value))
      return cursor_.fail(start, name.size(), "these are not the arguments of '" + std::string(name) + "'");
    return true;
  }

  bool number(Value& value) {
    const std::size_t start = cursor_.at();
    const std::string_view rest = cursor_.line().substr(start);
    const char second = rest.size() > 1 ? static_cast<char>(rest[1] | 0x20) : '\0';
    const bool has_prefix =
        rest[0] == '0' && (second == 'x' || (second == 'b' && rest.size() > 2 && is_digit(rest[2])));
    int base = !has_prefix ? 10 : second == 'x' ? 16 : 2;
    const char* first = rest.data() + (has_prefix ? 2 : 0);
    const char* last = rest.data() + rest.size();
    u64 integer = 0;
    auto [end, status] = std::from_chars(first, last, integer, base);
    if (base != 2 && is_float_end(end, last, base)) {
      const auto format = base == 16 ? std::chars_format::hex : std::chars_format::general;
      const auto real = std::from_chars(first, last, value.real, format);
      if (real.ec == std::errc::invalid_argument) return cursor_.fail_here("not a number");
      value.is_float = true;
      end = real.ptr;
    } else if (base == 10 && rest[0] == '0' && end - first > 1) {
      base = 8;
      const auto octal = std::from_chars(first, last, integer, base);
      if (octal.ptr != end) return cursor_.fail_here("a number that starts with 0 is octal: digits 0 to 7");
      status = octal.ec;
    }
    if (status == std::errc::result_out_of_range && !value.is_float)
      return cursor_.fail_here("the number needs more than 64 bits");
    if (status != std::errc() && !value.is_float) return cursor_.fail_here("not a number");
    value.integer = static_cast<i64>(integer);
    return end_number(start, static_cast<std::size_t>(end - rest.data()), base, value);
  }

  /// What may follow the digits: nothing, the `b` or `f` of a local label, or C's letters for sizes.
  bool end_number(std::size_t start, std::size_t length, int base, Value& value) {
    cursor_.go_to(start + length);
    const char next = cursor_.peek_after(0);
    const bool is_label = base != 16 && base != 2 && !value.is_float && (next == 'b' || next == 'f');
    if (is_label && !is_name_character(cursor_.peek_after(1))) {
      if (names_ == nullptr || !names_->local_label(value.integer, next == 'f', value))
        return cursor_.fail(start, length + 1, "there is no label '" + std::to_string(value.integer) + ":' before");
      cursor_.go_to(start + length + 1);
      return true;
    }
    if (!value.is_float) {
      std::size_t letters = 0;
      while (letters < 3 &&
             ((cursor_.peek_after(letters) | 0x20) == 'u' || (cursor_.peek_after(letters) | 0x20) == 'l'))
        ++letters;
      if (!is_name_character(cursor_.peek_after(letters))) cursor_.go_to(start + length + letters);
    }
    const char after = cursor_.peek_after(0);
    if (is_name_character(after) && after != '.') return cursor_.fail(start, cursor_.at() - start + 1, "not a number");
    return true;
  }

  static bool is_float_end(const char* end, const char* last, int base) {
    if (end == last) return false;
    if (*end == '.') return true;
    const char exponent = base == 16 ? 'p' : 'e';
    if ((*end | 0x20) != exponent) return false;
    ++end;
    if (end != last && (*end == '+' || *end == '-')) ++end;
    return end != last && is_digit(*end);
  }

  Cursor& cursor_;
  Names* names_;
  bool between_bars_;
  unsigned depth_ = 0;
};

}  // namespace

bool apply(Operator op, i64 left, i64 right, i64& result) {
  const u64 a = static_cast<u64>(left), b = static_cast<u64>(right);
  const auto answer = [&](u64 value) { return result = static_cast<i64>(value), true; };
  switch (op) {
    case Operator::add:
      return answer(a + b);
    case Operator::subtract:
      return answer(a - b);
    case Operator::multiply:
      return answer(a * b);
    case Operator::divide:
    case Operator::remainder:
      if (b == 0) return false;
      // The lowest number divided by -1 would overflow.
      if (right == -1) return answer(op == Operator::divide ? 0 - a : 0);
      return answer(static_cast<u64>(op == Operator::divide ? left / right : left % right));
    case Operator::shift_left:
      return answer(b < 64 ? a << b : 0);
    case Operator::shift_right:
      return answer(b < 64 ? a >> b : 0);
    case Operator::bit_and:
      return answer(a & b);
    case Operator::bit_or:
      return answer(a | b);
    case Operator::bit_xor:
      return answer(a ^ b);
    case Operator::bit_or_not:
      return answer(a | ~b);
    case Operator::equal:
      return answer(a == b ? ~u64{0} : 0);
    case Operator::unequal:
      return answer(a != b ? ~u64{0} : 0);
    case Operator::less:
      return answer(left < right ? ~u64{0} : 0);
    case Operator::less_or_equal:
      return answer(left <= right ? ~u64{0} : 0);
    case Operator::greater:
      return answer(left > right ? ~u64{0} : 0);
    case Operator::greater_or_equal:
      return answer(left >= right ? ~u64{0} : 0);
    case Operator::both:
      return answer(a != 0 && b != 0);
    case Operator::either:
      return answer(a != 0 || b != 0);
    case Operator::negate:
      return answer(0 - a);
    case Operator::complement:
      return answer(~a);
    case Operator::is_zero:
      return answer(a == 0);
  }
  return false;
}

bool parse_expression(Cursor& cursor, Names* names, Value& value, bool between_bars) {
  return ExpressionParser(cursor, names, between_bars).binary(0, value);
}

bool parse_known(Cursor& cursor, Names* names, Value& value) {
  cursor.skip_spaces();
  const std::size_t start = cursor.at();
  if (!parse_expression(cursor, names, value)) return false;
  return value.later == 0 || cursor.fail(start, cursor.at() - start, "the number must be known here",
                                         "define what it depends on before this line");
}

bool parse_integer(Cursor& cursor, Names* names, i64 low, i64 high, std::string_view what, i64& value) {
  cursor.skip_spaces();
  const std::size_t start = cursor.at();
  Value read;
  if (!parse_known(cursor, names, read)) return false;
  value = read.integer;
  if (!read.is_float && value >= low && value <= high) return true;
  return cursor.fail(start, cursor.at() - start,
                     std::string(what) + " must be from " + std::to_string(low) + " to " + std::to_string(high));
}

}  // namespace gfxisa::text
