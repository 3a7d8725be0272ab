// Graphs: capture of streams, nodes made one by one, instantiation, launches.
#include <algorithm>
#include <atomic>
#include <set>

#include "hip/graph.h"

using namespace gfxisa;
using namespace gfxisa::hip;

namespace {

/// Guards all graphs, and which handles are any.
std::mutex graphs_lock;
std::set<const void*> graphs, nodes;
std::map<hipGraphExec_t, std::shared_ptr<RunnableGraph>> runnables;

hipGraph_t handle_of(Graph* graph) { return reinterpret_cast<hipGraph_t>(graph); }
hipGraphNode_t handle_of(const Node* node) { return reinterpret_cast<hipGraphNode_t>(const_cast<Node*>(node)); }
Graph* graph_of(hipGraph_t handle) { return graphs.contains(handle) ? reinterpret_cast<Graph*>(handle) : nullptr; }
Node* node_of(hipGraphNode_t handle) { return nodes.contains(handle) ? reinterpret_cast<Node*>(handle) : nullptr; }
std::shared_ptr<RunnableGraph> runnable_of(hipGraphExec_t handle) {
  const auto found = runnables.find(handle);
  return found == runnables.end() ? nullptr : found->second;
}

void enter(const Graph* graph) {
  graphs.insert(graph);
  for (const auto& node : graph->nodes) {
    nodes.insert(node.get());
    if (node->child != nullptr) enter(node->child.get());
  }
}
void leave(const Graph* graph) {
  graphs.erase(graph);
  for (const auto& node : graph->nodes) {
    nodes.erase(node.get());
    if (node->child != nullptr) leave(node->child.get());
  }
}

std::unique_ptr<Graph> clone(const Graph& graph, std::map<const Node*, Node*>& copies) {
  auto copy = std::make_unique<Graph>();
  for (const auto& node : graph.nodes) {
    Node* const made = copies[node.get()] = copy->add(node->type, {});
    made->work = node->work;
    made->source = node->source;
    if (node->child != nullptr) made->child = clone(*node->child, copies);
    // The copy's own values are what the copy's pointers point to.
    if (auto* kernel = std::get_if<KernelSource>(&made->source); kernel != nullptr && !kernel->values.empty()) {
      for (std::size_t i = 0; i < kernel->values.size(); ++i) kernel->pointers[i] = kernel->values[i].data();
      kernel->params.kernelParams = kernel->pointers.data();
    }
  }
  for (const auto& node : graph.nodes) {
    for (Node* before : node->after) copies[node.get()]->after.push_back(copies[before]);
  }
  return copy;
}
// Of the last clone of each graph, for hipGraphNodeFindInClone.
std::map<const Graph*, std::map<const Node*, Node*>> clones;

/// A node with dependencies; nullptr when some of them are none of this graph.
Node* add(hipGraphNode_t* out, hipGraph_t handle, const hipGraphNode_t* after, std::size_t count,
          hipGraphNodeType type) {
  Graph* const graph = graph_of(handle);
  if (out == nullptr || graph == nullptr || (after == nullptr && count != 0)) return nullptr;
  std::vector<Node*> before;
  for (std::size_t i = 0; i < count; ++i) {
    Node* const node = node_of(after[i]);
    if (node == nullptr || node->graph != graph) return nullptr;
    before.push_back(node);
  }
  Node* const node = graph->add(type, std::move(before));
  nodes.insert(node);
  *out = handle_of(node);
  return node;
}

void remove_last(Node* node) {
  nodes.erase(node);
  node->graph->nodes.pop_back();
}

/// What an asynchronous function would give to a stream.
template <class F>
hipError_t record(std::vector<Work>& work, F call) {
  Recording recording;
  const hipError_t error = call();
  if (error == hipSuccess) work = std::move(recording.work);
  return error;
}

/// Makes the node with the work of `call`; no node when that fails.
template <class Source, class F>
hipError_t add_with(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* after, std::size_t count,
                    hipGraphNodeType type, const Source& source, F call) {
  const std::lock_guard lock(graphs_lock);
  Node* const node = add(out, graph, after, count, type);
  if (node == nullptr) return set_last(hipErrorInvalidValue);
  const hipError_t error = record(node->work, call);
  if (error != hipSuccess)
    remove_last(node);
  else
    node->source = source;
  return set_last(error);
}

/// Gives a node of this type other work, or what it was made into in a runnable graph.
template <class Source, class F>
hipError_t change(hipGraphExec_t runnable, hipGraphNode_t handle, hipGraphNodeType type, const Source& source, F call) {
  const std::lock_guard lock(graphs_lock);
  Node* const node = node_of(handle);
  if (node == nullptr || node->type != type) return set_last(hipErrorInvalidValue);
  std::vector<Work> work;
  if (const hipError_t error = record(work, call); error != hipSuccess) return set_last(error);
  if (runnable == nullptr) {
    node->work = std::move(work);
    node->source = source;
    return hipSuccess;
  }
  const auto found = runnable_of(runnable);
  if (found == nullptr) return set_last(hipErrorInvalidValue);
  const std::lock_guard own(found->lock);
  auto parts = std::make_shared<std::vector<RunnableGraph::Part>>(*found->parts);
  const auto part = std::find_if(parts->begin(), parts->end(), [&](const auto& p) { return p.node == node; });
  if (part == parts->end()) return set_last(hipErrorInvalidValue);
  part->work = std::move(work);
  found->parts = std::move(parts);
  return hipSuccess;
}

template <class Source>
hipError_t source_of(hipGraphNode_t handle, Source* out) {
  const std::lock_guard lock(graphs_lock);
  const Node* const node = node_of(handle);
  const auto* source = node == nullptr ? nullptr : std::get_if<Source>(&node->source);
  if (source == nullptr || out == nullptr) return set_last(hipErrorInvalidValue);
  *out = *source;
  return hipSuccess;
}

/// Copies handles to a program that asks with room for `*count` of them, or for their number only.
hipError_t list(const std::vector<hipGraphNode_t>& all, hipGraphNode_t* out, std::size_t* count) {
  if (count == nullptr) return set_last(hipErrorInvalidValue);
  if (out != nullptr) {
    for (std::size_t i = 0; i < *count; ++i) out[i] = i < all.size() ? all[i] : nullptr;
  }
  *count = out == nullptr ? all.size() : std::min(*count, all.size());
  return hipSuccess;
}

// ------------------------------------------------------------------------------------------- what nodes do

/// The function of a kernel node is the host's stub.
hipError_t launch_kernel(const hipKernelNodeParams& p) {
  Function* function = nullptr;
  if (const hipError_t error = State::get().find_function(p.func, function); error != hipSuccess) return error;
  return launch(*function, {p.gridDim, p.blockDim, p.sharedMemBytes}, p.kernelParams, p.extra, nullptr);
}

/// Keeps the arguments, which the program's pointers need not outlive the call.
hipError_t keep_arguments(const hipKernelNodeParams& p, KernelSource& source) {
  source.params = p;
  Function* function = nullptr;
  if (const hipError_t error = State::get().find_function(p.func, function); error != hipSuccess) return error;
  if (p.kernelParams == nullptr) return hipSuccess;
  std::size_t next = 0;
  for (const KernelArgument& argument : function->kernel->metadata.arguments) {
    if (argument.is_hidden()) continue;
    const auto* from = static_cast<const u8*>(p.kernelParams[next++]);
    if (from == nullptr) return hipErrorInvalidValue;
    source.values.emplace_back(from, from + argument.size);
  }
  for (std::vector<u8>& value : source.values) source.pointers.push_back(value.data());
  source.params.kernelParams = source.pointers.data();
  return hipSuccess;
}

hipError_t set_memory(const hipMemsetParams& p) {
  if (p.height > 1) {
    if (p.elementSize == 1)
      return hipMemset2DAsync(p.dst, p.pitch, static_cast<int>(p.value), p.width, p.height, nullptr);
    for (std::size_t row = 0; row < p.height; ++row) {
      hipMemsetParams one = p;
      one.dst = static_cast<u8*>(p.dst) + row * p.pitch;
      one.height = 1;
      if (const hipError_t error = set_memory(one); error != hipSuccess) return error;
    }
    return hipSuccess;
  }
  switch (p.elementSize) {
    case 1:
      return hipMemsetD8Async(p.dst, static_cast<unsigned char>(p.value), p.width, nullptr);
    case 2:
      return hipMemsetD16Async(p.dst, static_cast<unsigned short>(p.value), p.width, nullptr);
    case 4:
      return hipMemsetD32Async(p.dst, static_cast<int>(p.value), p.width, nullptr);
    default:
      return hipErrorInvalidValue;
  }
}

hipError_t call_host(const hipHostNodeParams& p) {
  if (p.fn == nullptr) return hipErrorInvalidValue;
  State::get()
      .default_stream(current_device)
      ->add(
          [p](Stream&) {
            p.fn(p.userData);
            return hipSuccess;
          },
          hipGraphNodeTypeHost);
  return hipSuccess;
}

hipMemcpy3DParms as_box(void* to, const void* from, std::size_t bytes, hipMemcpyKind kind) {
  hipMemcpy3DParms box{};
  box.dstPtr = {to, bytes, bytes, 1};
  box.srcPtr = {const_cast<void*>(from), bytes, bytes, 1};
  box.extent = {bytes, 1, 1};
  box.kind = kind;
  return box;
}

hipError_t instantiate(hipGraphExec_t* out, hipGraph_t handle) {
  const std::lock_guard lock(graphs_lock);
  const Graph* const graph = graph_of(handle);
  if (out == nullptr || graph == nullptr) return set_last(hipErrorInvalidValue);
  auto runnable = std::make_shared<RunnableGraph>();
  if (!runnable->take(*graph)) return set_last(hipErrorInvalidValue);
  *out = reinterpret_cast<hipGraphExec_t>(runnable.get());
  runnables.emplace(*out, std::move(runnable));
  return hipSuccess;
}

}  // namespace

extern "C" {

// ------------------------------------------------------------------------------------------- capture

hipError_t hipStreamBeginCapture(hipStream_t handle, hipStreamCaptureMode) {
  hipError_t error;
  const auto stream = State::get().started_stream(handle, error);
  if (stream == nullptr) return set_last(error);
  // Work of the default stream has an order with that of all others.
  if (handle == nullptr) return set_last(hipErrorStreamCaptureUnsupported);
  if (stream->capture() != nullptr) return set_last(hipErrorIllegalState);
  static std::atomic<u64> captures{0};
  auto capture = std::make_shared<Capture>();
  capture->origin = stream.get();
  capture->id = ++captures;
  capture->last[stream.get()];
  stream->set_capture(std::move(capture));
  return hipSuccess;
}
hipError_t hipStreamEndCapture(hipStream_t handle, hipGraph_t* out) {
  hipError_t error;
  const auto stream = State::get().started_stream(handle, error);
  if (stream == nullptr || out == nullptr) return set_last(stream == nullptr ? error : hipErrorInvalidValue);
  *out = nullptr;
  const auto capture = stream->capture();
  if (capture == nullptr) return set_last(hipErrorIllegalState);
  if (capture->origin != stream.get()) return set_last(hipErrorStreamCaptureUnmatched);
  for (const auto& each : State::get().streams_of(stream->device())) {
    if (each->capture() == capture) each->set_capture(nullptr);
  }
  const bool is_joined = capture->is_joined();
  const std::lock_guard own(capture->lock);
  std::unique_ptr<Graph> graph = std::move(capture->graph);
  if (capture->is_invalid) return set_last(hipErrorStreamCaptureInvalidated);
  if (!is_joined) return set_last(hipErrorStreamCaptureUnjoined);
  const std::lock_guard lock(graphs_lock);
  enter(graph.get());
  *out = handle_of(graph.release());
  return hipSuccess;
}
hipError_t hipStreamGetCaptureInfo(hipStream_t handle, hipStreamCaptureStatus* status, unsigned long long* id) {
  hipError_t error;
  const auto stream = State::get().started_stream(handle, error);
  if (stream == nullptr || status == nullptr) return set_last(stream == nullptr ? error : hipErrorInvalidValue);
  const auto capture = stream->capture();
  *status = hipStreamCaptureStatusNone;
  if (capture == nullptr) return hipSuccess;
  const std::lock_guard lock(capture->lock);
  *status = capture->is_invalid ? hipStreamCaptureStatusInvalidated : hipStreamCaptureStatusActive;
  if (id != nullptr) *id = capture->id;
  return hipSuccess;
}
hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus* status) {
  return hipStreamGetCaptureInfo(stream, status, nullptr);
}
hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode) {
  static thread_local hipStreamCaptureMode current = hipStreamCaptureModeGlobal;
  if (mode == nullptr) return set_last(hipErrorInvalidValue);
  std::swap(*mode, current);
  return hipSuccess;
}

// ------------------------------------------------------------------------------------------- graphs

hipError_t hipGraphCreate(hipGraph_t* out, unsigned) {
  if (out == nullptr) return set_last(hipErrorInvalidValue);
  if (const hipError_t error = State::get().start(); error != hipSuccess) return set_last(error);
  const std::lock_guard lock(graphs_lock);
  auto* const graph = new Graph;
  enter(graph);
  *out = handle_of(graph);
  return hipSuccess;
}
hipError_t hipGraphDestroy(hipGraph_t handle) {
  const std::lock_guard lock(graphs_lock);
  Graph* const graph = graph_of(handle);
  if (graph == nullptr) return set_last(hipErrorInvalidValue);
  leave(graph);
  clones.erase(graph);
  delete graph;
  return hipSuccess;
}
hipError_t hipGraphClone(hipGraph_t* out, hipGraph_t handle) {
  const std::lock_guard lock(graphs_lock);
  const Graph* const graph = graph_of(handle);
  if (graph == nullptr || out == nullptr) return set_last(hipErrorInvalidValue);
  std::map<const Node*, Node*> copies;
  Graph* const copy = clone(*graph, copies).release();
  enter(copy);
  clones[copy] = std::move(copies);
  *out = handle_of(copy);
  return hipSuccess;
}
hipError_t hipGraphNodeFindInClone(hipGraphNode_t* out, hipGraphNode_t original, hipGraph_t clone) {
  const std::lock_guard lock(graphs_lock);
  const auto copies = clones.find(graph_of(clone));
  if (out == nullptr || copies == clones.end()) return set_last(hipErrorInvalidValue);
  const auto found = copies->second.find(node_of(original));
  if (found == copies->second.end()) return set_last(hipErrorInvalidValue);
  *out = handle_of(found->second);
  return hipSuccess;
}
hipError_t hipGraphAddDependencies(hipGraph_t handle, const hipGraphNode_t* from, const hipGraphNode_t* to,
                                   size_t count) {
  const std::lock_guard lock(graphs_lock);
  if (graph_of(handle) == nullptr || (count != 0 && (from == nullptr || to == nullptr)))
    return set_last(hipErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i) {
    Node *const first = node_of(from[i]), *const second = node_of(to[i]);
    if (first == nullptr || second == nullptr || first == second) return set_last(hipErrorInvalidValue);
    second->after.push_back(first);
  }
  return hipSuccess;
}
hipError_t hipGraphRemoveDependencies(hipGraph_t handle, const hipGraphNode_t* from, const hipGraphNode_t* to,
                                      size_t count) {
  const std::lock_guard lock(graphs_lock);
  if (graph_of(handle) == nullptr || (count != 0 && (from == nullptr || to == nullptr)))
    return set_last(hipErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i) {
    Node* const second = node_of(to[i]);
    if (second == nullptr || std::erase(second->after, node_of(from[i])) == 0) return set_last(hipErrorInvalidValue);
  }
  return hipSuccess;
}
hipError_t hipGraphGetEdges(hipGraph_t handle, hipGraphNode_t* from, hipGraphNode_t* to, size_t* count) {
  const std::lock_guard lock(graphs_lock);
  const Graph* const graph = graph_of(handle);
  if (graph == nullptr || count == nullptr) return set_last(hipErrorInvalidValue);
  std::vector<hipGraphNode_t> firsts, seconds;
  for (const auto& node : graph->nodes) {
    for (const Node* before : node->after) {
      firsts.push_back(handle_of(before));
      seconds.push_back(handle_of(node.get()));
    }
  }
  std::size_t room = *count;
  const hipError_t error = list(firsts, from, &room);
  return error != hipSuccess ? error : list(seconds, to, count);
}
hipError_t hipGraphGetNodes(hipGraph_t handle, hipGraphNode_t* out, size_t* count) {
  const std::lock_guard lock(graphs_lock);
  const Graph* const graph = graph_of(handle);
  if (graph == nullptr) return set_last(hipErrorInvalidValue);
  std::vector<hipGraphNode_t> all;
  for (const auto& node : graph->nodes) all.push_back(handle_of(node.get()));
  return list(all, out, count);
}
hipError_t hipGraphGetRootNodes(hipGraph_t handle, hipGraphNode_t* out, size_t* count) {
  const std::lock_guard lock(graphs_lock);
  const Graph* const graph = graph_of(handle);
  if (graph == nullptr) return set_last(hipErrorInvalidValue);
  std::vector<hipGraphNode_t> all;
  for (const auto& node : graph->nodes) {
    if (node->after.empty()) all.push_back(handle_of(node.get()));
  }
  return list(all, out, count);
}
hipError_t hipGraphNodeGetDependencies(hipGraphNode_t handle, hipGraphNode_t* out, size_t* count) {
  const std::lock_guard lock(graphs_lock);
  const Node* const node = node_of(handle);
  if (node == nullptr) return set_last(hipErrorInvalidValue);
  std::vector<hipGraphNode_t> all;
  for (const Node* before : node->after) all.push_back(handle_of(before));
  return list(all, out, count);
}
hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t handle, hipGraphNode_t* out, size_t* count) {
  const std::lock_guard lock(graphs_lock);
  Node* const node = node_of(handle);
  if (node == nullptr) return set_last(hipErrorInvalidValue);
  std::vector<hipGraphNode_t> all;
  for (const auto& other : node->graph->nodes) {
    if (std::find(other->after.begin(), other->after.end(), node) != other->after.end())
      all.push_back(handle_of(other.get()));
  }
  return list(all, out, count);
}
hipError_t hipGraphNodeGetType(hipGraphNode_t handle, hipGraphNodeType* type) {
  const std::lock_guard lock(graphs_lock);
  const Node* const node = node_of(handle);
  if (node == nullptr || type == nullptr) return set_last(hipErrorInvalidValue);
  *type = node->type;
  return hipSuccess;
}
hipError_t hipGraphDestroyNode(hipGraphNode_t handle) {
  const std::lock_guard lock(graphs_lock);
  Node* const node = node_of(handle);
  if (node == nullptr) return set_last(hipErrorInvalidValue);
  if (node->child != nullptr) leave(node->child.get());
  nodes.erase(node);
  for (const auto& other : node->graph->nodes) std::erase(other->after, node);
  std::erase_if(node->graph->nodes, [&](const auto& own) { return own.get() == node; });
  return hipSuccess;
}

// ------------------------------------------------------------------------------------------- running

hipError_t hipGraphInstantiate(hipGraphExec_t* out, hipGraph_t graph, hipGraphNode_t* bad, char* log, size_t bytes) {
  if (bad != nullptr) *bad = nullptr;
  if (log != nullptr && bytes != 0) *log = '\0';
  return instantiate(out, graph);
}
hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* out, hipGraph_t graph, unsigned long long) {
  return instantiate(out, graph);
}
hipError_t hipGraphLaunch(hipGraphExec_t handle, hipStream_t stream_handle) {
  hipError_t error;
  const auto stream = State::get().started_stream(stream_handle, error);
  if (stream == nullptr) return set_last(error);
  std::shared_ptr<std::vector<RunnableGraph::Part>> parts;
  {
    const std::lock_guard lock(graphs_lock);
    const auto runnable = runnable_of(handle);
    if (runnable == nullptr) return set_last(hipErrorInvalidValue);
    const std::lock_guard own(runnable->lock);
    parts = runnable->parts;
  }
  stream->add(
      [parts](Stream& on) {
        for (const RunnableGraph::Part& part : *parts) {
          for (const Work& work : part.work) {
            if (const hipError_t failed = work(on); failed != hipSuccess) return failed;
          }
        }
        return hipSuccess;
      },
      hipGraphNodeTypeGraph);
  return hipSuccess;
}
hipError_t hipGraphExecDestroy(hipGraphExec_t handle) {
  const std::lock_guard lock(graphs_lock);
  return set_last(runnables.erase(handle) != 0 ? hipSuccess : hipErrorInvalidValue);
}
hipError_t hipGraphExecUpdate(hipGraphExec_t handle, hipGraph_t graph_handle, hipGraphNode_t* bad,
                              hipGraphExecUpdateResult* result) {
  const std::lock_guard lock(graphs_lock);
  const auto runnable = runnable_of(handle);
  const Graph* const graph = graph_of(graph_handle);
  if (runnable == nullptr || graph == nullptr || result == nullptr) return set_last(hipErrorInvalidValue);
  if (bad != nullptr) *bad = nullptr;
  RunnableGraph fresh;
  const bool is_ordered = fresh.take(*graph);
  const std::lock_guard own(runnable->lock);
  *result = is_ordered && fresh.parts->size() == runnable->parts->size() ? hipGraphExecUpdateSuccess
                                                                         : hipGraphExecUpdateErrorTopologyChanged;
  for (std::size_t i = 0; *result == hipGraphExecUpdateSuccess && i < fresh.parts->size(); ++i) {
    auto& part = (*fresh.parts)[i];
    if (part.type != (*runnable->parts)[i].type) {
      *result = hipGraphExecUpdateErrorNodeTypeChanged;
      if (bad != nullptr) *bad = handle_of(part.node);
    }
    part.node = (*runnable->parts)[i].node;
  }
  if (*result != hipGraphExecUpdateSuccess) return set_last(hipErrorGraphExecUpdateFailure);
  runnable->parts = fresh.parts;
  return hipSuccess;
}

// ------------------------------------------------------------------------------------------- nodes

hipError_t hipGraphAddEmptyNode(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* after, size_t count) {
  const std::lock_guard lock(graphs_lock);
  return set_last(add(out, graph, after, count, hipGraphNodeTypeEmpty) != nullptr ? hipSuccess : hipErrorInvalidValue);
}
hipError_t hipGraphAddChildGraphNode(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* after, size_t count,
                                     hipGraph_t child) {
  const std::lock_guard lock(graphs_lock);
  const Graph* const original = graph_of(child);
  if (original == nullptr || child == graph) return set_last(hipErrorInvalidValue);
  Node* const node = add(out, graph, after, count, hipGraphNodeTypeGraph);
  if (node == nullptr) return set_last(hipErrorInvalidValue);
  std::map<const Node*, Node*> copies;
  node->child = clone(*original, copies);
  enter(node->child.get());
  return hipSuccess;
}
hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t handle, hipGraph_t* out) {
  const std::lock_guard lock(graphs_lock);
  const Node* const node = node_of(handle);
  if (node == nullptr || node->child == nullptr || out == nullptr) return set_last(hipErrorInvalidValue);
  *out = handle_of(node->child.get());
  return hipSuccess;
}
hipError_t hipGraphExecChildGraphNodeSetParams(hipGraphExec_t handle, hipGraphNode_t node_handle, hipGraph_t child) {
  const std::lock_guard lock(graphs_lock);
  const auto runnable = runnable_of(handle);
  const Node* const node = node_of(node_handle);
  const Graph* const graph = graph_of(child);
  RunnableGraph fresh, before;
  if (runnable == nullptr || node == nullptr || node->child == nullptr || graph == nullptr || !fresh.take(*graph) ||
      !before.take(*node->child))
    return set_last(hipErrorInvalidValue);
  const auto same_type = [](const auto& a, const auto& b) { return a.type == b.type; };
  if (!std::equal(fresh.parts->begin(), fresh.parts->end(), before.parts->begin(), before.parts->end(), same_type))
    return set_last(hipErrorGraphExecUpdateFailure);
  const std::lock_guard own(runnable->lock);
  auto parts = std::make_shared<std::vector<RunnableGraph::Part>>(*runnable->parts);
  auto part = std::find_if(parts->begin(), parts->end(), [&](const auto& p) { return p.node == node; });
  if (part == parts->end()) return set_last(hipErrorInvalidValue);
  // What the child was made into follows the node.
  for (RunnableGraph::Part& one : *fresh.parts) (++part)->work = std::move(one.work);
  runnable->parts = std::move(parts);
  return hipSuccess;
}

hipError_t hipGraphAddKernelNode(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* after, size_t count,
                                 const hipKernelNodeParams* params) {
  if (params == nullptr) return set_last(hipErrorInvalidValue);
  KernelSource source;
  if (const hipError_t error = keep_arguments(*params, source); error != hipSuccess) return set_last(error);
  return add_with(out, graph, after, count, hipGraphNodeTypeKernel, std::move(source),
                  [&] { return launch_kernel(*params); });
}
hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t handle, hipKernelNodeParams* params) {
  const std::lock_guard lock(graphs_lock);
  const Node* const node = node_of(handle);
  const auto* source = node == nullptr ? nullptr : std::get_if<KernelSource>(&node->source);
  if (source == nullptr || params == nullptr) return set_last(hipErrorInvalidValue);
  *params = source->params;
  return hipSuccess;
}
hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t runnable, hipGraphNode_t node,
                                           const hipKernelNodeParams* params) {
  if (params == nullptr) return set_last(hipErrorInvalidValue);
  KernelSource source;
  if (const hipError_t error = keep_arguments(*params, source); error != hipSuccess) return set_last(error);
  return change(runnable, node, hipGraphNodeTypeKernel, std::move(source), [&] { return launch_kernel(*params); });
}
hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node, const hipKernelNodeParams* params) {
  return hipGraphExecKernelNodeSetParams(nullptr, node, params);
}

hipError_t hipGraphAddMemsetNode(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* after, size_t count,
                                 const hipMemsetParams* params) {
  if (params == nullptr) return set_last(hipErrorInvalidValue);
  return add_with(out, graph, after, count, hipGraphNodeTypeMemset, *params, [&] { return set_memory(*params); });
}
hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams* params) { return source_of(node, params); }
hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t runnable, hipGraphNode_t node,
                                           const hipMemsetParams* params) {
  if (params == nullptr) return set_last(hipErrorInvalidValue);
  return change(runnable, node, hipGraphNodeTypeMemset, *params, [&] { return set_memory(*params); });
}
hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node, const hipMemsetParams* params) {
  return hipGraphExecMemsetNodeSetParams(nullptr, node, params);
}

hipError_t hipGraphAddHostNode(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* after, size_t count,
                               const hipHostNodeParams* params) {
  if (params == nullptr) return set_last(hipErrorInvalidValue);
  return add_with(out, graph, after, count, hipGraphNodeTypeHost, *params, [&] { return call_host(*params); });
}
hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams* params) { return source_of(node, params); }
hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t runnable, hipGraphNode_t node,
                                         const hipHostNodeParams* params) {
  if (params == nullptr) return set_last(hipErrorInvalidValue);
  return change(runnable, node, hipGraphNodeTypeHost, *params, [&] { return call_host(*params); });
}
hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node, const hipHostNodeParams* params) {
  return hipGraphExecHostNodeSetParams(nullptr, node, params);
}

hipError_t hipGraphAddMemcpyNode(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* after, size_t count,
                                 const hipMemcpy3DParms* params) {
  if (params == nullptr) return set_last(hipErrorInvalidValue);
  return add_with(out, graph, after, count, hipGraphNodeTypeMemcpy, *params,
                  [&] { return hipMemcpy3DAsync(params, nullptr); });
}
hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms* params) {
  return source_of(node, params);
}
hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t runnable, hipGraphNode_t node, hipMemcpy3DParms* params) {
  if (params == nullptr) return set_last(hipErrorInvalidValue);
  return change(runnable, node, hipGraphNodeTypeMemcpy, *params, [&] { return hipMemcpy3DAsync(params, nullptr); });
}
hipError_t hipGraphMemcpyNodeSetParams(hipGraphNode_t node, const hipMemcpy3DParms* params) {
  return hipGraphExecMemcpyNodeSetParams(nullptr, node, const_cast<hipMemcpy3DParms*>(params));
}
hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* after, size_t count,
                                   void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
  return add_with(out, graph, after, count, hipGraphNodeTypeMemcpy, as_box(to, from, bytes, kind),
                  [=] { return hipMemcpyAsync(to, from, bytes, kind, nullptr); });
}
hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t runnable, hipGraphNode_t node, void* to, const void* from,
                                             size_t bytes, hipMemcpyKind kind) {
  return change(runnable, node, hipGraphNodeTypeMemcpy, as_box(to, from, bytes, kind),
                [=] { return hipMemcpyAsync(to, from, bytes, kind, nullptr); });
}
hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void* to, const void* from, size_t bytes,
                                         hipMemcpyKind kind) {
  return hipGraphExecMemcpyNodeSetParams1D(nullptr, node, to, from, bytes, kind);
}
hipError_t hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* after,
                                           size_t count, void* to, const void* symbol, size_t bytes, size_t offset,
                                           hipMemcpyKind kind) {
  return add_with(out, graph, after, count, hipGraphNodeTypeMemcpyFromSymbol, std::monostate(),
                  [=] { return hipMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, nullptr); });
}
hipError_t hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* after,
                                         size_t count, const void* symbol, const void* from, size_t bytes,
                                         size_t offset, hipMemcpyKind kind) {
  return add_with(out, graph, after, count, hipGraphNodeTypeMemcpyToSymbol, std::monostate(),
                  [=] { return hipMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, nullptr); });
}
hipError_t hipGraphExecMemcpyNodeSetParamsFromSymbol(hipGraphExec_t runnable, hipGraphNode_t node, void* to,
                                                     const void* symbol, size_t bytes, size_t offset,
                                                     hipMemcpyKind kind) {
  return change(runnable, node, hipGraphNodeTypeMemcpyFromSymbol, std::monostate(),
                [=] { return hipMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, nullptr); });
}
hipError_t hipGraphMemcpyNodeSetParamsFromSymbol(hipGraphNode_t node, void* to, const void* symbol, size_t bytes,
                                                 size_t offset, hipMemcpyKind kind) {
  return hipGraphExecMemcpyNodeSetParamsFromSymbol(nullptr, node, to, symbol, bytes, offset, kind);
}
hipError_t hipGraphExecMemcpyNodeSetParamsToSymbol(hipGraphExec_t runnable, hipGraphNode_t node, const void* symbol,
                                                   const void* from, size_t bytes, size_t offset, hipMemcpyKind kind) {
  return change(runnable, node, hipGraphNodeTypeMemcpyToSymbol, std::monostate(),
                [=] { return hipMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, nullptr); });
}
hipError_t hipGraphMemcpyNodeSetParamsToSymbol(hipGraphNode_t node, const void* symbol, const void* from, size_t bytes,
                                               size_t offset, hipMemcpyKind kind) {
  return hipGraphExecMemcpyNodeSetParamsToSymbol(nullptr, node, symbol, from, bytes, offset, kind);
}

hipError_t hipGraphAddEventRecordNode(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* after, size_t count,
                                      hipEvent_t event) {
  return add_with(out, graph, after, count, hipGraphNodeTypeEventRecord, event,
                  [=] { return hipEventRecord(event, nullptr); });
}
hipError_t hipGraphEventRecordNodeGetEvent(hipGraphNode_t node, hipEvent_t* event) { return source_of(node, event); }
hipError_t hipGraphAddEventWaitNode(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* after, size_t count,
                                    hipEvent_t event) {
  return add_with(out, graph, after, count, hipGraphNodeTypeWaitEvent, event,
                  [=] { return hipStreamWaitEvent(nullptr, event, 0); });
}
hipError_t hipGraphEventWaitNodeGetEvent(hipGraphNode_t node, hipEvent_t* event) { return source_of(node, event); }
hipError_t hipGraphExecEventRecordNodeSetEvent(hipGraphExec_t runnable, hipGraphNode_t node, hipEvent_t event) {
  return change(runnable, node, hipGraphNodeTypeEventRecord, event, [=] { return hipEventRecord(event, nullptr); });
}
hipError_t hipGraphEventRecordNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return hipGraphExecEventRecordNodeSetEvent(nullptr, node, event);
}
hipError_t hipGraphExecEventWaitNodeSetEvent(hipGraphExec_t runnable, hipGraphNode_t node, hipEvent_t event) {
  return change(runnable, node, hipGraphNodeTypeWaitEvent, event,
                [=] { return hipStreamWaitEvent(nullptr, event, 0); });
}
hipError_t hipGraphEventWaitNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return hipGraphExecEventWaitNodeSetEvent(nullptr, node, event);
}

}  // extern "C"
