/* SPDX-License-Identifier: 0BSD */
/* cuda_fragments.h - operations of one thread on its fragment of a matrix, for nvcc. */
#ifndef LATHE_CUDA_FRAGMENTS_H
#define LATHE_CUDA_FRAGMENTS_H

#include "cuda_warps.h"

template <typename T>
static __device__ inline void lathe_fill_fragment(T* to, int count) {
  LATHE_UNROLL
  for (int i = 0; i < count; ++i) {
    to[i] = 0;
  }
}

/* A thread's 8 accumulators of a 16 x 16 tile: two adjacent 16 x 8 products. */
template <typename T>
static __device__ inline void lathe_store_fragment(T* to, const T* from, int stride) {
  const int lane = lathe_lane();
  LATHE_UNROLL
  for (int i = 0; i < 8; ++i) {
    const int row = lane / 4 + i % 4 / 2 * 8, column = lane % 4 * 2 + i % 2 + i / 4 * 8;
    to[row * stride + column] = from[i];
  }
}

#endif /* LATHE_CUDA_FRAGMENTS_H */
