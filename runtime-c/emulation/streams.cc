// Streams, events and graphs: enqueued work and its order.
#include "streams.h"

#include <chrono>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include "emulation.h"
#include "gpu_memory.h"

struct CUevent_st {
  int gpu = 0;
  // The last record: whether it has completed, its time in milliseconds, and what was complete.
  struct Moment {
    bool passed = false;
    double at = 0;
    lathe_emulation::Clock clock;
  };
  std::shared_ptr<Moment> last;
  cudaStream_t stream = nullptr;
  CUgraph_st* capture = nullptr;  // the capture in which it was recorded
  size_t node = 0;
};
struct CUstream_st {
  struct Item {
    lathe_emulation::Task work;
    lathe_emulation::Clock host;  // what the host knew
  };
  int gpu = 0;
  std::deque<Item> waiting;
  lathe_emulation::Strand strand;
  CUgraph_st* capture = nullptr;
  size_t number = 0;  // in the capture
};

namespace lathe_emulation {
namespace {

struct Machine {
  std::set<cudaStream_t> streams;
  Clock host;  // what the host knows to be complete
  bool in_host_function = false;
};
Machine& TheMachine() {
  static Machine machine;
  return machine;
}

// Runs the work of the stream, up to the end or until `done`.
void Advance(cudaStream_t stream, const bool* done) {
  while (!stream->waiting.empty() && (done == nullptr || !*done)) {
    const CUstream_st::Item item = std::move(stream->waiting.front());
    stream->waiting.pop_front();
    Protect(true);
    const Working working(stream->strand, item.host);
    item.work();
  }
  Protect(false);
}

cudaError_t Add(cudaStream_t stream, Node node) {
  if (stream == nullptr || TheMachine().streams.count(stream) == 0) {
    Fail("the default stream or an invalid stream was used");
  }
  if (TheMachine().in_host_function) Fail("a host function of a stream calls the CUDA API");
  if (stream->capture == nullptr) {
    stream->waiting.push_back({std::move(node.work), TheMachine().host});
    return cudaSuccess;
  }
  if (stream->capture->invalid) return cudaErrorStreamCaptureInvalidated;
  node.stream = stream->number;
  stream->capture->nodes.push_back(std::move(node));
  return cudaSuccess;
}

// Calls `work` for the nodes in order, each in the strand of its stream.
void InStrands(const std::vector<Node>& nodes, std::vector<Strand>& strands,
               const std::function<void(const Node&, Strand&)>& work) {
  std::map<size_t, Clock> recorded;
  for (size_t i = 0; i < nodes.size(); ++i) {
    Strand& strand = strands[nodes[i].stream];
    if (nodes[i].kind == Node::Kind::kRecord) recorded[i] = strand.clock;
    if (nodes[i].kind == Node::Kind::kWait) Join(strand.clock, recorded[nodes[i].event]);
    if (nodes[i].kind == Node::Kind::kWork) work(nodes[i], strand);
  }
}

}  // namespace

cudaError_t Enqueue(cudaStream_t stream, Task work) {
  Node node;
  node.work = std::move(work);
  return Add(stream, std::move(node));
}

int GpuOf(cudaStream_t stream) { return stream->gpu; }
bool IsCaptured(cudaStream_t stream) { return stream->capture != nullptr; }
bool IsHostFunction() { return TheMachine().in_host_function; }

cudaError_t MayWait() {
  for (cudaStream_t stream : TheMachine().streams) {
    if (stream->capture == nullptr) continue;
    stream->capture->invalid = true;
    return cudaErrorStreamCaptureUnsupported;
  }
  return cudaSuccess;
}

void AdvanceAll() {
  for (cudaStream_t stream : TheMachine().streams) Advance(stream, nullptr);
}

}  // namespace lathe_emulation

using namespace lathe_emulation;

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* given) {
  return Enqueue(stream, [function, given]() {
    Protect(false);
    TheMachine().in_host_function = true;
    function(given);
    TheMachine().in_host_function = false;
  });
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  InstallFaults();
  *stream = new CUstream_st();
  (*stream)->gpu = CurrentGpu();
  (*stream)->strand = NewStrand();
  TheMachine().streams.insert(*stream);
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const cudaError_t error = cudaStreamSynchronize(stream);
  TheMachine().streams.erase(stream);
  delete stream;
  return error;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (stream == nullptr) Fail("a wait for the default stream");
  if (const cudaError_t error = MayWait(); error != cudaSuccess) return error;
  Advance(stream, nullptr);
  Join(TheMachine().host, stream->strand.clock);
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
  if (const cudaError_t error = MayWait(); error != cudaSuccess) return error;
  for (cudaStream_t stream : TheMachine().streams) {
    if (stream->gpu != CurrentGpu()) continue;
    Advance(stream, nullptr);
    Join(TheMachine().host, stream->strand.clock);
  }
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = new CUevent_st();
  (*event)->gpu = CurrentGpu();
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (stream != nullptr && stream->gpu != event->gpu) return cudaErrorInvalidResourceHandle;
  event->last = std::make_shared<CUevent_st::Moment>();
  event->stream = stream;
  event->capture = stream == nullptr ? nullptr : stream->capture;
  Node node;
  node.kind = Node::Kind::kRecord;
  node.work = [moment = event->last, stream]() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    moment->at = std::chrono::duration<double, std::milli>(now).count();
    moment->clock = stream->strand.clock;
    moment->passed = true;
  };
  const cudaError_t error = Add(stream, std::move(node));
  if (event->capture != nullptr) event->node = event->capture->nodes.size() - 1;
  return error;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (const cudaError_t error = MayWait(); error != cudaSuccess) return error;
  if (event->last == nullptr) return cudaSuccess;
  Advance(event->stream, &event->last->passed);
  Join(TheMachine().host, event->last->clock);
  return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  for (cudaEvent_t event : {begin, end}) {
    if (event->last == nullptr || !event->last->passed)
      Fail("the time of an event that has not completed");
  }
  *milliseconds = (float)(end->last->at - begin->last->at);
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  if (event->last == nullptr || event->stream == stream) return cudaSuccess;
  Node node;
  node.kind = Node::Kind::kWait;
  node.event = event->node;
  node.work = [moment = event->last, stream, other = event->stream]() {
    if (!moment->passed) Advance(other, &moment->passed);
    Protect(true);
    Join(stream->strand.clock, moment->clock);
  };
  if (event->capture != nullptr &&
      stream->capture == nullptr) {  // the stream is captured too from here on
    stream->capture = event->capture;
    stream->number = event->capture->streams.size();
    event->capture->streams.push_back(stream);
  }
  if (stream->capture != event->capture) {
    stream->capture->invalid = true;
    return cudaErrorStreamCaptureIsolation;
  }
  return Add(stream, std::move(node));
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  if (stream == nullptr || stream->capture != nullptr) return cudaErrorInvalidValue;
  stream->capture = new CUgraph_st();
  stream->capture->streams = {stream};
  stream->number = 0;
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  if (stream == nullptr || stream->capture == nullptr || stream->number != 0) {
    return cudaErrorInvalidValue;
  }
  CUgraph_st* const made = stream->capture;
  for (cudaStream_t captured : made->streams) captured->capture = nullptr;
  *graph = nullptr;
  if (made->invalid) {
    delete made;
    return cudaErrorStreamCaptureInvalidated;
  }
  // All forked work is known to be complete at the end.
  std::vector<Strand> strands(made->streams.size());
  for (size_t i = 0; i < strands.size(); ++i) strands[i] = {(uint32_t)i, Clock(strands.size(), 0)};
  InStrands(made->nodes, strands,
            [](const Node&, Strand& strand) { ++strand.clock[strand.number]; });
  for (const Strand& strand : strands) {
    if (strands[0].clock[strand.number] == strand.clock[strand.number]) continue;
    delete made;
    return cudaErrorStreamCaptureUnjoined;
  }
  *graph = made;
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* ready, cudaGraph_t graph, unsigned long long) {
  auto work = std::make_shared<CUgraphExec_st::Work>();
  work->nodes = graph->nodes;
  // The first captured stream continues the strand of the stream of the launch.
  for (size_t i = 1; i < graph->streams.size(); ++i) work->strands.push_back(NewStrand());
  *ready = new CUgraphExec_st{std::move(work)};
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t ready, cudaStream_t stream) {
  return Enqueue(stream, [graph = ready->work, stream]() {
    std::vector<Strand> strands = {stream->strand};
    strands.insert(strands.end(), graph->strands.begin(), graph->strands.end());
    InStrands(graph->nodes, strands, [](const Node& node, Strand& strand) {
      const Working working(strand, {});
      Protect(true);
      node.work();
    });
    for (const Strand& strand : strands) Join(stream->strand.clock, strand.clock);
    graph->strands.assign(strands.begin() + 1, strands.end());
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t ready) {
  delete ready;
  return cudaSuccess;
}
