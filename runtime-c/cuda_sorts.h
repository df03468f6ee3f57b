/* SPDX-License-Identifier: 0BSD */
/* cuda_sorts.h - sorts rows on GPUs, one block per row, for nvcc. */
#ifndef LATHE_CUDA_SORTS_H
#define LATHE_CUDA_SORTS_H

#include "cuda_rows.h"

/* Sorts the indices of `length` elements stably: order(p) is the address of the p-th index,
 * before(a, b) returns true if element a precedes element b. Uses a bitonic network in which all
 * exchanges put the smaller element first, so that padding would stay at the end and is omitted.
 * All kThreads threads of the block must call it. */
template <int kThreads, typename Index, typename Before, typename Order>
static __device__ inline void lathe_sort_row(Index length, const Before& before,
                                             const Order& order) {
  const Index thread = (Index)threadIdx.x;
  for (Index p = thread; p < length; p += kThreads) {
    *order(p) = p;
  }
  __syncthreads();
  const auto exchange = [&](Index p, Index q) {
    const Index a = (Index)*order(p), b = (Index)*order(q);
    if (before(b, a) || (b < a && !before(a, b))) {
      *order(p) = b;
      *order(q) = a;
    }
  };
  /* After each step, runs of this length are sorted. The first half of a run is compared with
   * the reversed second half. */
  for (Index run = 2; run / 2 < length; run *= 2) {
    for (Index pair = thread; pair / (run / 2) * run < length; pair += kThreads) {
      const Index begin = pair / (run / 2) * run, at = pair % (run / 2);
      if (begin + run - 1 - at < length) {
        exchange(begin + at, begin + run - 1 - at);
      }
    }
    __syncthreads();
    for (Index step = run / 4; step > 0; step /= 2) {
      for (Index pair = thread; pair / step * (2 * step) < length; pair += kThreads) {
        const Index p = pair / step * (2 * step) + pair % step;
        if (p + step < length) {
          exchange(p, p + step);
        }
      }
      __syncthreads();
    }
  }
}

/* The same in shared memory, for rows of at most kMaxValue elements. */
template <int kThreads, int kMaxValue, typename Index, typename Before, typename Order>
static __device__ inline void lathe_sort_short_row(Index length, const Before& before,
                                                   const Order& order) {
  __shared__ int32_t numbers[kMaxValue];
  lathe_sort_row<kThreads>((int32_t)length, before, [&](int32_t p) { return &numbers[p]; });
  for (Index p = (Index)threadIdx.x; p < length; p += kThreads) {
    *order(p) = numbers[p];
  }
  __syncthreads(); /* the next row overwrites shared memory */
}

#endif /* LATHE_CUDA_SORTS_H */
