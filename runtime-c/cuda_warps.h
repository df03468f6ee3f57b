/* SPDX-License-Identifier: 0BSD */
/* cuda_warps.h - collective operations of a warp or block, for nvcc. All of its threads must
 * reach a call, as for a barrier. */
#ifndef LATHE_CUDA_WARPS_H
#define LATHE_CUDA_WARPS_H

#include "cuda_device.h"

/* The index of this thread in its block, x fastest, and in its warp. */
static __device__ inline int32_t lathe_thread_of_block(void) {
  return (int32_t)(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}
static __device__ inline int32_t lathe_lane(void) { return lathe_thread_of_block() % 32; }

/* Elects one thread of a whole warp: 1 for it, 0 for the others. */
static __device__ inline uint32_t lathe_elect(void) {
  __syncwarp();
  return lathe_lane() == 0 ? 1u : 0u;
}

struct lathe_sum_of_two {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};
struct lathe_max_of_two {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a > b ? a : b;
  }
};
struct lathe_min_of_two {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a < b ? a : b;
  }
};

/* Reduces the values of `width` adjacent lanes; all of them receive the result. */
template <typename T, typename Combine>
static __device__ inline T lathe_of_warp(T value, int width, Combine combine) {
  for (int lanes = width / 2; lanes > 0; lanes /= 2) {
    value = combine(value, __shfl_xor_sync(0xffffffffu, value, lanes));
  }
  return value;
}
template <typename T>
static __device__ inline T lathe_warp_sum(T value, int width = 32) {
  return lathe_of_warp(value, width, lathe_sum_of_two());
}
template <typename T>
static __device__ inline T lathe_warp_max(T value, int width = 32) {
  return lathe_of_warp(value, width, lathe_max_of_two());
}
template <typename T>
static __device__ inline T lathe_warp_min(T value, int width = 32) {
  return lathe_of_warp(value, width, lathe_min_of_two());
}

/* The same for all threads of a block of whole warps. `scratch` is shared memory for one value
 * per warp. */
template <typename T, typename Combine>
static __device__ inline T lathe_of_block(T value, int warps, T* scratch, Combine combine) {
  const int32_t warp = lathe_thread_of_block() / 32;
  value = lathe_of_warp(value, 32, combine);
  if (lathe_lane() == 0) {
    scratch[warp] = value;
  }
  __syncthreads();
  value = scratch[0];
  for (int i = 1; i < warps; ++i) {
    value = combine(value, scratch[i]);
  }
  __syncthreads(); /* the next call overwrites the scratch memory */
  return value;
}
template <typename T>
static __device__ inline T lathe_block_sum(T value, int warps, T* scratch) {
  return lathe_of_block(value, warps, scratch, lathe_sum_of_two());
}
template <typename T>
static __device__ inline T lathe_block_max(T value, int warps, T* scratch) {
  return lathe_of_block(value, warps, scratch, lathe_max_of_two());
}
template <typename T>
static __device__ inline T lathe_block_min(T value, int warps, T* scratch) {
  return lathe_of_block(value, warps, scratch, lathe_min_of_two());
}

/* Reduces the values of `count` threads in an order that depends on `count` only; all receive
 * the result. `rank` is this thread's index among them, `all` is shared memory for their values.
 * All threads of the block must call it, in whichever group they are. */
template <typename T, typename Combine>
static __device__ inline T lathe_reduce_threads(T* all, int rank, int count, T own,
                                                Combine combine) {
  all[rank] = own;
  __syncthreads();
  for (int left = count; left > 1;) {
    const int half = (left + 1) / 2;
    if (rank + half < left) {
      all[rank] = combine(all[rank], all[rank + half]);
    }
    __syncthreads();
    left = half;
  }
  own = all[0];
  __syncthreads(); /* the next call overwrites the memory */
  return own;
}

/* Packs two floats into 64 bits, the first in the low half. */
static __device__ inline uint64_t lathe_pair(float first, float second) {
  return (uint64_t)__float_as_uint(second) << 32 | __float_as_uint(first);
}
static __device__ inline float lathe_first(uint64_t pair) {
  return __uint_as_float((uint32_t)pair);
}
static __device__ inline float lathe_second(uint64_t pair) {
  return __uint_as_float((uint32_t)(pair >> 32));
}
static __device__ inline uint64_t lathe_add_pairs(uint64_t a, uint64_t b) {
  return lathe_pair(lathe_first(a) + lathe_first(b), lathe_second(a) + lathe_second(b));
}
static __device__ inline uint64_t lathe_multiply_pairs(uint64_t a, uint64_t b) {
  return lathe_pair(lathe_first(a) * lathe_first(b), lathe_second(a) * lathe_second(b));
}

#endif /* LATHE_CUDA_WARPS_H */
