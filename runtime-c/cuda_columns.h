/* SPDX-License-Identifier: 0BSD */
/* cuda_columns.h - reductions by blocks whose threads share adjacent columns, for nvcc.
 *
 * Adjacent threads have adjacent columns, kAcross of them; kDown threads share a column and
 * process its elements in turn. The order of a reduction depends on kDown only, so that results
 * are deterministic. */
#ifndef LATHE_CUDA_COLUMNS_H
#define LATHE_CUDA_COLUMNS_H

#include "cuda_rows.h"

template <int kAcross, int kDown>
struct lathe_columns {
  /* The first column of a block, and the distance to that of its next iteration. */
  static __device__ int64_t first(void) { return (int64_t)blockIdx.x * kAcross; }
  static __device__ int64_t step(void) { return (int64_t)gridDim.x * kAcross; }

  /* The column of this thread; the last column for threads beyond it. */
  template <typename Index>
  static __device__ Index own(Index first, int64_t columns) {
    const Index at = first + (Index)(threadIdx.x % kAcross);
    return at < columns ? at : (Index)(columns - 1);
  }

  /* The index of this thread in its column. Threads beyond the last column get an index beyond
   * any column's end, so that they load and store nothing. */
  template <typename Index>
  static __device__ Index thread(Index first, int64_t columns) {
    const Index at = first + (Index)(threadIdx.x % kAcross);
    return at < columns ? (Index)(threadIdx.x / kAcross) : (Index)1 << (8 * sizeof(Index) - 2);
  }

  /* Reduces the values of all threads of the column; all receive the result. All threads of the
   * block must call it. */
  template <typename Fold, typename T>
  static __device__ T reduce(T value) {
    __shared__ T values[kAcross * kDown];
    values[threadIdx.x] = value;
    __syncthreads();
    value = values[threadIdx.x % kAcross];
    for (int other = 1; other < kDown; ++other) {
      value = Fold::of(value, values[other * kAcross + (int)(threadIdx.x % kAcross)]);
    }
    __syncthreads(); /* the next call overwrites shared memory */
    return value;
  }

  /* The same for the best value and its position. */
  template <typename Fold, typename T>
  static __device__ void reduce_first(T& best, int64_t& position) {
    __shared__ T bests[kAcross * kDown];
    __shared__ int64_t positions[kAcross * kDown];
    bests[threadIdx.x] = best;
    positions[threadIdx.x] = position;
    __syncthreads();
    best = bests[threadIdx.x % kAcross];
    position = positions[threadIdx.x % kAcross];
    for (int other = 1; other < kDown; ++other) {
      const int at = other * kAcross + (int)(threadIdx.x % kAcross);
      if (lathe_precedes<Fold>(bests[at], positions[at], best, position)) {
        best = bests[at];
        position = positions[at];
      }
    }
    __syncthreads(); /* the next call overwrites shared memory */
  }
};

#endif /* LATHE_CUDA_COLUMNS_H */
