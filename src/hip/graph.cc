#include "hip/graph.h"

#include <algorithm>
#include <set>
#include <utility>

namespace gfxisa::hip {

namespace {
thread_local std::vector<Work>* recording = nullptr;
}

bool Recording::record(Work& work) {
  if (recording == nullptr) return false;
  recording->push_back(std::move(work));
  return true;
}

Recording::Recording() : before_(std::exchange(recording, &work)) {}
Recording::~Recording() { recording = before_; }

Node* Graph::add(hipGraphNodeType type, std::vector<Node*> after) {
  Node& node = *nodes.emplace_back(std::make_unique<Node>());
  node.type = type;
  node.after = std::move(after);
  node.graph = this;
  return &node;
}

std::vector<Node*> Graph::ordered() const {
  std::vector<Node*> out;
  std::set<const Node*> done;
  while (out.size() < nodes.size()) {
    const std::size_t before = out.size();
    for (const auto& node : nodes) {
      const bool is_ready =
          std::all_of(node->after.begin(), node->after.end(), [&](Node* n) { return done.contains(n); });
      if (!is_ready || !done.insert(node.get()).second) continue;
      out.push_back(node.get());
    }
    if (out.size() == before) return {};
  }
  return out;
}

bool RunnableGraph::take(const Graph& graph) {
  const std::vector<Node*> order = graph.ordered();
  if (order.size() != graph.nodes.size()) return false;
  for (const Node* node : order) {
    parts->push_back({node, node->type, node->work});
    if (node->child != nullptr && !take(*node->child)) return false;
  }
  return true;
}

void Capture::append(const Stream& stream, hipGraphNodeType type, Work work) {
  const std::lock_guard guard(lock);
  std::vector<Node*>& tips = last[&stream];
  Node* const node = graph->add(type, tips);
  node->work.push_back(std::move(work));
  tips = {node};
}

bool Capture::is_joined() {
  const std::lock_guard guard(lock);
  std::set<const Node*> reached;
  std::vector<const Node*> waiting(last[origin].begin(), last[origin].end());
  while (!waiting.empty()) {
    const Node* node = waiting.back();
    waiting.pop_back();
    if (!reached.insert(node).second) continue;
    waiting.insert(waiting.end(), node->after.begin(), node->after.end());
  }
  return std::all_of(last.begin(), last.end(), [&](const auto& entry) {
    return std::all_of(entry.second.begin(), entry.second.end(), [&](const Node* n) { return reached.contains(n); });
  });
}

}  // namespace gfxisa::hip
