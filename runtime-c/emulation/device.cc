// Launches, copies, and queries of GPUs.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "emulation.h"
#include "gpu_memory.h"
#include "order.h"
#include "streams.h"

namespace lathe_emulation {
namespace {

constexpr size_t kSharedBytes = 48 * 1024;  // maximum of every kernel without an attribute
constexpr int kMaxSharedBytes = 227 * 1024;

struct Gpus {
  std::map<std::pair<int, const void*>, int>
      shared_bytes;  // maximum dynamic shared memory of a kernel on a GPU
  int running = 0;   // the GPU whose kernel runs
};
Gpus& TheGpus() {
  static Gpus gpus;
  return gpus;
}

// Memory that work reads or writes as a whole.
void Touch(const void* at, size_t bytes, bool writes) { NoteAccess((uintptr_t)at, bytes, writes); }

// Finds the owner of the bytes: one GPU, or cudaMallocHost.
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
  if (owner == kHost) Fail("%s of host memory at %p as memory of GPU %d", what, at, gpu);
  Fail("%s of memory of GPU %d at %p as memory of GPU %d", what, owner, at, gpu);
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

bool IsGlobal(uintptr_t at, size_t bytes) {
  int owner = 0;
  if (!OwnerOf(at, bytes, &owner)) return false;
  if (owner != kHost && owner != TheGpus().running) {
    Fail("a kernel on GPU %d accesses memory of GPU %d at %p", TheGpus().running, owner, (void*)at);
  }
  return true;
}

bool IsOfHost(uintptr_t at, size_t bytes) { return IsHosts((const void*)at, bytes); }

cudaError_t Launch(const cudaLaunchConfig_t& config, Work work) {
  // Graphs run it repeatedly.
  const std::shared_ptr<const void> kept(work.parameters, work.drop);
  const dim3 b = config.blockDim, g = config.gridDim;
  const uint64_t threads = (uint64_t)b.x * b.y * b.z;
  if (threads == 0 || threads > 1024 || b.z > 64 || g.x == 0 || g.y == 0 || g.z == 0 ||
      g.x > 2147483647u || g.y > 65535u || g.z > 65535u || config.dynamicSmemBytes > 227 * 1024) {
    return cudaErrorInvalidConfiguration;
  }
  const int gpu = CurrentGpu();
  const auto& most = TheGpus().shared_bytes;
  const auto may_have = most.find({gpu, work.kernel});
  if (config.dynamicSmemBytes >
      (may_have == most.end() ? kSharedBytes : (size_t)may_have->second)) {
    return cudaErrorInvalidValue;
  }
  if (config.stream != nullptr && GpuOf(config.stream) != gpu)
    return cudaErrorInvalidResourceHandle;
  return Enqueue(config.stream, [config, work, kept, gpu]() {
    TheGpus().running = gpu;
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

// So few that blocks process several tiles each.
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int device) {
  *value = 3;
  return device >= 0 && device < CountOfGpus() ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  *attributes = {gpu_version, gpu_version == 90 ? 1024 : 32};
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute, int value) {
  if (value < 0 || value > kMaxSharedBytes) return cudaErrorInvalidValue;
  TheGpus().shared_bytes[{CurrentGpu(), kernel}] = value;
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
    if (stream != nullptr && !IsCaptured(stream) && !IsHosts(from, bytes)) {
      // Later accesses of the caller to its memory are not checked.
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
      Fail("a copy of %zu bytes whose source and destination overlap", bytes);
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
