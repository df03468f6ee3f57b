// Provides CUDA's C++ for kernels under g++: thread indices, barriers, shuffles, atomics. grid.cc
// runs the threads of a block as fibers of one host thread.
#ifndef LATHE_EMULATION_CUDA_RUNTIME_H_
#define LATHE_EMULATION_CUDA_RUNTIME_H_

#include <math.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "ordered.h"

#define __global__
#define __device__
#define __host__
#define __launch_bounds__(...)
#define __forceinline__ inline
#define __grid_constant__
#define __align__(n) alignas(n)
// Blocks run one after the other, so one copy suffices.
#define __shared__ static

struct uint3 {
  unsigned x, y, z;
};

namespace lathe_emulation {

// Of the running thread.
struct Place {
  uint3 thread, block;
  dim3 threads, blocks;
};
extern Place here;

void Barrier();
// Waits as Barrier() does. Returns true if a thread of the block passed true.
bool BarrierWith(bool said);
// Exchanges values of up to 8 bytes among all threads of `mask` in this thread's warp; returns that
// of lane `from`. If that lane has no thread, sets `there` to false and returns the own value.
// `orders`: writes before the call are visible to the others after it.
uint64_t Exchange(unsigned mask, uint64_t value, int from, bool* there, bool orders = true);
unsigned Lane();
// A bit for each lane of its warp.
unsigned LanesOfWarp();

// Accesses by the emulation itself are not accesses of the kernel.
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

// `looks`: a failed attempt may be repeated. `stores`: an unchanged value is stored too.
template <typename T, typename F>
LATHE_UNSEEN T Atomically(T* at, F change, bool looks = false, bool stores = true) {
  T before = *at, after = change(before);
  if (looks && after == before) {
    uint64_t found = 0;
    memcpy(&found, &before, sizeof before);
    if (FindAgain(at, found)) {
      before = *at;
      after = change(before);
    }
  }
  SeeChange(at, after != before, stores || after != before);
  *at = after;
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
static inline int __syncthreads_and(int said) { return !lathe_emulation::BarrierWith(said == 0); }
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

// Lanes without a thread of the block do not exist.
static inline unsigned __ballot_sync(unsigned mask, int said) {
  unsigned all = 0;
  for (int lane = 0; lane < warpSize; ++lane) {
    if ((mask >> lane & 1u) == 0u) continue;
    bool there = false;
    const uint64_t other = lathe_emulation::Exchange(mask, said != 0 ? 1u : 0u, lane, &there);
    if (there && other != 0u) all |= 1u << lane;
  }
  return all;
}
static inline int __any_sync(unsigned mask, int said) { return __ballot_sync(mask, said) != 0u; }
static inline int __all_sync(unsigned mask, int said) {
  return __ballot_sync(mask, said == 0 ? 1 : 0) == 0u;
}
static inline unsigned __activemask() { return lathe_emulation::LanesOfWarp(); }

template <typename F>
unsigned lathe_emulated_reduction(unsigned mask, unsigned value, F combine) {
  unsigned result = value;
  for (int lane = 0; lane < warpSize; ++lane) {
    if ((mask >> lane & 1u) == 0u) continue;
    bool there = false;
    const uint64_t other = lathe_emulation::Exchange(mask, value, lane, &there);
    if (there && lane != (int)lathe_emulation::Lane()) result = combine(result, (unsigned)other);
  }
  return result;
}
static inline unsigned __reduce_add_sync(unsigned mask, unsigned value) {
  return lathe_emulated_reduction(mask, value, [](unsigned a, unsigned b) { return a + b; });
}
static inline unsigned __reduce_min_sync(unsigned mask, unsigned value) {
  return lathe_emulated_reduction(mask, value,
                                  [](unsigned a, unsigned b) { return a < b ? a : b; });
}

static inline unsigned __float_as_uint(float value) {
  unsigned bits = 0;
  memcpy(&bits, &value, sizeof value);
  return bits;
}
static inline float __uint_as_float(unsigned bits) {
  float value = 0;
  memcpy(&value, &bits, sizeof value);
  return value;
}
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fsub_rn(float a, float b) { return a - b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dsub_rn(double a, double b) { return a - b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline float __fdividef(float value, float by) { return value / by; }
static inline int __ffs(int bits) { return __builtin_ffs(bits); }
static inline void __nanosleep(unsigned) {}
template <typename T>
T __ldg(const T* at) {
  return *at;
}

// A plain load beside atomics of other threads.
template <typename T>
T __ldcv(const T* at) {
  return lathe_emulation::Atomically((T*)at, [](T before) { return before; }, false, false);
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
  return lathe_emulation::Atomically(
      at, [&](T) { return value; }, true);
}
template <typename T>
T atomicCAS(T* at, T wanted, T value) {
  return lathe_emulation::Atomically(
      at, [&](T before) { return before == wanted ? value : before; }, true, false);
}

// Before lathe/cuda_mma.h and the other headers of instructions, which it replaces.
#include "hopper.h"
#include "mma_forms.h"
#include "tensor_cores.h"

#endif  // LATHE_EMULATION_CUDA_RUNTIME_H_
