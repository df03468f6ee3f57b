/* SPDX-License-Identifier: 0BSD */
/* cuda_columns.h - blocks whose threads share columns that lie beside each other: C++ for nvcc.
 *
 * Neighbouring threads have neighbouring columns, kAcross of them; kDown threads share each and
 * take its elements in turns. Values meet in an order that depends on nothing but kDown. */
#ifndef LATHE_CUDA_COLUMNS_H
#define LATHE_CUDA_COLUMNS_H

#include "cuda_rows.h"

template <int kAcross, int kDown>
struct lathe_columns {
  /* The first column of a block, and how far away that of its next turn is. */
  static __device__ int64_t first(void) { return (int64_t)blockIdx.x * kAcross; }
  static __device__ int64_t step(void) { return (int64_t)gridDim.x * kAcross; }

  /* The column of this thread; behind the last one that one again. */
  template <typename Index>
  static __device__ Index own(Index first, int64_t columns) {
    const Index at = first + (Index)(threadIdx.x % kAcross);
    return at < columns ? at : (Index)(columns - 1);
  }

  /* The number of this thread among those of its column; behind the last column one beyond the end
   * of any, so that it finds nothing and stores nothing. */
  template <typename Index>
  static __device__ Index thread(Index first, int64_t columns) {
    const Index at = first + (Index)(threadIdx.x % kAcross);
    return at < columns ? (Index)(threadIdx.x / kAcross) : (Index)1 << (8 * sizeof(Index) - 2);
  }

  /* One of the values that all threads of the column give, for all of them. Every thread of the
   * block calls it. */
  template <typename Fold, typename T>
  static __device__ T meet(T value) {
    __shared__ T values[kAcross * kDown];
    values[threadIdx.x] = value;
    __syncthreads();
    value = values[threadIdx.x % kAcross];
    for (int other = 1; other < kDown; ++other) {
      value = Fold::of(value, values[other * kAcross + (int)(threadIdx.x % kAcross)]);
    }
    __syncthreads(); /* before the next values come */
    return value;
  }

  /* The same for the best of all, and where it was. */
  template <typename Fold, typename T>
  static __device__ void meet_first(T& best, int64_t& position) {
    __shared__ T bests[kAcross * kDown];
    __shared__ int64_t positions[kAcross * kDown];
    bests[threadIdx.x] = best;
    positions[threadIdx.x] = position;
    __syncthreads();
    best = bests[threadIdx.x % kAcross];
    position = positions[threadIdx.x % kAcross];
    for (int other = 1; other < kDown; ++other) {
      const int at = other * kAcross + (int)(threadIdx.x % kAcross);
      if (lathe_comes_first<Fold>(bests[at], positions[at], best, position)) {
        best = bests[at];
        position = positions[at];
      }
    }
    __syncthreads(); /* before the next values come */
  }
};

#endif /* LATHE_CUDA_COLUMNS_H */
