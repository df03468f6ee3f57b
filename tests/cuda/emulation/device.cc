// Streams, events and graphs: what waits in them, and in which order it happens.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "emulation.h"
#include "graphs.h"
#include "memory.h"
#include "order.h"

struct CUevent_st {
  int gpu = 0;
  // What was recorded last: whether it has passed, when that was, in milliseconds, and what was
  // done.
  struct Moment {
    bool passed = false;
    double at = 0;
    lathe_emulation::Clock clock;
  };
  std::shared_ptr<Moment> last;
  cudaStream_t stream = nullptr;
  CUgraph_st* capture = nullptr;  // what it was recorded in
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

constexpr size_t kSharedBytes = 48 * 1024;  // that every kernel may be given
constexpr int kMostSharedBytes = 227 * 1024;

struct Machine {
  std::set<cudaStream_t> streams;
  std::map<std::pair<int, const void*>, int> shared_bytes;  // that a kernel may be given on a GPU
  Clock host;                                               // what the host knows to be done
  bool in_host_function = false;
  int running = 0;  // the GPU whose kernel runs
};
Machine& TheMachine() {
  static Machine machine;
  return machine;
}

// What waits in the stream happens, up to the end or until `done`.
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
    Fail("the default stream, or one that is no stream, was used");
  }
  if (TheMachine().in_host_function) Fail("a function that a stream calls on the host calls CUDA");
  if (stream->capture == nullptr) {
    stream->waiting.push_back({std::move(node.work), TheMachine().host});
    return cudaSuccess;
  }
  if (stream->capture->invalid) return cudaErrorStreamCaptureInvalidated;
  node.stream = stream->number;
  stream->capture->nodes.push_back(std::move(node));
  return cudaSuccess;
}

cudaError_t Enqueue(cudaStream_t stream, Task work) {
  Node node;
  node.work = std::move(work);
  return Add(stream, std::move(node));
}

// Memory that work reads or writes as a whole.
void Touch(const void* at, size_t bytes, bool writes) { NoteAccess((uintptr_t)at, bytes, writes); }

// Whose the bytes are; they are of one GPU, or of cudaMallocHost.
int Owner(const void* at, size_t bytes, const char* what) {
  int owner = 0;
  if (!OwnerOf((uintptr_t)at, bytes, &owner)) {
    Fail("%s of %zu bytes at %p, which is not in memory of the GPU", what, bytes, at);
  }
  return owner;
}

void CheckGpu(const void* at, size_t bytes, int gpu, const char* what) {
  const int owner = Owner(at, bytes, what);
  if (owner == gpu) return;
  if (owner == kHost) Fail("%s of memory of the host at %p, as of GPU %d", what, at, gpu);
  Fail("%s of memory of GPU %d at %p, as of GPU %d", what, owner, at, gpu);
}

bool IsHosts(const void* at, size_t bytes) {
  int owner = 0;
  return OwnerOf((uintptr_t)at, bytes, &owner) && owner == kHost;
}

void Copy(void* to, const void* from, size_t bytes) {
  Touch(from, bytes, false);
  Touch(to, bytes, true);
  memcpy(to, from, bytes);
}

}  // namespace

void Fail(const char* format, ...) {
  va_list args;
  va_start(args, format);
  (void)fprintf(stderr, "emulation: ");
  (void)vfprintf(stderr, format, args);
  (void)fprintf(stderr, "\n");
  va_end(args);
  (void)fflush(nullptr);
  _exit(86);
}

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

bool IsGlobal(uintptr_t at, size_t bytes) {
  int owner = 0;
  if (!OwnerOf(at, bytes, &owner)) return false;
  if (owner != kHost && owner != TheMachine().running) {
    Fail("a kernel on GPU %d touches memory of GPU %d at %p", TheMachine().running, owner,
         (void*)at);
  }
  return true;
}

bool IsHostFunction() { return TheMachine().in_host_function; }
bool IsOfHost(uintptr_t at, size_t bytes) { return IsHosts((const void*)at, bytes); }

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

cudaError_t Launch(const cudaLaunchConfig_t& config, Work work) {
  // Graphs run it again and again.
  const std::shared_ptr<const void> kept(work.parameters, work.drop);
  const dim3 b = config.blockDim, g = config.gridDim;
  const uint64_t threads = (uint64_t)b.x * b.y * b.z;
  if (threads == 0 || threads > 1024 || b.z > 64 || g.x == 0 || g.y == 0 || g.z == 0 ||
      g.x > 2147483647u || g.y > 65535u || g.z > 65535u || config.dynamicSmemBytes > 227 * 1024) {
    return cudaErrorInvalidConfiguration;
  }
  const int gpu = CurrentGpu();
  const auto& most = TheMachine().shared_bytes;
  const auto may_have = most.find({gpu, work.kernel});
  if (config.dynamicSmemBytes >
      (may_have == most.end() ? kSharedBytes : (size_t)may_have->second)) {
    return cudaErrorInvalidValue;
  }
  if (config.stream != nullptr && config.stream->gpu != gpu) return cudaErrorInvalidResourceHandle;
  return Enqueue(config.stream, [config, work, kept, gpu]() {
    TheMachine().running = gpu;
    RunGrid(config, work);
  });
}

int gpu_version = 90;

}  // namespace lathe_emulation

using namespace lathe_emulation;

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  strcpy(properties->name, "the emulation, whose times say nothing of a GPU");
  return cudaSuccess;
}

// So few that blocks have several tiles each.
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int device) {
  *value = 3;
  return device >= 0 && device < CountOfGpus() ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  *attributes = {gpu_version, gpu_version == 90 ? 1024 : 32};
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute, int value) {
  if (value < 0 || value > kMostSharedBytes) return cudaErrorInvalidValue;
  TheMachine().shared_bytes[{CurrentGpu(), kernel}] = value;
  return cudaSuccess;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult* found) {
  const bool known = strcmp(symbol, "cuTensorMapEncodeTiled") == 0;
  *function = known ? (void*)&cuTensorMapEncodeTiled : nullptr;
  *found = known ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  if (bytes == 0) return Enqueue(stream, []() {});
  if (kind == cudaMemcpyHostToDevice) {
    if (Owner(to, bytes, "a copy") == kHost) return cudaErrorInvalidValue;
    if (stream != nullptr && stream->capture == nullptr && !IsHosts(from, bytes)) {
      // What the caller does with its memory afterwards is its own business.
      auto kept = std::make_shared<std::vector<char>>((const char*)from, (const char*)from + bytes);
      return Enqueue(stream, [to, kept]() {
        Touch(to, kept->size(), true);
        memcpy(to, kept->data(), kept->size());
      });
    }
  } else if (kind == cudaMemcpyDeviceToHost) {
    if (Owner(from, bytes, "a copy") == kHost) return cudaErrorInvalidValue;
  } else if (kind == cudaMemcpyDeviceToDevice) {
    CheckGpu(to, bytes, Owner(from, bytes, "a copy"), "a copy on one GPU");
    if ((const char*)to < (const char*)from + bytes && (const char*)from < (char*)to + bytes) {
      Fail("a copy of %zu bytes onto a part of itself", bytes);
    }
  } else {
    return cudaErrorInvalidValue;
  }
  return Enqueue(stream, [to, from, bytes]() { Copy(to, from, bytes); });
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_gpu, const void* from, int from_gpu, size_t bytes,
                                cudaStream_t stream) {
  if (bytes == 0) return Enqueue(stream, []() {});
  CheckGpu(to, bytes, to_gpu, "a copy between GPUs");
  CheckGpu(from, bytes, from_gpu, "a copy between GPUs");
  return Enqueue(stream, [to, from, bytes]() { Copy(to, from, bytes); });
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  if (width > to_pitch || width > from_pitch) return cudaErrorInvalidValue;
  for (size_t row = 0; row < height; ++row) {
    const cudaError_t error = cudaMemcpyAsync(
        (char*)to + row * to_pitch, (const char*)from + row * from_pitch, width, kind, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void* to, int byte, size_t bytes, cudaStream_t stream) {
  if (bytes > 0 && Owner(to, bytes, "a memset") == kHost) return cudaErrorInvalidValue;
  return Enqueue(stream, [to, byte, bytes]() {
    if (bytes == 0) return;
    Touch(to, bytes, true);
    memset(to, byte, bytes);
  });
}

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
  if (stream == nullptr) Fail("the default stream was waited for");
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
      Fail("the time of an event that did not pass");
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
  if (event->capture != nullptr && stream->capture == nullptr) {  // it is captured too from here on
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
  // All that was forked off is known to be done at the end.
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
  // What was the first stream is in the strand of the one that it is launched on.
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
