#include "core/builder.h"

#include "core/integer.h"

namespace gfxisa::core {

std::size_t Builder::Hash::operator()(const Node& node) const {
  constexpr u64 factor = 0x9e3779b97f4a7c15;
  u64 hash = static_cast<u64>(node.op) << 32 | static_cast<u64>(node.type.kind) << 16 | node.type.bits;
  for (const NodeId argument : node.args) hash = (hash ^ argument) * factor;
  hash = (hash ^ node.immediate) * factor;
  return static_cast<std::size_t>(hash ^ hash >> 29);
}

bool Builder::Equal::operator()(const Node& a, const Node& b) const {
  return a.op == b.op && a.type == b.type && a.args == b.args && a.immediate == b.immediate;
}

static Node node_of(Op op, Type type, std::initializer_list<NodeId> arguments, u64 immediate) {
  Node node{.op = op, .type = type, .immediate = immediate};
  std::size_t i = 0;
  for (const NodeId argument : arguments) node.args[i++] = argument;
  return node;
}

NodeId Builder::add(const Node& node) {
  const auto [place, is_new] = known_.try_emplace(node, static_cast<NodeId>(body_->nodes.size()));
  if (is_new) body_->nodes.push_back(node);
  return place->second;
}

u128 Builder::value(NodeId id) const { return constant_value(node(id)); }

bool Builder::is_value(NodeId id, u128 value) const {
  return is_constant(id) && !node(id).type.is_float() && constant_value(node(id)) == value;
}

NodeId Builder::constant(Type type, u128 value) {
  value &= wide_ones(type.bits);
  const Node node = node_of(Op::constant, type, {}, static_cast<u64>(value));
  if (constant_value(node) == value) return add(node);
  // More than 64 bits: two halves. The upper one has at most 64 bits since no integer is wider than 128.
  const Type low{TypeKind::bits, 64}, high{TypeKind::bits, type.bits - 64u}, all{TypeKind::bits, type.bits};
  const NodeId both = add(node_of(Op::concat, all,
                                  {add(node_of(Op::constant, high, {}, static_cast<u64>(value >> 64))),
                                   add(node_of(Op::constant, low, {}, static_cast<u64>(value)))},
                                  0));
  return type == all ? both : add(node_of(Op::bitcast, type, {both}, 0));
}

NodeId Builder::make_timed(Op op, Type type, std::initializer_list<NodeId> arguments, u64 immediate) {
  body_->nodes.push_back(node_of(op, type, arguments, immediate));
  return static_cast<NodeId>(body_->nodes.size() - 1);
}

NodeId Builder::make(Op op, Type type, std::initializer_list<NodeId> arguments, u64 immediate) {
  const Node node = node_of(op, type, arguments, immediate);
  if (const NodeId constant = folded(node); constant != no_node) return constant;
  if (const NodeId simple = simplified(node); simple != no_node) return simple;
  return add(node);
}

NodeId Builder::folded(const Node& node) {
  if (argument_count(node.op) == 0) return no_node;
  Arguments arguments;
  for (std::size_t i = 0; i < node.args.size() && node.args[i] != no_node; ++i) {
    if (!is_constant(node.args[i])) return no_node;
    arguments.types[i] = this->node(node.args[i]).type;
    arguments.values[i] = value(node.args[i]);
  }
  const auto result = integer_value(node.op, node.type, arguments, node.immediate);
  if (!result) return no_node;
  // Values that need more than a constant's 64 bits stay as computations.
  const Node constant = node_of(Op::constant, node.type, {}, static_cast<u64>(*result));
  return constant_value(constant) == *result ? add(constant) : no_node;
}

NodeId Builder::simplified_select(const Node& node) {
  const auto& [condition, yes, no, unused] = node.args;
  if (yes == no) return yes;
  if (is_constant(condition)) return value(condition) ? yes : no;
  const bool is_boolean = node.type == Type(TypeKind::bits, 1);
  if (is_boolean && is_value(yes, 1) && is_value(no, 0)) return condition;
  return no_node;
}

NodeId Builder::simplified(const Node& node) {
  const auto& [a, b, c, unused] = node.args;
  const u128 ones = wide_ones(node.type.bits);
  switch (node.op) {
    case Op::add:
    case Op::bit_or:
    case Op::bit_xor:
      if (is_value(a, 0)) return b;
      return is_value(b, 0) ? a : no_node;
    case Op::sub:
    case Op::shl:
    case Op::shr:
      return is_value(b, 0) ? a : no_node;
    case Op::mul:
      if (is_value(a, 1) || is_value(b, 0)) return b;
      return is_value(b, 1) || is_value(a, 0) ? a : no_node;
    case Op::bit_and:
      if (is_value(a, ones) || is_value(b, 0)) return b;
      return is_value(b, ones) || is_value(a, 0) ? a : no_node;
    case Op::select:
      return simplified_select(node);
    case Op::extract:
      return this->node(a).type == node.type ? a : no_node;
    case Op::bitcast: {
      if (this->node(a).type == node.type) return a;
      const bool twice = this->node(a).op == Op::bitcast;
      return twice ? make(Op::bitcast, node.type, {this->node(a).args[0]}) : no_node;
    }
    default:
      return no_node;
  }
}

namespace {

void mark(NodeId id, std::vector<bool>& used) {
  if (id != no_node) used[id] = true;
}

}  // namespace

void drop_unused_nodes(Body& body) {
  std::vector<bool> used(body.nodes.size(), false);
  for (const Statement& statement : body.statements) {
    mark(statement.node, used);
    mark(statement.index, used);
  }
  // Arguments stand before what uses them, so one pass from the end reaches everything.
  for (std::size_t i = body.nodes.size(); i-- > 0;) {
    if (!used[i]) continue;
    for (const NodeId argument : body.nodes[i].args) mark(argument, used);
  }
  std::vector<NodeId> moved(body.nodes.size(), no_node);
  std::vector<Node> kept;
  const auto move = [&](NodeId& id) { id = id == no_node ? no_node : moved[id]; };
  for (std::size_t i = 0; i < body.nodes.size(); ++i) {
    if (!used[i]) continue;
    moved[i] = static_cast<NodeId>(kept.size());
    kept.push_back(body.nodes[i]);
    for (NodeId& argument : kept.back().args) move(argument);
  }
  body.nodes = std::move(kept);
  for (Statement& statement : body.statements) {
    move(statement.node);
    move(statement.index);
  }
}

}  // namespace gfxisa::core
