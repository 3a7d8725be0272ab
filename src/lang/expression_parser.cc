// Expressions and statements of bodies. Precedence climbing over one table of operators.
#include <array>
#include <cstdlib>

#include "lang/cursor.h"

namespace gfxisa::lang {
namespace {

constexpr int max_depth = 100;  // parentheses and unaries within each other; keeps hostile text off the stack's end

struct BinaryOperator {
  std::string_view text;
  int level;
};
constexpr std::array binary_operators = {
    BinaryOperator{"||", 1}, BinaryOperator{"&&", 2}, BinaryOperator{"|", 3},  BinaryOperator{"^", 4},
    BinaryOperator{"&", 5},  BinaryOperator{"==", 6}, BinaryOperator{"!=", 6}, BinaryOperator{"<", 7},
    BinaryOperator{"<=", 7}, BinaryOperator{">", 7},  BinaryOperator{">=", 7}, BinaryOperator{"<<", 8},
    BinaryOperator{">>", 8}, BinaryOperator{"+", 9},  BinaryOperator{"-", 9},  BinaryOperator{"*", 10},
    BinaryOperator{"/", 10}, BinaryOperator{"%", 10},
};

int level_of(std::string_view text) {
  for (const auto& op : binary_operators) {
    if (op.text == text) return op.level;
  }
  return 0;
}

ExpressionPtr make(Expression::Kind kind, Location at, std::string text = {}) {
  auto expression = std::make_unique<Expression>();
  expression->kind = kind;
  expression->at = at;
  expression->text = std::move(text);
  return expression;
}

/// From the start of `from` to the end of `to`, on one line.
Location span(Location from, Location to) {
  from.length = to.column + to.length - from.column;
  return from;
}

class ExpressionParser {
 public:
  explicit ExpressionParser(Cursor& cursor) : cursor_(cursor) {}

  ExpressionPtr select() {
    if (++depth_ > max_depth) return too_deep();
    ExpressionPtr condition = binary(1);
    if (cursor_.accept("?")) {
      auto out = make(Expression::Kind::select, condition->at);
      out->args.push_back(std::move(condition));
      out->args.push_back(select());
      cursor_.expect(":");
      out->args.push_back(select());
      out->at = span(out->at, out->args.back()->at);
      condition = std::move(out);
    }
    --depth_;
    return condition;
  }

 private:
  ExpressionPtr binary(int level) {
    ExpressionPtr left = unary();
    while (!cursor_.done()) {
      const Token op = cursor_.peek();
      const int found = op.kind == Token::Kind::punctuation ? level_of(op.text) : 0;
      if (found == 0 || found < level) break;
      cursor_.take();
      auto out = make(Expression::Kind::binary, left->at, std::string(op.text));
      out->args.push_back(std::move(left));
      out->args.push_back(binary(found + 1));
      out->at = span(out->at, out->args.back()->at);
      left = std::move(out);
    }
    return left;
  }

  ExpressionPtr unary() {
    if (cursor_.is("-") || cursor_.is("~") || cursor_.is("!")) {
      if (++depth_ > max_depth) return too_deep();
      const Token op = cursor_.take();
      auto out = make(Expression::Kind::unary, op.at, std::string(op.text));
      out->args.push_back(unary());
      out->at = span(out->at, out->args.back()->at);
      --depth_;
      return out;
    }
    return postfix(primary());
  }

  ExpressionPtr primary() {
    if (cursor_.accept("(")) {
      ExpressionPtr inner = select();
      cursor_.expect(")");
      return inner;
    }
    const Token token = cursor_.peek();
    switch (token.kind) {
      case Token::Kind::number: return number(cursor_.take());
      case Token::Kind::real: {
        cursor_.take();
        auto out = make(Expression::Kind::real, token.at, std::string(token.text));
        out->real = std::strtod(out->text.c_str(), nullptr);
        return out;
      }
      case Token::Kind::name: {
        cursor_.take();
        if (cursor_.is("(")) return call(token);
        return make(Expression::Kind::name, token.at, std::string(token.text));
      }
      default: break;
    }
    cursor_.error(cursor_.done() ? "expected an expression, found the end of the line"
                                 : "expected an expression, found '" + std::string(token.text) + "'");
    return make(Expression::Kind::number, cursor_.here(), "0");
  }

  ExpressionPtr number(const Token& token) {
    auto out = make(Expression::Kind::number, token.at, std::string(token.text));
    if (!parse_number(token.text, out->value)) {
      cursor_.error_at(token.at, "'" + out->text + "' is not a number of up to 64 bits");
    }
    return out;
  }

  ExpressionPtr call(const Token& callee) {
    auto out = make(Expression::Kind::call, callee.at, std::string(callee.text));
    cursor_.expect("(");
    while (!cursor_.is(")") && !cursor_.done() && !cursor_.failed()) {
      out->args.push_back(select());
      if (!cursor_.accept(",")) break;
    }
    const Location end = cursor_.here();
    cursor_.expect(")");
    out->at = span(out->at, end);
    return out;
  }

  ExpressionPtr postfix(ExpressionPtr value) {
    while (cursor_.accept("[")) {
      ExpressionPtr first = select();
      const bool is_slice = cursor_.accept(":");
      auto out = make(is_slice ? Expression::Kind::slice : Expression::Kind::index, value->at);
      out->args.push_back(std::move(value));
      out->args.push_back(std::move(first));
      if (is_slice) out->args.push_back(select());
      const Location end = cursor_.here();
      cursor_.expect("]");
      out->at = span(out->at, end);
      value = std::move(out);
    }
    return value;
  }

  ExpressionPtr too_deep() {
    cursor_.error("an expression within more than 100 others");
    return make(Expression::Kind::number, cursor_.here(), "0");
  }

  Cursor& cursor_;
  int depth_ = 0;
};

// ------------------------------------------------------------------------------------------------ statements

class BlockParser {
 public:
  BlockParser(const std::vector<Line>& lines, std::size_t& next, Diagnostics& diagnostics)
      : lines_(lines), next_(next), diagnostics_(diagnostics) {}

  Block block(u32 indent) {
    Block out;
    if (++depth_ > max_depth) {
      diagnostics_.error(lines_[next_].at, "a block within more than 100 others");
      while (next_ < lines_.size() && lines_[next_].indent > indent) ++next_;
    }
    const u32 inner = next_ < lines_.size() ? lines_[next_].indent : 0;
    while (next_ < lines_.size() && lines_[next_].indent > indent) {
      if (lines_[next_].indent != inner) {
        diagnostics_.error(lines_[next_].at, "this line is indented differently from its block");
        ++next_;
        continue;
      }
      out.push_back(statement());
    }
    --depth_;
    return out;
  }

 private:
  Statement statement() {
    const Line& line = lines_[next_++];
    Cursor cursor(line, diagnostics_);
    Statement out;
    out.at = line.at;
    if (cursor.is("let") && cursor.is_name(1)) {
      let(cursor, out);
    } else if (cursor.accept("if")) {
      branch(cursor, out, line.indent);
    } else if (cursor.is("for") && cursor.is_name(1)) {
      loop(cursor, out, line.indent);
    } else if (cursor.accept("=")) {
      out.kind = Statement::Kind::result;
      out.value = parse_expression(cursor);
      cursor.expect_end();
    } else {
      assignment(cursor, out);
    }
    return out;
  }

  void let(Cursor& cursor, Statement& out) {
    cursor.take();
    out.kind = Statement::Kind::let;
    out.name = cursor.name("a name").text;
    cursor.expect("=");
    out.value = parse_expression(cursor);
    cursor.expect_end();
  }

  void branch(Cursor& cursor, Statement& out, u32 indent) {
    out.kind = Statement::Kind::branch;
    out.value = parse_expression(cursor);
    cursor.expect_end();
    out.body = block(indent);
    if (next_ < lines_.size() && lines_[next_].indent == indent && lines_[next_].tokens[0].text == "else") {
      Cursor other(lines_[next_++], diagnostics_);
      other.take();
      other.expect_end();
      out.other = block(indent);
    }
  }

  void loop(Cursor& cursor, Statement& out, u32 indent) {
    cursor.take();
    out.kind = Statement::Kind::loop;
    out.name = cursor.name("a name").text;
    cursor.expect("in");
    if (cursor.is("active") || cursor.is("lanes")) {
      out.name_set = cursor.take().text;
    } else {
      out.first = parse_expression(cursor);
      cursor.expect("..");
      out.last = parse_expression(cursor);
    }
    cursor.expect_end();
    out.body = block(indent);
  }

  static void assignment(Cursor& cursor, Statement& out) {
    out.value = parse_expression(cursor);
    if (cursor.accept("=")) {
      out.kind = Statement::Kind::assign;
      out.target = std::move(out.value);
      out.value = parse_expression(cursor);
    } else {
      out.kind = Statement::Kind::effect;
      if (out.value->kind != Expression::Kind::call) {
        cursor.error_at(out.value->at, "expected an assignment or a call",
                        "let NAME = EXPR, SLOT = EXPR, if, for, or an effect such as lds.store(at, value)");
      }
    }
    cursor.expect_end();
  }

  const std::vector<Line>& lines_;
  std::size_t& next_;
  Diagnostics& diagnostics_;
  int depth_ = 0;
};

}  // namespace

ExpressionPtr parse_expression(Cursor& cursor) { return ExpressionParser(cursor).select(); }

Block parse_block(const std::vector<Line>& lines, std::size_t& next, u32 indent, Diagnostics& diagnostics) {
  return BlockParser(lines, next, diagnostics).block(indent);
}

}  // namespace gfxisa::lang
