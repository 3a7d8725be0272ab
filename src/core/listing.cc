#include "core/listing.h"

#include "core/integer.h"

namespace gfxisa::core {
namespace {

// Shared nodes are written out wherever they are used, so a text is cut before it explodes.
constexpr std::size_t longest_line = 2000;

std::string number(u128 value) {
  const std::string last(1, static_cast<char>('0' + static_cast<int>(value % 10)));
  return value < 10 ? last : number(value / 10) + last;
}

std::string constant(const Node& node) {
  const u128 value = constant_value(node);
  const i128 with_sign = node.type.kind == TypeKind::signed_ ? wide_signed(value, node.type.bits) : 0;
  const std::string digits = with_sign < 0 ? "-" + number(u128{0} - static_cast<u128>(with_sign)) : number(value);
  return digits + ":" + name_of(node.type);
}

std::string slot_name(const Body& body, u64 slot) { return slot < body.slots.size() ? body.slots[slot].name : "?"; }

/// Whether the type cannot be told from the arguments.
bool shows_type(Op op) {
  return (op >= Op::extract && op <= Op::float_to_float && op != Op::concat) || op == Op::mem_load ||
         op == Op::lds_load || op == Op::scalar_load || op == Op::item;
}

class Writer {
 public:
  explicit Writer(const Body& body) : body_(body) {}

  std::string expression(NodeId id, bool at_home = false) {
    if (id >= body_.nodes.size()) return "?";
    const Node& node = body_.nodes[id];
    if (is_timed(node.op) && !at_home) return "%" + std::to_string(id);
    if (node.op == Op::constant) return constant(node);
    if (node.op == Op::input) return slot_name(body_, node.immediate);
    if (node.op == Op::loop_variable) return "i" + std::to_string(node.immediate);
    if (size_ > longest_line) return "...";
    std::string out(name_of(node.op));
    if (shows_type(node.op)) out += "." + name_of(node.type);
    if (argument_count(node.op) == 0 && node.immediate == 0 && !is_timed(node.op)) return out;
    size_ += out.size();
    return out + "(" + arguments(node) + ")";
  }

  void restart() { size_ = 0; }

 private:
  std::string arguments(const Node& node) {
    std::string out;
    const auto add = [&](const std::string& text) { out += (out.empty() ? "" : ", ") + text; };
    const bool names_slot = node.op == Op::lane_input || node.op == Op::current || node.op == Op::lane_current ||
                            node.op == Op::item || node.op == Op::item_store || node.op == Op::register_number;
    if (names_slot) add(slot_name(body_, node.immediate));
    for (const NodeId argument : node.args) {
      if (argument != no_node) add(expression(argument));
    }
    const bool has_immediate = node.op == Op::extract || node.op == Op::fcmp || node.immediate != 0;
    if (has_immediate && !names_slot) add("#" + std::to_string(node.immediate));
    return out;
  }

  const Body& body_;
  std::size_t size_ = 0;
};

std::string line_of(const Body& body, const Statement& s, Writer& writer) {
  switch (s.kind) {
    case Statement::Kind::evaluate: {
      const bool has_value = s.node < body.nodes.size() && body.nodes[s.node].type.kind != TypeKind::none;
      return (has_value ? "%" + std::to_string(s.node) + " = " : "") + writer.expression(s.node, true);
    }
    case Statement::Kind::assign: {
      const std::string lane = s.index == no_node ? "" : "[" + writer.expression(s.index) + "]";
      return slot_name(body, s.slot) + lane + " = " + writer.expression(s.node);
    }
    case Statement::Kind::branch:
      return "if " + writer.expression(s.node);
    case Statement::Kind::loop:
      return "for i" + std::to_string(s.variable) + " in " + std::to_string(s.first) + ".." + std::to_string(s.last);
    case Statement::Kind::lanes:
      return "for i" + std::to_string(s.variable) + (s.first != 0 ? " in lanes" : " in active");
  }
  return "?";
}

}  // namespace

std::string listing(const Body& body) {
  struct Block {
    std::size_t end;
    std::size_t other;  // where `else` stands; 0 none
  };
  std::vector<Block> open;
  std::string out;
  Writer writer(body);
  for (std::size_t i = 0; i < body.statements.size(); ++i) {
    while (!open.empty() && open.back().end <= i) open.pop_back();
    if (!open.empty() && open.back().other == i) out += std::string(2 * (open.size() - 1), ' ') + "else\n";
    const Statement& s = body.statements[i];
    writer.restart();
    out += std::string(2 * open.size(), ' ') + line_of(body, s, writer) + '\n';
    const bool is_block = s.kind != Statement::Kind::evaluate && s.kind != Statement::Kind::assign;
    const std::size_t middle = i + 1 + s.body_count;
    if (is_block) open.push_back({middle + s.other_count, s.other_count != 0 ? middle : 0});
  }
  return out;
}

}  // namespace gfxisa::core
