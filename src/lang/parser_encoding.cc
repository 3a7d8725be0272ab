// Encodings and suffix words.
#include "lang/parser_detail.h"

namespace gfxisa::lang {

static constexpr u64 most_scalars = 8;

void Parser::encoding(LineReader& words, bool is_suffix) {
  Encoding encoding;
  encoding.is_suffix = is_suffix;
  u64 bits = 0;
  encoding.on = words.take_on();
  encoding.name = expect_word(words, is_suffix ? "the suffix's name" : "the encoding's name");
  const bool good = expect_number(words, "the number of bits", most_encoding_bits, bits);
  encoding.bits = static_cast<u32>(bits);
  if (good && is_suffix && !words.at_end()) {
    if (expect_literal(words, "of", "a suffix is written suffix DPP16 32 of VOP1 VOP2")) {
      encoding.hosts.push_back({words_left(words), {}});
    }
  }
  if (good && !is_suffix && words.peek() == "like") {
    words.next();
    encoding.like = expect_word(words, "an encoding");
  }
  if (good) expect_end(words);
  while (inside(0)) {
    LineReader inner = reader();
    ++at_;
    encoding_line(encoding, inner);
  }
  if (good) file_.encodings.push_back(std::move(encoding));
}

void Parser::encoding_line(Encoding& encoding, LineReader& words) {
  const std::string_view first = words.peek();
  if (first[0] >= '0' && first[0] <= '9') return bit_line(encoding, words);
  const Word keyword = words.next();
  if (keyword.text == "title") return append_text(encoding.title, words);
  if (keyword.text == "about") return append_text(encoding.about, words);
  if (keyword.text == "read") return stage_line(encoding.reads, words);
  if (keyword.text == "write") return stage_line(encoding.writes, words);
  if (keyword.text == "address") return address_line(encoding, words);
  if (keyword.text == "implied") return implied_line(encoding, words);
  if (keyword.text == "selects") return selects_line(encoding, words);
  if (keyword.text == "widest") return widest_line(encoding, words);
  if (keyword.text == "halves") return halves_line(encoding, words);
  if (keyword.text == "scalars" && encoding.is_suffix)
    return fail(keyword.at, "a suffix reads no scalar values of its own", "the encodings that it follows say how many");
  if (keyword.text == "scalars") return scalars_line(encoding.scalars, keyword, words, false);
  if (keyword.text == "syntax") {
    Set on = words.take_on();
    encoding.syntax.push_back({words_left(words), std::move(on), keyword.at});
  } else if (keyword.text == "of") {
    Set on = words.take_on();
    encoding.hosts.push_back({words_left(words), std::move(on)});
  } else if (keyword.text == "mnemonic") {
    encoding.mnemonic_suffix = expect_word(words, "a suffix of mnemonics, such as _e64");
    expect_end(words);
  } else {
    unknown_line(keyword, encoding.is_suffix ? "a suffix" : "an encoding",
                 {"title", "about", "syntax", "read", "write", "address", "implied", "selects", "of", "mnemonic",
                  "widest", "halves", "scalars"});
  }
}

bool Parser::bit_range(BitLine& bits, LineReader& words) {
  const Word range = words.next();
  const std::size_t colon = range.text.find(':');
  u64 high = 0, low = 0;
  bool good = parse_number(std::string_view(range.text).substr(0, colon), high);
  low = high;
  if (colon != std::string::npos) good = good && parse_number(std::string_view(range.text).substr(colon + 1), low);
  if (!good || high >= most_encoding_bits || low >= most_encoding_bits) {
    fail(range.at, "'" + range.text + "' is no range of bits",
         "bits are written 7 or 15:8, at most " + std::to_string(most_encoding_bits - 1));
    return false;
  }
  if (low > high) {
    fail(range.at, "the high bit stands first", std::to_string(low) + ':' + std::to_string(high));
    return false;
  }
  bits.high = static_cast<u32>(high);
  bits.low = static_cast<u32>(low);
  bits.at = range.at;
  return true;
}

void Parser::bit_line(Encoding& encoding, LineReader& words) {
  BitLine bits{};
  bits.on = words.take_on();
  if (!bit_range(bits, words)) return;
  const std::size_t errors = diagnostics_->list().size();
  bit_line_owner(bits, words);
  expect_end(words);
  if (diagnostics_->list().size() == errors) encoding.bit_lines.push_back(std::move(bits));
}

void Parser::bit_line_owner(BitLine& bits, LineReader& words) {
  const unsigned width = bits.high - bits.low + 1;
  bits.name = expect_word(words, "what the bits hold");
  bits.kind = BitLine::Kind::constant;
  if (bits.name.text == "=") {
    const Location at = words.here();
    const bool good = expect_number(words, "the bits' value", ~u64{0}, bits.constant);
    if (good && bits.constant > low_ones(width)) fail(at, "the value does not fit " + std::to_string(width) + " bits");
    return;
  }
  bits.kind = BitLine::Kind::opcode;
  if (bits.name.text == "op" && words.at_end()) return;
  if (bits.name.text == "op" && words.peek() == "<<") {
    words.next();
    expect_number(words, "the place of these bits in the opcode", 15, bits.constant);
    return;
  }
  bits.kind = BitLine::Kind::reserved;
  if (bits.name.text == "reserved") return;
  bits.kind = BitLine::Kind::modifier;
  bits.type = expect_word(words, "an operand kind or a modifier's style");
  if (words.peek() == "is") {
    words.next();
    bits.kind = BitLine::Kind::operand;
    take_slots(bits, words);
    if (bits.slots.empty()) fail(words.here(), "expected the slots that the field holds, found the end of the line");
    return;
  }
  if (words.peek() == "via") {
    words.next();
    bits.via = expect_word(words, "an operand kind");
    expect_number(words, "the width of what the code names", 1024, bits.via_bits);
  }
  if (words.peek() == "=") {
    words.next();
    const Location at = words.here();
    const bool good = expect_number(words, "the default", ~u64{0}, bits.constant);
    if (good && bits.constant > low_ones(width))
      fail(at, "the default does not fit " + std::to_string(width) + " bits");
  }
  if (words.peek() == "else") take_else(bits, words);
}

// `else 0`, and for modifiers `else 0 unless opsel`
void Parser::take_else(BitLine& bits, LineReader& words) {
  words.next();
  bits.is_zero_unused = expect_literal(words, "0", "a field that is not used is 0: is d else 0");
  if (bits.kind != BitLine::Kind::modifier || words.peek() != "unless") return;
  words.next();
  bits.unless = expect_word(words, "the modifier of forms that do not look at these bits");
}

// `d data else 0`, `b dpp src_vgpr`
void Parser::take_slots(BitLine& bits, LineReader& words) {
  while (!words.at_end() && words.peek() != "else" && words.peek() != "dpp") bits.slots.push_back(words.next());
  if (words.peek() == "dpp") {
    words.next();
    bits.via = expect_word(words, "the operand kind with a word of DPP behind it");
  }
  if (!words.at_end()) take_else(bits, words);
}

// `read neg(neg[i]) on f16 f32 on gfx9`: types, then a set.
void Parser::stage_line(std::vector<StageLine>& stages, LineReader& words) {
  StageLine stage;
  stage.at = words.here();
  Set last = words.take_on();
  Set before = words.take_on();
  const bool has_set = !before.empty();
  stage.types = has_set ? std::move(before.items) : std::move(last.items);
  if (has_set) stage.on = std::move(last);
  ExpressionParser parser(source_, words.line(), words.offset(), words.text().size(), *diagnostics_);
  ExpressionPtr call = parser.expression();
  if (!call || !parser.expect_end()) return;
  if (call->kind != Expression::Kind::call && call->kind != Expression::Kind::name) {
    return fail(call->at, "expected a stage", "a stage is applied as read neg(neg[i]) on f32");
  }
  stage.stage = {call->text, call->at};
  stage.stage.at.length = static_cast<u32>(call->text.size());
  stage.arguments = std::move(call->args);
  if (stage.types.empty()) {
    return fail(stage.at, "the stage has no types", "name the operands it is applied to: read neg(neg[i]) on f16 f32");
  }
  stages.push_back(std::move(stage));
}

void Parser::address_line(Encoding& encoding, LineReader& words) {
  AddressLine address;
  address.on = words.take_on();
  address.slot = expect_word(words, "a memory slot");
  if (!expect_literal(words, "=", "an address is written address addr = vaddr + u64(i64(offset))")) return;
  ExpressionParser parser(source_, words.line(), words.offset(), words.text().size(), *diagnostics_);
  address.value = parser.expression();
  if (address.value && parser.expect_end()) encoding.addresses.push_back(std::move(address));
}

void Parser::implied_line(Encoding& encoding, LineReader& words) {
  ImpliedLine implied;
  implied.on = words.take_on();
  implied.slot = expect_word(words, "a slot");
  if (!expect_literal(words, "=", "an implied slot is written implied d = vcc")) return;
  implied.reg = expect_word(words, "a register");
  expect_end(words);
  if (!implied.reg.text.empty()) encoding.implied.push_back(std::move(implied));
}

void Parser::selects_line(Encoding& encoding, LineReader& words) {
  if (!encoding.is_suffix) return fail(words.here(), "only a suffix is selected by a field");
  encoding.selects_field = expect_word(words, "a field, literal or literal64");
  const bool is_literal = encoding.selects_field.text == "literal" || encoding.selects_field.text == "literal64";
  if (!is_literal && expect_literal(words, "=", "a suffix is selected by selects src0 = 250, or by selects literal")) {
    expect_number(words, "the field's value", 0xffff, encoding.selects_value);
  }
  expect_end(words);
}

void Parser::widest_line(Encoding& encoding, LineReader& words) {
  if (!encoding.is_suffix) return fail(words.here(), "only a suffix says how wide operands may be");
  WidestLine line{};
  line.on = words.take_on();
  u64 bits = 0;
  if (!expect_number(words, "a number of bits", 1024, bits)) return;
  line.bits = static_cast<u32>(bits);
  expect_end(words);
  encoding.widest.push_back(std::move(line));
}

void Parser::halves_line(Encoding& encoding, LineReader& words) {
  HalvesLine line;
  line.on = words.take_on();
  line.way = expect_word(words, "numbered or lower");
  if (line.way.text.empty()) return;
  expect_end(words);
  if (line.way.text != "numbered" && line.way.text != "lower")
    return fail(line.way.at, "'" + line.way.text + "' is no way to name halves of registers", "numbered or lower");
  encoding.halves.push_back(std::move(line));
}

void Parser::scalars_line(std::vector<ScalarsLine>& lines, const Word& keyword, LineReader& words, bool is_family) {
  ScalarsLine line;
  line.at = keyword.at;
  line.on = words.take_on();
  u64 most = 0;
  if (!expect_number(words, "a number of scalar values", most_scalars, most)) return;
  if (most == 0) return fail(keyword.at, "no instruction has use for no scalar values at all");
  line.most = static_cast<u32>(most);
  if (words.peek() == "besides") {
    words.next();
    line.besides = expect_word(words, "a register that is not counted");
  }
  if (is_family && words.peek() == "for") {
    words.next();
    if (words.at_end()) fail(words.here(), "expected values of lists, found the end of the line", "scalars 1 for b64");
    line.values = words_left(words);
  }
  expect_end(words);
  lines.push_back(std::move(line));
}

}  // namespace gfxisa::lang
