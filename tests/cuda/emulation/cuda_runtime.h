// What kernels find in CUDA's C++, for g++: where a thread stands, barriers, shuffles, atomics.
// grid.cpp runs the threads of a block as fibers of one thread of the host.
#ifndef LATHE_TESTS_CUDA_EMULATION_CUDA_RUNTIME_H_
#define LATHE_TESTS_CUDA_EMULATION_CUDA_RUNTIME_H_

#include <math.h>
#include <string.h>

#include "cuda_runtime_api.h"

#define __global__
#define __device__
#define __host__
#define __launch_bounds__(...)
#define __forceinline__ inline
#define __grid_constant__
#define __align__(n) alignas(n)
// Blocks run one after the other, so that one copy is enough.
#define __shared__ static

struct uint3 {
  unsigned x, y, z;
};

namespace lathe_emulation {

// Of the thread that runs now.
struct Place {
  uint3 thread, block;
  dim3 threads, blocks;
};
extern Place here;

void Barrier();
// And whether one of the block said so.
bool BarrierWith(bool said);
// All of `mask` in this thread's warp have come here with a value of up to 8 bytes each; the result
// is that of lane `from`, one of them.
uint64_t Exchange(unsigned mask, uint64_t value, int from, bool* there);
unsigned Lane();

// What only the emulation itself looks at is no access of the kernel's.
#define LATHE_UNSEEN __attribute__((no_sanitize("thread")))

template <typename T>
T Shuffled(unsigned mask, T value, int from) {
  static_assert(sizeof(T) <= 8, "shuffles move 8 bytes at most");
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof value);
  bool there = false;
  bits = Exchange(mask, bits, from, &there);
  if (there) {
    memcpy(&value, &bits, sizeof value);
  }
  return value;
}

template <typename T, typename F>
LATHE_UNSEEN T Atomically(T* at, F change) {
  const T before = *at;
  *at = change(before);
  return before;
}

}  // namespace lathe_emulation

inline const uint3& threadIdx = lathe_emulation::here.thread;
inline const uint3& blockIdx = lathe_emulation::here.block;
inline const dim3& blockDim = lathe_emulation::here.threads;
inline const dim3& gridDim = lathe_emulation::here.blocks;
constexpr int warpSize = 32;

static inline void __syncthreads() { lathe_emulation::Barrier(); }
static inline int __syncthreads_or(int said) { return lathe_emulation::BarrierWith(said != 0); }
static inline void __threadfence() {}
static inline unsigned __activemask() { return 0xffffffffu; }
static inline void __syncwarp(unsigned mask = 0xffffffffu) {
  (void)lathe_emulation::Shuffled(mask, 0, (int)lathe_emulation::Lane());
}

template <typename T>
T __shfl_sync(unsigned mask, T value, int lane, int width = 32) {
  const int own = (int)lathe_emulation::Lane();
  return lathe_emulation::Shuffled(mask, value, (own / width) * width + lane % width);
}
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32) {
  const int own = (int)lathe_emulation::Lane();
  const int from = own ^ lanes;
  return lathe_emulation::Shuffled(mask, value, from / width == own / width ? from : own);
}
template <typename T>
T __shfl_down_sync(unsigned mask, T value, unsigned lanes, int width = 32) {
  const int own = (int)lathe_emulation::Lane();
  const int from = own + (int)lanes;
  return lathe_emulation::Shuffled(mask, value, from / width == own / width ? from : own);
}
template <typename T>
T __shfl_up_sync(unsigned mask, T value, unsigned lanes, int width = 32) {
  const int own = (int)lathe_emulation::Lane();
  const int from = own - (int)lanes;
  return lathe_emulation::Shuffled(mask, value,
                                   from >= 0 && from / width == own / width ? from : own);
}

template <typename T>
T atomicAdd(T* at, T value) {
  return lathe_emulation::Atomically(at, [&](T before) { return (T)(before + value); });
}
template <typename T>
T atomicMax(T* at, T value) {
  return lathe_emulation::Atomically(at, [&](T before) { return before > value ? before : value; });
}
template <typename T>
T atomicMin(T* at, T value) {
  return lathe_emulation::Atomically(at, [&](T before) { return before < value ? before : value; });
}
template <typename T>
T atomicExch(T* at, T value) {
  return lathe_emulation::Atomically(at, [&](T) { return value; });
}
template <typename T>
T atomicCAS(T* at, T wanted, T value) {
  return lathe_emulation::Atomically(at,
                                     [&](T before) { return before == wanted ? value : before; });
}

// Before lathe/cuda_mma.h and lathe/cuda_hopper.h, whose places they take.
#include "hopper.h"
#include "tensor_cores.h"

#endif  // LATHE_TESTS_CUDA_EMULATION_CUDA_RUNTIME_H_
