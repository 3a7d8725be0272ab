// Bodies: `exec` and its statements.
#include "lang/parser_detail.h"

namespace gfxisa::lang {

namespace {

// Blocks nested deeper are a mistake, and would make recursion over them unsafe.
constexpr unsigned deepest_block = 32;

Statement made(Statement::Kind kind, Location at) {
  Statement statement{};
  statement.kind = kind;
  statement.at = at;
  return statement;
}

}  // namespace

void Parser::body(std::vector<Body>& bodies, LineReader& words, u32 indent) {
  Body body{};
  body.at = words.here();
  body.at.column = words.line().indent + 1;
  body.at.length = 4;
  body.on = words.take_on();
  const Word kind = words.next();
  body.kind = Body::Kind::scalar;
  if (kind.text == "lane") body.kind = Body::Kind::lane;
  if (kind.text == "wave") body.kind = Body::Kind::wave;
  if (!kind.text.empty() && kind.text != "lane" && kind.text != "wave") {
    fail(kind.at, "unexpected '" + kind.text + "'", "a body is exec, exec lane or exec wave");
  }
  if (words.peek() == "ieee") {
    words.next();
    body.is_ieee = true;
    if (body.kind != Body::Kind::wave) fail(kind.at, "ieee is for `exec wave`");
  }
  expect_end(words);
  const std::size_t first = at_;
  body.block = statements(indent, 0);
  skip_inside(indent);
  if (at_ == first)
    return fail(body.at, "the body is empty", "its statements are indented below it; nop() does nothing");
  body.source = body_source(words.line().number + 1, lines_[first].indent, lines_[at_ - 1].number);
  bodies.push_back(std::move(body));
}

// Comments of the body belong to its text, so it is cut from the file and not from the lines.
std::string Parser::body_source(u32 first, u32 indent, u32 last) const {
  std::string text;
  for (u32 number = first; number <= last; ++number) {
    std::string_view raw = sources_->line(source_, number);
    const std::size_t blanks = std::min(raw.find_first_not_of(' '), raw.size());
    raw.remove_prefix(std::min<std::size_t>(blanks, indent));
    while (!raw.empty() && (raw.back() == ' ' || raw.back() == '\r')) raw.remove_suffix(1);
    if (text.empty() && raw.empty()) continue;
    text += raw;
    text += '\n';
  }
  if (!text.empty()) text.pop_back();
  return text;
}

// The lines indented deeper than `indent`; the first one fixes the block's own indentation.
Block Parser::statements(u32 indent, unsigned depth) {
  Block block;
  if (!inside(indent)) return block;
  const u32 own = line().indent;
  if (depth > deepest_block) {
    fail(reader().here(), "blocks are nested too deeply");
    skip_inside(indent);
    return block;
  }
  while (inside(indent)) {
    if (line().indent != own) {
      fail(reader().here(), "the indentation fits no block", "each level is two spaces");
      ++at_;
      continue;
    }
    statement(block, own, depth);
  }
  return block;
}

void Parser::statement(Block& block, u32 indent, unsigned depth) {
  const LineReader words = reader();
  ExpressionParser parser(source_, words.line(), 0, words.text().size(), *diagnostics_);
  ++at_;
  const Location at = parser.peek().at;
  if (parser.accept("let")) return let_statement(block, parser, at);
  if (parser.accept("if")) return if_statement(block, parser, at, indent, depth);
  if (parser.accept("for")) return for_statement(block, parser, at, indent, depth);
  if (parser.accept("else")) {
    fail(at, "else without an if before it");
    return skip_inside(indent);
  }
  if (parser.accept("=")) {
    Statement result = made(Statement::Kind::result, at);
    result.value = parser.expression();
    if (result.value && parser.expect_end()) block.push_back(std::move(result));
    return;
  }
  plain_statement(block, parser, at);
}

void Parser::let_statement(Block& block, ExpressionParser& parser, Location at) {
  Statement let = made(Statement::Kind::let, at);
  Word name = parser.name("a name");
  if (parser.failed() || !parser.expect("=", "a name is given as let x = a + b")) return;
  let.name = std::move(name.text);
  let.at = name.at;
  let.value = parser.expression();
  if (let.value && parser.expect_end()) block.push_back(std::move(let));
}

void Parser::if_statement(Block& block, ExpressionParser& parser, Location at, u32 indent, unsigned depth) {
  Statement branch = made(Statement::Kind::branch, at);
  branch.value = parser.expression();
  const bool good = branch.value && parser.expect_end();
  if (good && !inside(indent)) fail(at, "the block of the if is empty");
  branch.body = statements(indent, depth + 1);
  if (more() && line().indent == indent && reader().peek() == "else") {
    const LineReader words = reader();
    ExpressionParser other(source_, words.line(), 4, words.text().size(), *diagnostics_);
    ++at_;
    const Location other_at = other.peek().at;
    if (other.accept("if")) {
      if (depth < deepest_block) {
        if_statement(branch.other, other, other_at, indent, depth + 1);
      } else {
        fail(other_at, "blocks are nested too deeply");
      }
    } else if (other.expect_end()) {
      branch.other = statements(indent, depth + 1);
    }
  }
  if (good) block.push_back(std::move(branch));
}

void Parser::for_statement(Block& block, ExpressionParser& parser, Location at, u32 indent, unsigned depth) {
  Statement loop = made(Statement::Kind::loop, at);
  loop.name = parser.name("the name of the loop's variable").text;
  constexpr std::string_view form = "a loop is written for i in 0..8, or for lane in active";
  if (!parser.failed() && parser.expect("in", form)) {
    loop.first = parser.expression();
    const bool is_range = loop.first && parser.accept("..");
    if (is_range) {
      loop.last = parser.expression();
    } else if (loop.first && loop.first->kind == Expression::Kind::name) {
      loop.name_set = loop.first->text;
      loop.first = nullptr;
    } else {
      parser.fail(parser.peek().at, "expected a range or a set of lanes", std::string(form));
    }
    parser.expect_end();
  }
  if (!parser.failed() && !inside(indent)) fail(at, "the block of the loop is empty");
  loop.body = statements(indent, depth + 1);
  if (!parser.failed()) block.push_back(std::move(loop));
}

void Parser::plain_statement(Block& block, ExpressionParser& parser, Location at) {
  ExpressionPtr value = parser.expression();
  if (!value) return;
  if (parser.accept("=")) {
    Statement assign = made(Statement::Kind::assign, at);
    using Kind = Expression::Kind;
    if (value->kind != Kind::name && value->kind != Kind::slice && value->kind != Kind::index) {
      return fail(value->at, "this cannot be assigned to", "targets are d, d[15:0], d[lane], sgpr[i]");
    }
    assign.target = std::move(value);
    assign.value = parser.expression();
    if (assign.value && parser.expect_end()) block.push_back(std::move(assign));
    return;
  }
  if (!parser.expect_end()) return;
  if (value->kind != Expression::Kind::call) {
    return fail(value->at, "a value that nothing uses",
                "a statement is let x = ..., d = ..., or a call with an effect");
  }
  Statement effect = made(Statement::Kind::effect, at);
  effect.value = std::move(value);
  block.push_back(std::move(effect));
}

}  // namespace gfxisa::lang
