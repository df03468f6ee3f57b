// Memory of the GPU, streams, events and graphs.
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "emulation.h"

// What waits in a stream.
using Task = std::function<void()>;

struct CUgraph_st {
  std::vector<Task> work;
};
struct CUgraphExec_st {
  std::vector<Task> work;
};
struct CUevent_st {
  std::shared_ptr<bool> passed;  // what was recorded last
  std::shared_ptr<double> at;    // and when that was, in milliseconds
  cudaStream_t stream = nullptr;
};
struct CUstream_st {
  std::deque<Task> waiting;
  CUgraph_st* capture = nullptr;
  bool invalid = false;  // something was called that cannot be captured
};

namespace lathe_emulation {
namespace {

constexpr size_t kSharedBytes = 48 * 1024;  // that every kernel may be given
constexpr int kMostSharedBytes = 227 * 1024;

struct Device {
  std::map<uintptr_t, size_t> allocations;  // by address
  std::set<cudaStream_t> streams;
  std::map<const void*, int> shared_bytes;  // that a kernel may be given
  bool open = false;                        // the GPU works, and its memory can be reached
};

Device& TheDevice() {
  static Device device;
  return device;
}

size_t Pages(size_t bytes) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  return (bytes + page) / page * page;
}

void Protect(bool open) {
  Device& device = TheDevice();
  if (device.open == open) return;
  device.open = open;
  for (const auto& [at, bytes] : device.allocations) {
    (void)mprotect((void*)at, Pages(bytes), open ? PROT_READ | PROT_WRITE : PROT_NONE);
  }
}

void OnFault(int, siginfo_t* info, void*) {
  const uintptr_t at = (uintptr_t)info->si_addr;
  const char* what = "emulation: an access outside of all memory\n";
  for (const auto& [from, bytes] : TheDevice().allocations) {
    if (at >= from && at < from + Pages(bytes)) {
      what = "emulation: the host touched memory of the GPU\n";
    }
  }
  (void)!write(2, what, strlen(what));
  _exit(86);
}

void Install() {
  static bool done = false;
  if (done) return;
  done = true;
  struct sigaction action = {};
  action.sa_sigaction = OnFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  static char stack[65536];
  stack_t alternative = {};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  (void)sigaltstack(&alternative, nullptr);
  (void)sigaction(SIGSEGV, &action, nullptr);
  (void)sigaction(SIGBUS, &action, nullptr);
}

// What waits in the stream happens, up to the end or until `done`.
void Advance(cudaStream_t stream, const bool* done) {
  while (!stream->waiting.empty() && (done == nullptr || !*done)) {
    const Task work = std::move(stream->waiting.front());
    stream->waiting.pop_front();
    Protect(true);
    work();
  }
  Protect(false);
}

cudaError_t Enqueue(cudaStream_t stream, Task work) {
  if (stream == nullptr || TheDevice().streams.count(stream) == 0) {
    Fail("the default stream, or one that is no stream, was used");
  }
  if (stream->invalid) return cudaErrorStreamCaptureInvalidated;
  if (stream->capture != nullptr) {
    stream->capture->work.push_back(std::move(work));
  } else {
    stream->waiting.push_back(std::move(work));
  }
  return cudaSuccess;
}

// Whether something that waits, or that changes what memory there is, may be called now.
cudaError_t MayWait() {
  for (cudaStream_t stream : TheDevice().streams) {
    if (stream->capture == nullptr) continue;
    stream->invalid = true;
    return cudaErrorStreamCaptureUnsupported;
  }
  return cudaSuccess;
}

void Check(const void* at, size_t bytes, const char* what) {
  if (!IsGlobal((uintptr_t)at, bytes)) {
    Fail("%s of %zu bytes at %p, which is not in memory of the GPU", what, bytes, at);
  }
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

bool IsGlobal(uintptr_t at, size_t bytes) {
  const auto& all = TheDevice().allocations;
  auto next = all.upper_bound(at);
  if (next == all.begin()) return false;
  --next;
  return at + bytes <= next->first + next->second;
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
  const auto& most = TheDevice().shared_bytes;
  const auto may_have = most.find(work.kernel);
  if (config.dynamicSmemBytes >
      (may_have == most.end() ? kSharedBytes : (size_t)may_have->second)) {
    return cudaErrorInvalidValue;
  }
  return Enqueue(config.stream, [config, work, kept]() { RunGrid(config, work); });
}

int gpu_version = 90;

}  // namespace lathe_emulation

using namespace lathe_emulation;

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "no error";
    case cudaErrorInvalidValue:
      return "invalid argument";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    case cudaErrorStreamCaptureUnsupported:
      return "operation not permitted when stream is capturing";
    case cudaErrorStreamCaptureInvalidated:
      return "operation failed due to a previous error during capture";
    default:
      return "unspecified launch failure";
  }
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  strcpy(properties->name, "the emulation, whose times say nothing of a GPU");
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}

// So few that blocks have several tiles each.
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int device) {
  *value = 3;
  return device == 0 ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  *attributes = {gpu_version, gpu_version == 90 ? 1024 : 32};
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute, int value) {
  if (value < 0 || value > kMostSharedBytes) return cudaErrorInvalidValue;
  TheDevice().shared_bytes[kernel] = value;
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

cudaError_t cudaMalloc(void** memory, size_t bytes) {
  Install();
  if (const cudaError_t error = MayWait(); error != cudaSuccess) return error;
  if (bytes > ((size_t)1 << 36)) return cudaErrorMemoryAllocation;
  void* const made = mmap(nullptr, Pages(bytes), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (made == MAP_FAILED) return cudaErrorMemoryAllocation;
  TheDevice().allocations[(uintptr_t)made] = bytes;
  *memory = made;
  return cudaSuccess;
}

cudaError_t cudaFree(void* memory) {
  if (memory == nullptr) return cudaSuccess;
  if (const cudaError_t error = MayWait(); error != cudaSuccess) return error;
  if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) return error;
  auto& all = TheDevice().allocations;
  const auto found = all.find((uintptr_t)memory);
  if (found == all.end()) return cudaErrorInvalidValue;
  (void)munmap(memory, Pages(found->second));
  all.erase(found);
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  if (bytes == 0) return Enqueue(stream, []() {});
  if (kind == cudaMemcpyHostToDevice) {
    Check(to, bytes, "a copy");
    if (stream != nullptr && stream->capture == nullptr) {
      // What the caller does with its memory afterwards is its own business.
      auto kept = std::make_shared<std::vector<char>>((const char*)from, (const char*)from + bytes);
      return Enqueue(stream, [to, kept]() { memcpy(to, kept->data(), kept->size()); });
    }
  } else if (kind == cudaMemcpyDeviceToHost) {
    Check(from, bytes, "a copy");
  } else if (kind == cudaMemcpyDeviceToDevice) {
    Check(to, bytes, "a copy");
    Check(from, bytes, "a copy");
    if ((const char*)to < (const char*)from + bytes && (const char*)from < (char*)to + bytes) {
      Fail("a copy of %zu bytes onto a part of itself", bytes);
    }
  } else {
    return cudaErrorInvalidValue;
  }
  return Enqueue(stream, [to, from, bytes]() { memcpy(to, from, bytes); });
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
  if (bytes > 0) Check(to, bytes, "a memset");
  return Enqueue(stream, [to, byte, bytes]() {
    if (bytes > 0) memset(to, byte, bytes);
  });
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  Install();
  *stream = new CUstream_st();
  TheDevice().streams.insert(*stream);
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const cudaError_t error = cudaStreamSynchronize(stream);
  TheDevice().streams.erase(stream);
  delete stream;
  return error;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (stream == nullptr) Fail("the default stream was waited for");
  if (const cudaError_t error = MayWait(); error != cudaSuccess) return error;
  Advance(stream, nullptr);
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
  if (const cudaError_t error = MayWait(); error != cudaSuccess) return error;
  for (cudaStream_t stream : TheDevice().streams) Advance(stream, nullptr);
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = new CUevent_st();
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  event->passed = std::make_shared<bool>(false);
  event->at = std::make_shared<double>(0);
  event->stream = stream;
  return Enqueue(stream, [passed = event->passed, at = event->at]() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    *at = std::chrono::duration<double, std::milli>(now).count();
    *passed = true;
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (const cudaError_t error = MayWait(); error != cudaSuccess) return error;
  if (event->passed != nullptr) Advance(event->stream, event->passed.get());
  return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  for (cudaEvent_t event : {begin, end}) {
    if (event->passed == nullptr || !*event->passed) Fail("the time of an event that did not pass");
  }
  *milliseconds = (float)(*end->at - *begin->at);
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  if (event->passed == nullptr || event->stream == stream) return cudaSuccess;
  return Enqueue(stream, [passed = event->passed, other = event->stream]() {
    if (!*passed) Advance(other, passed.get());
  });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  if (stream == nullptr || stream->capture != nullptr) return cudaErrorInvalidValue;
  stream->capture = new CUgraph_st();
  stream->invalid = false;
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  if (stream == nullptr || stream->capture == nullptr) return cudaErrorInvalidValue;
  *graph = stream->capture;
  stream->capture = nullptr;
  if (!std::exchange(stream->invalid, false)) return cudaSuccess;
  delete *graph;
  *graph = nullptr;
  return cudaErrorStreamCaptureInvalidated;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* ready, cudaGraph_t graph, unsigned long long) {
  *ready = new CUgraphExec_st{graph->work};
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t ready, cudaStream_t stream) {
  for (const Task& work : ready->work) {
    if (const cudaError_t error = Enqueue(stream, work); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t ready) {
  delete ready;
  return cudaSuccess;
}
