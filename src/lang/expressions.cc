#include "lang/expressions.h"

#include <array>

namespace gfxisa::lang {

namespace {

// Deeper nesting is a mistake, and would make recursion over the tree unsafe.
constexpr unsigned deepest_nesting = 200;

struct Binary {
  std::string_view text;
  int strength;
};
constexpr std::array<Binary, 18> binaries{{{"||", 1},
                                           {"&&", 2},
                                           {"|", 3},
                                           {"^", 4},
                                           {"&", 5},
                                           {"==", 6},
                                           {"!=", 6},
                                           {"<", 7},
                                           {"<=", 7},
                                           {">", 7},
                                           {">=", 7},
                                           {"<<", 8},
                                           {">>", 8},
                                           {"+", 9},
                                           {"-", 9},
                                           {"*", 10},
                                           {"/", 10},
                                           {"%", 10}}};

int strength_of(const Token& token) {
  if (token.kind != Token::Kind::op) return 0;
  for (const Binary& binary : binaries) {
    if (binary.text == token.text) return binary.strength;
  }
  return 0;
}

}  // namespace

ExpressionParser::ExpressionParser(u32 source, const SourceLine& line, std::size_t offset, std::size_t stop,
                                   Diagnostics& diagnostics)
    : diagnostics_(&diagnostics) {
  bool good = true;
  tokens_ = tokenize(source, line, offset, stop, diagnostics, good);
  failed_ = !good;
}

void ExpressionParser::fail(Location at, std::string message, std::string hint) {
  if (!failed_) diagnostics_->error(at, std::move(message), std::move(hint));
  failed_ = true;
}

std::string ExpressionParser::found() const {
  return at_end() ? "the end of the line" : "'" + std::string(peek().text) + "'";
}

bool ExpressionParser::accept(std::string_view text) {
  if (at_end() || peek().text != text) return false;
  ++at_;
  return true;
}

bool ExpressionParser::expect(std::string_view text, std::string_view hint) {
  if (accept(text)) return true;
  fail(peek().at, "expected '" + std::string(text) + "', found " + found(), std::string(hint));
  return false;
}

Word ExpressionParser::name(std::string_view what) {
  if (peek().kind == Token::Kind::name) {
    const Token& token = tokens_[at_++];
    return {std::string(token.text), token.at};
  }
  fail(peek().at, "expected " + std::string(what) + ", found " + found());
  return {{}, peek().at};
}

bool ExpressionParser::expect_end() {
  if (at_end()) return !failed_;
  fail(peek().at, "unexpected " + found());
  return false;
}

ExpressionPtr ExpressionParser::made(Expression::Kind kind, Location first, std::string text) const {
  auto node = std::make_unique<Expression>();
  node->kind = kind;
  node->at = first;
  node->text = std::move(text);
  return node;
}

void ExpressionParser::close(Expression& node) const {
  if (at_ == 0) return;
  const Location& last = tokens_[at_ - 1].at;
  node.at.length = last.column + last.length - node.at.column;
}

ExpressionPtr ExpressionParser::expression() {
  if (depth_ >= deepest_nesting) {
    fail(peek().at, "the expression is nested too deeply", "name parts of it with let");
    return nullptr;
  }
  ++depth_;
  ExpressionPtr condition = binary(1);
  if (condition && accept("?")) {
    ExpressionPtr node = made(Expression::Kind::select, condition->at, "?:");
    ExpressionPtr yes = expression();
    ExpressionPtr no = yes && expect(":", "a choice is written c ? x : y") ? expression() : nullptr;
    if (no) {
      node->args.push_back(std::move(condition));
      node->args.push_back(std::move(yes));
      node->args.push_back(std::move(no));
      close(*node);
      condition = std::move(node);
    } else {
      condition = nullptr;
    }
  }
  --depth_;
  return condition;
}

ExpressionPtr ExpressionParser::binary(int weakest) {
  ExpressionPtr left = unary();
  while (left) {
    const int strength = strength_of(peek());
    if (strength == 0 || strength < weakest) return left;
    ExpressionPtr node = made(Expression::Kind::binary, left->at, std::string(peek().text));
    ++at_;
    ExpressionPtr right = binary(strength + 1);
    if (!right) return nullptr;
    node->args.push_back(std::move(left));
    node->args.push_back(std::move(right));
    close(*node);
    left = std::move(node);
  }
  return left;
}

ExpressionPtr ExpressionParser::unary() {
  const std::string_view text = peek().kind == Token::Kind::op ? peek().text : std::string_view();
  if (text != "-" && text != "~" && text != "!") return postfix();
  ExpressionPtr node = made(Expression::Kind::unary, peek().at, std::string(text));
  if (++depth_ > deepest_nesting) fail(peek().at, "the expression is nested too deeply", "name parts of it with let");
  ++at_;
  ExpressionPtr operand = failed_ ? nullptr : unary();
  --depth_;
  if (!operand) return nullptr;
  node->args.push_back(std::move(operand));
  close(*node);
  return node;
}

ExpressionPtr ExpressionParser::postfix() {
  ExpressionPtr node = primary();
  while (node) {
    if (accept("[")) {
      node = brackets(std::move(node));
    } else if (!at_end() && peek().text == "(" && node->kind == Expression::Kind::name) {
      ++at_;
      node = call(std::move(node));
    } else {
      return node;
    }
  }
  return node;
}

ExpressionPtr ExpressionParser::brackets(ExpressionPtr base) {
  ExpressionPtr node = made(Expression::Kind::index, base->at, {});
  node->args.push_back(std::move(base));
  ExpressionPtr first = expression();
  if (!first) return nullptr;
  node->args.push_back(std::move(first));
  if (accept(":")) {
    node->kind = Expression::Kind::slice;
    ExpressionPtr low = expression();
    if (!low) return nullptr;
    node->args.push_back(std::move(low));
  }
  if (!expect("]", "x[i] is an element, x[hi:lo] a run of bits")) return nullptr;
  close(*node);
  return node;
}

ExpressionPtr ExpressionParser::call(ExpressionPtr callee) {
  ExpressionPtr node = made(Expression::Kind::call, callee->at, std::move(callee->text));
  if (!accept(")")) {
    do {
      ExpressionPtr argument = expression();
      if (!argument) return nullptr;
      node->args.push_back(std::move(argument));
    } while (accept(","));
    if (!expect(")")) return nullptr;
  }
  close(*node);
  return node;
}

ExpressionPtr ExpressionParser::primary() {
  const Token token = peek();
  if (token.kind == Token::Kind::name) {
    ++at_;
    return made(Expression::Kind::name, token.at, std::string(token.text));
  }
  if (token.kind == Token::Kind::number || token.kind == Token::Kind::real) {
    ++at_;
    const bool is_real = token.kind == Token::Kind::real;
    ExpressionPtr node =
        made(is_real ? Expression::Kind::real : Expression::Kind::number, token.at, std::string(token.text));
    node->value = token.value;
    node->real = token.real;
    return node;
  }
  if (accept("(")) {
    ExpressionPtr node = expression();
    return node && expect(")") ? std::move(node) : nullptr;
  }
  fail(token.at, "expected a value, found " + found());
  return nullptr;
}

}  // namespace gfxisa::lang
