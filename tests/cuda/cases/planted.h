// Injects faults that the emulation must find, by environment variables: NO_BARRIERS omits
// barriers, NO_WAIT waits for one group of copies fewer.
#ifndef LATHE_TESTS_CUDA_CASES_PLANTED_H_
#define LATHE_TESTS_CUDA_CASES_PLANTED_H_

#include <cuda_runtime.h>
#include <stdlib.h>

// The emulation does not look at what they touch.
#define UNSEEN [[maybe_unused]] __attribute__((noinline, no_sanitize("thread"))) static
UNSEEN bool LacksBarriers() {
  static const bool lacks = getenv("NO_BARRIERS") != nullptr;
  return lacks;
}
UNSEEN bool LacksWait() {
  static const bool lacks = getenv("NO_WAIT") != nullptr;
  return lacks;
}

static inline void BarrierUnlessPlanted() {
  if (!LacksBarriers()) __syncthreads();
}
#define __syncthreads() BarrierUnlessPlanted()

#include "cuda_mma.h"
template <int kLeft>
static inline void WaitUnlessPlanted() {
  if (LacksWait()) {
    lathe_wait_for_copies<kLeft + 1>();
  } else {
    lathe_wait_for_copies<kLeft>();
  }
}
#define lathe_wait_for_copies WaitUnlessPlanted

#endif  // LATHE_TESTS_CUDA_CASES_PLANTED_H_
