#include "core/blob.h"

#include <algorithm>

namespace gfxisa::core {
namespace {

// Word 0: magic 32 bits, version 8, kind 8, IEEE 8. Word 1: counts of slots, nodes (32 each). Word 2: of statements,
// arrays. An array: a word of type and size. A slot: a word of type, flags and length of the name, then the name, eight
// characters a word. A node: op, type and presence bits of what follows: two arguments a word, then the immediate. A
// statement: kind, slot; node and index; variable and other_count; first and last; body_count.
constexpr u64 magic = 0x626f6478;
constexpr u64 version = 2;
constexpr u32 largest_array = 1u << 16;
constexpr u32 most_items = 1u << 24;
constexpr u32 longest_name = 4096;
constexpr std::size_t deepest = 400;  // blocks in blocks; readers may recurse

u64 pair_of(u32 low, u32 high) { return u64{high} << 32 | low; }
u32 low_of(u64 word) { return static_cast<u32>(word); }
u32 high_of(u64 word) { return static_cast<u32>(word >> 32); }

u64 word_of(Type type) { return static_cast<u64>(type.kind) | u64{type.elements} << 8 | u64{type.bits} << 16; }

void write_slot(const SlotInfo& slot, std::vector<u64>& out) {
  const u64 flags =
      u64{slot.is_read} | u64{slot.is_written} << 1 | u64{slot.is_immediate} << 2 | u64{slot.is_field} << 3;
  const u64 length = std::min<std::size_t>(slot.name.size(), longest_name);
  out.push_back(word_of(slot.type) | flags << 32 | length << 40);
  for (std::size_t i = 0; i < length; i += 8) {
    u64 word = 0;
    for (std::size_t j = i; j < std::min<std::size_t>(i + 8, length); ++j) {
      word |= u64{static_cast<unsigned char>(slot.name[j])} << (8 * (j - i));
    }
    out.push_back(word);
  }
}

void write_node(const Node& node, std::vector<u64>& out) {
  const bool has_first = node.args[0] != no_node || node.args[1] != no_node;
  const bool has_second = node.args[2] != no_node || node.args[3] != no_node;
  const bool has_immediate = node.immediate != 0;
  const u64 presence = u64{has_first} | u64{has_second} << 1 | u64{has_immediate} << 2;
  out.push_back(word_of(node.type) | static_cast<u64>(node.op) << 32 | presence << 40);
  if (has_first) out.push_back(pair_of(node.args[0], node.args[1]));
  if (has_second) out.push_back(pair_of(node.args[2], node.args[3]));
  if (has_immediate) out.push_back(node.immediate);
}

void write_statement(const Statement& s, std::vector<u64>& out) {
  out.push_back(static_cast<u64>(s.kind) | u64{s.slot} << 8 | u64{s.body_count} << 32);
  out.push_back(pair_of(s.node, s.index));
  const bool is_block = s.kind != Statement::Kind::evaluate && s.kind != Statement::Kind::assign;
  if (!is_block) return;
  out.push_back(pair_of(s.variable, s.other_count));
  out.push_back(pair_of(static_cast<u32>(s.first), static_cast<u32>(s.last)));
}

/// Reads words; after the end it gives zeros and remembers.
class Reader {
 public:
  explicit Reader(std::span<const u64> words) : words_(words) {}
  u64 next() {
    if (at_ < words_.size()) return words_[at_++];
    overran_ = true;
    return 0;
  }
  bool overran() const { return overran_; }
  bool at_end() const { return at_ == words_.size(); }
  std::size_t left() const { return words_.size() - at_; }

 private:
  std::span<const u64> words_;
  std::size_t at_ = 0;
  bool overran_ = false;
};

bool read_type(u64 word, Type& type) {
  type.kind = static_cast<TypeKind>(word & 0xff);
  type.elements = static_cast<u8>(word >> 8);
  type.bits = static_cast<u16>(word >> 16);
  return type.kind <= TypeKind::mask && type.bits <= 1024 && type.elements != 0;
}

bool read_slot(Reader& reader, SlotInfo& slot) {
  const u64 head = reader.next();
  const u32 length = static_cast<u32>(head >> 40);
  if (!read_type(head, slot.type) || length > longest_name || length > reader.left() * 8) return false;
  slot.is_read = head >> 32 & 1;
  slot.is_written = head >> 33 & 1;
  slot.is_immediate = head >> 34 & 1;
  slot.is_field = head >> 35 & 1;
  u64 word = 0;
  for (u32 i = 0; i < length; ++i) {
    if (i % 8 == 0) word = reader.next();
    slot.name += static_cast<char>(word >> (8 * (i % 8)) & 0xff);
  }
  return true;
}

bool read_node(Reader& reader, NodeId id, Node& node) {
  const u64 head = reader.next();
  const u64 op = head >> 32 & 0xff, presence = head >> 40;
  if (!read_type(head, node.type) || op > static_cast<u64>(Op::nop) || presence > 7) return false;
  node.op = static_cast<Op>(op);
  for (unsigned pair = 0; pair < 2; ++pair) {
    if ((presence >> pair & 1) == 0) continue;
    const u64 word = reader.next();
    node.args[2 * pair] = low_of(word);
    node.args[2 * pair + 1] = high_of(word);
  }
  if ((presence & 4) != 0) node.immediate = reader.next();
  return std::all_of(node.args.begin(), node.args.end(), [&](NodeId a) { return a == no_node || a < id; });
}

bool read_statement(Reader& reader, std::size_t nodes, Statement& s) {
  const u64 head = reader.next(), what = reader.next();
  const u64 kind = head & 0xff;
  if (kind > static_cast<u64>(Statement::Kind::lanes)) return false;
  s.kind = static_cast<Statement::Kind>(kind);
  s.slot = static_cast<u16>(head >> 8);
  s.body_count = high_of(head);
  s.node = low_of(what);
  s.index = high_of(what);
  if (s.kind != Statement::Kind::evaluate && s.kind != Statement::Kind::assign) {
    const u64 more = reader.next(), bounds = reader.next();
    s.variable = low_of(more);
    s.other_count = high_of(more);
    s.first = static_cast<i32>(low_of(bounds));
    s.last = static_cast<i32>(high_of(bounds));
  }
  const bool is_loop = s.kind == Statement::Kind::loop || s.kind == Statement::Kind::lanes;
  return (s.node < nodes || (is_loop && s.node == no_node)) && (s.index < nodes || s.index == no_node);
}

/// Whether the nodes have the arguments that their operations need, and refer to slots that there are.
bool is_sound(const Body& body, const Node& node) {
  const bool names_array = node.op == Op::array_load || node.op == Op::array_store;
  if (names_array && node.immediate >= body.arrays.size()) return false;
  for (unsigned i = 0; i < std::min(argument_count(node.op), 4u); ++i) {
    if (node.args[i] == no_node) return false;
  }
  const bool names_slot = node.op == Op::input || node.op == Op::lane_input || node.op == Op::current ||
                          node.op == Op::lane_current || node.op == Op::item || node.op == Op::item_store ||
                          node.op == Op::register_number;
  return !names_slot || node.immediate < body.slots.size();
}

/// Whether every block ends within the one around it.
bool blocks_nest(const std::vector<Statement>& statements) {
  std::vector<std::size_t> ends{statements.size()};
  for (std::size_t i = 0; i < statements.size(); ++i) {
    while (ends.back() == i) ends.pop_back();
    const Statement& s = statements[i];
    const std::size_t body_end = i + 1 + s.body_count, end = body_end + s.other_count;
    if (end > ends.back() || ends.size() > deepest) return false;
    if (s.other_count != 0) ends.push_back(end);
    if (s.body_count != 0) ends.push_back(body_end);
  }
  return true;
}

Error damaged(std::string what) { return {"the stored body is damaged: " + std::move(what), "regenerate it"}; }

}  // namespace

std::vector<u64> serialise(const Body& body) {
  std::vector<u64> out{magic | version << 32 | static_cast<u64>(body.kind) << 40 | u64{body.is_ieee} << 48,
                       pair_of(static_cast<u32>(body.slots.size()), static_cast<u32>(body.nodes.size())),
                       pair_of(static_cast<u32>(body.statements.size()), static_cast<u32>(body.arrays.size()))};
  for (const ArrayInfo& array : body.arrays) out.push_back(word_of(array.type) | u64{array.size} << 32);
  for (const SlotInfo& slot : body.slots) write_slot(slot, out);
  for (const Node& node : body.nodes) write_node(node, out);
  for (const Statement& statement : body.statements) write_statement(statement, out);
  return out;
}

Result<Body> deserialise(std::span<const u64> words) {
  Reader reader(words);
  Body body;
  const u64 head = reader.next(), counts = reader.next(), more_counts = reader.next();
  const u64 statements = low_of(more_counts), kind = head >> 40 & 0xff;
  if (low_of(head) != magic || (head >> 32 & 0xff) != version || head >> 49 != 0)
    return damaged("it does not begin as one");
  if (kind > static_cast<u64>(BodyKind::wave)) return damaged("unknown kind of body");
  // Every item has a word at least, so counts beyond the words are wrong and need no memory.
  const u64 items = u64{low_of(counts)} + high_of(counts) + statements + high_of(more_counts);
  if (statements > most_items || items > reader.left()) return damaged("it is cut off");
  body.kind = static_cast<BodyKind>(kind);
  body.is_ieee = (head >> 48 & 1) != 0;
  body.arrays.resize(high_of(more_counts));
  for (ArrayInfo& array : body.arrays) {
    const u64 word = reader.next();
    array.size = high_of(word);
    if (!read_type(low_of(word), array.type) || array.size > largest_array) return damaged("an array");
  }
  body.slots.resize(low_of(counts));
  for (SlotInfo& slot : body.slots) {
    if (!read_slot(reader, slot)) return damaged("a slot");
  }
  body.nodes.resize(high_of(counts));
  for (std::size_t i = 0; i < body.nodes.size(); ++i) {
    const bool good = read_node(reader, static_cast<NodeId>(i), body.nodes[i]) && is_sound(body, body.nodes[i]);
    if (!good) return damaged("node " + std::to_string(i));
  }
  body.statements.resize(statements);
  for (std::size_t i = 0; i < body.statements.size(); ++i) {
    if (!read_statement(reader, body.nodes.size(), body.statements[i]))
      return damaged("statement " + std::to_string(i));
    if (body.statements[i].kind == Statement::Kind::assign && body.statements[i].slot >= body.slots.size()) {
      return damaged("statement " + std::to_string(i) + " assigns to no slot");
    }
  }
  if (reader.overran() || !reader.at_end()) return damaged("its length is wrong");
  if (!blocks_nest(body.statements)) return damaged("its blocks do not nest");
  return body;
}

}  // namespace gfxisa::core
