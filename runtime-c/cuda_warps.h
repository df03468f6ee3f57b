/* SPDX-License-Identifier: 0BSD */
/* cuda_warps.h - what the threads of a warp or of a block find out together: C++ for nvcc. All of
 * them come to a call, as to a barrier. */
#ifndef LATHE_CUDA_WARPS_H
#define LATHE_CUDA_WARPS_H

#include "cuda_device.h"

/* The number of this thread in its block, x fastest, and in its warp. */
static __device__ inline int32_t lathe_thread_of_block(void) {
  return (int32_t)(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}
static __device__ inline int32_t lathe_lane(void) { return lathe_thread_of_block() % 32; }

/* 1 for one thread of a whole warp, 0 for the others. */
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

/* One of the values of `width` neighbours in a warp, for each of them. */
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

/* The same of all threads of a block of so many whole warps; `scratch` is shared memory that has
 * room for a value of each warp. */
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
  __syncthreads(); /* before the scratch is used again */
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

/* What the values of `count` threads come to, in an order that depends on nothing but their number,
 * for each of them: `rank` is this thread's number among them, `all` shared memory for their
 * values. Every thread of the block comes, whichever group it is in. */
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
  __syncthreads(); /* before the memory is used again */
  return own;
}

/* Two floats in 64 bits, the first one below. */
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
