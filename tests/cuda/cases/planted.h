// Faults for the emulation to find: BARRIER stands for barriers, and WAIT is how many more copies
// are left under way.
#ifndef LATHE_TESTS_CUDA_CASES_PLANTED_H_
#define LATHE_TESTS_CUDA_CASES_PLANTED_H_

#ifdef BARRIER
#define __syncthreads() BARRIER
#endif
#ifdef WAIT
#include "cuda_mma.h"
template <int kLeft>
static inline void WaitForFewer() {
  lathe_wait_for_copies<kLeft + WAIT>();
}
#define lathe_wait_for_copies WaitForFewer
#endif

#endif  // LATHE_TESTS_CUDA_CASES_PLANTED_H_
