/* SPDX-License-Identifier: 0BSD */
/* cuda_sorts.h - the order of rows on GPUs, a block to a row: C++ for nvcc. */
#ifndef LATHE_CUDA_SORTS_H
#define LATHE_CUDA_SORTS_H

#include "cuda_rows.h"

/* order(p) is where the number of the element is written that comes p-th, of `length`; `before(a,
 * b)` says whether element a comes before b. Where neither does, the first is the first. A bitonic
 * network, all of whose exchanges put the smaller one in front: what would lie beyond the row would
 * stay there, and is left out. Every thread of the block calls it, kThreads of them. */
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
  /* Runs of so many elements are in order behind each round; half of them are compared with the
   * other half, the last with the first. */
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

/* The same in shared memory, of rows of at most kMost elements. */
template <int kThreads, int kMost, typename Index, typename Before, typename Order>
static __device__ inline void lathe_sort_short_row(Index length, const Before& before,
                                                   const Order& order) {
  __shared__ int32_t numbers[kMost];
  lathe_sort_row<kThreads>((int32_t)length, before, [&](int32_t p) { return &numbers[p]; });
  for (Index p = (Index)threadIdx.x; p < length; p += kThreads) {
    *order(p) = numbers[p];
  }
  __syncthreads(); /* before the next row comes */
}

#endif /* LATHE_CUDA_SORTS_H */
