// Makes nodes: equal pure nodes are one, and what is known is computed at once.
#pragma once
#include <initializer_list>
#include <unordered_map>

#include "core/core.h"

namespace gfxisa::core {

class Builder {
 public:
  explicit Builder(Body& body) : body_(&body) {}

  /// A pure node; an existing equal one, a constant, or an argument where an identity says so.
  NodeId make(Op op, Type type, std::initializer_list<NodeId> arguments = {}, u64 immediate = 0);
  /// A node that has its time: always new, and the caller puts it into a statement.
  NodeId make_timed(Op op, Type type, std::initializer_list<NodeId> arguments = {}, u64 immediate = 0);
  /// An integer constant of any width. Floats give their bits.
  NodeId constant(Type type, u128 value);

  const Node& node(NodeId id) const { return body_->nodes[id]; }
  bool is_constant(NodeId id) const { return node(id).op == Op::constant; }
  u128 value(NodeId id) const;
  std::size_t size() const { return body_->nodes.size(); }

 private:
  NodeId add(const Node& node);
  NodeId folded(const Node& node);
  NodeId simplified(const Node& node);
  NodeId simplified_select(const Node& node);
  bool is_value(NodeId id, u128 value) const;

  struct Hash {
    std::size_t operator()(const Node& node) const;
  };
  struct Equal {
    bool operator()(const Node& a, const Node& b) const;
  };

  Body* body_;
  std::unordered_map<Node, NodeId, Hash, Equal> known_;
};

/// Drops nodes that no statement reaches; ids change, the order stays.
void drop_unused_nodes(Body& body);

}  // namespace gfxisa::core
