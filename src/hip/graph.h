// Graphs: pieces of work with an order between them, recorded from streams or made node by node.
#pragma once
#include <variant>

#include "hip/state.h"

namespace gfxisa::hip {

struct Graph;

/// What a kernel node was made from; the arguments are kept here.
struct KernelSource {
  hipKernelNodeParams params{};
  std::vector<std::vector<u8>> values;
  std::vector<void*> pointers;
};

struct Node {
  hipGraphNodeType type = hipGraphNodeTypeEmpty;
  std::vector<Work> work;
  std::vector<Node*> after;
  Graph* graph = nullptr;
  std::variant<std::monostate, KernelSource, hipMemsetParams, hipMemcpy3DParms, hipHostNodeParams, hipEvent_t> source;
  std::unique_ptr<Graph> child;
};

struct Graph {
  std::vector<std::unique_ptr<Node>> nodes;
  Node* add(hipGraphNodeType type, std::vector<Node*> after);
  /// Nodes so that each comes after those it depends on; empty when some depend on each other.
  std::vector<Node*> ordered() const;
};

/// A graph ready to run: its work in order. Launches run the work that there was when they were made.
struct RunnableGraph {
  struct Part {
    const Node* node = nullptr;
    hipGraphNodeType type = hipGraphNodeTypeEmpty;
    std::vector<Work> work;
  };
  std::mutex lock;
  std::shared_ptr<std::vector<Part>> parts = std::make_shared<std::vector<Part>>();
  /// Takes the nodes of a graph, those of graphs within it in their place. False when their order is a circle.
  bool take(const Graph& graph);
};

/// What streams do between hipStreamBeginCapture and hipStreamEndCapture goes into a graph.
struct Capture {
  std::mutex lock;
  std::unique_ptr<Graph> graph = std::make_unique<Graph>();
  const Stream* origin = nullptr;
  std::map<const Stream*, std::vector<Node*>> last;  ///< what the next node of a stream comes after
  bool is_invalid = false;
  u64 id = 0;

  void append(const Stream& stream, hipGraphNodeType type, Work work);
  /// Whether what the other streams did comes before what the first one did last.
  bool is_joined();
};

/// While one of these lives, what its thread would add to streams comes here instead.
class Recording {
 public:
  Recording();
  ~Recording();
  Recording(const Recording&) = delete;
  std::vector<Work> work;
  /// Takes work if there is one for this thread.
  static bool record(Work& work);

 private:
  std::vector<Work>* before_;
};

}  // namespace gfxisa::hip
