/* SPDX-License-Identifier: 0BSD */
/* cuda_rows.h - reductions by teams of threads that share a row, for nvcc.
 *
 * A team is part of a warp, a warp, or a block. The order of a reduction depends on the team
 * size only, so that results are deterministic. */
#ifndef LATHE_CUDA_ROWS_H
#define LATHE_CUDA_ROWS_H

#include "cuda_device.h"

/* Operators of reductions. Integers wrap around, like unsigned integers. */
struct lathe_fold_sum {
  static __device__ float of(float a, float b) { return a + b; }
  static __device__ double of(double a, double b) { return a + b; }
  template <typename T>
  static __device__ T of(T a, T b) {
    return (T)((uint64_t)a + (uint64_t)b);
  }
};
struct lathe_fold_product {
  static __device__ float of(float a, float b) { return a * b; }
  static __device__ double of(double a, double b) { return a * b; }
  template <typename T>
  static __device__ T of(T a, T b) {
    return (T)((uint64_t)a * (uint64_t)b);
  }
};
struct lathe_fold_largest {
  template <typename T>
  static __device__ T of(T a, T b) {
    return a > b ? a : b;
  }
};
struct lathe_fold_smallest {
  template <typename T>
  static __device__ T of(T a, T b) {
    return a < b ? a : b;
  }
};
struct lathe_fold_any {
  template <typename T>
  static __device__ T of(T a, T b) {
    return (T)(a | b);
  }
};
struct lathe_fold_all {
  template <typename T>
  static __device__ T of(T a, T b) {
    return (T)(a & b);
  }
};

/* The index of this thread in its team, of its team, and the number of teams. */
template <int kTeam>
static __device__ inline int32_t lathe_thread_of_team(void) {
  return (int32_t)(threadIdx.x % kTeam);
}
template <int kTeam>
static __device__ inline int64_t lathe_team(void) {
  return kTeam > 32 ? (int64_t)blockIdx.x : lathe_thread() / kTeam;
}
template <int kTeam>
static __device__ inline int64_t lathe_teams(void) {
  return kTeam > 32 ? (int64_t)gridDim.x : lathe_threads() / kTeam;
}

/* Shuffles support 32 and 64 bits only. */
template <typename T>
static __device__ inline T lathe_shuffle_down(unsigned mask, T value, int lanes, int width) {
  if constexpr (sizeof(T) < 4) {
    return (T)__shfl_down_sync(mask, (int)value, lanes, width);
  } else {
    return __shfl_down_sync(mask, value, lanes, width);
  }
}
template <typename T>
static __device__ inline T lathe_broadcast_first_lane(unsigned mask, T value, int width) {
  if constexpr (sizeof(T) < 4) {
    return (T)__shfl_sync(mask, (int)value, 0, width);
  } else {
    return __shfl_sync(mask, value, 0, width);
  }
}

/* The mask of the lanes that belong to this thread's team. */
template <int kTeam>
static __device__ inline unsigned lathe_lanes_of_team(void) {
  if constexpr (kTeam >= 32) {
    return 0xffffffffu;
  } else {
    return ((1u << kTeam) - 1u) << (threadIdx.x % 32u / kTeam * kTeam);
  }
}

/* Reduces the values of all threads of the team, in an order that depends on kTeam only; all
 * receive an identical result. All threads of the team must call it. */
template <typename Fold, int kTeam, typename T>
static __device__ inline T lathe_reduce_team(T value) {
  constexpr int kLanes = kTeam < 32 ? kTeam : 32;
  const unsigned mask = lathe_lanes_of_team<kTeam>();
  for (int lanes = kLanes / 2; lanes > 0; lanes /= 2) {
    value = Fold::of(value, lathe_shuffle_down(mask, value, lanes, kLanes));
  }
  if constexpr (kTeam <= 32) {
    return lathe_broadcast_first_lane(mask, value, kLanes);
  } else {
    constexpr int kWarps = kTeam / 32;
    __shared__ T of_warps[kWarps];
    if (threadIdx.x % 32u == 0u) {
      of_warps[threadIdx.x / 32u] = value;
    }
    __syncthreads();
    value = of_warps[0];
    for (int warp = 1; warp < kWarps; ++warp) {
      value = Fold::of(value, of_warps[warp]);
    }
    __syncthreads(); /* the next call overwrites shared memory */
    return value;
  }
}

/* Returns true if b, at `at_b`, precedes a in a search: it is better, or equal and earlier. A
 * value without a position comes last, and NaN first; of two NaNs b precedes. */
template <typename Fold, typename T>
static __device__ inline bool lathe_precedes(T b, int64_t at_b, T a, int64_t at_a) {
  if (at_a < 0 || at_b < 0) {
    return at_b >= 0;
  }
  if (a != a || b != b) {
    return b != b;
  }
  return a == b ? at_b < at_a : Fold::of(a, b) == b;
}

/* As lathe_reduce_team, for the best value and its position. */
template <typename Fold, int kTeam, typename T>
static __device__ inline void lathe_reduce_team_first(T& best, int64_t& position) {
  constexpr int kLanes = kTeam < 32 ? kTeam : 32;
  const unsigned mask = lathe_lanes_of_team<kTeam>();
  for (int lanes = kLanes / 2; lanes > 0; lanes /= 2) {
    const T other = lathe_shuffle_down(mask, best, lanes, kLanes);
    const int64_t at = lathe_shuffle_down(mask, position, lanes, kLanes);
    if (lathe_precedes<Fold>(other, at, best, position)) {
      best = other;
      position = at;
    }
  }
  if constexpr (kTeam <= 32) {
    best = lathe_broadcast_first_lane(mask, best, kLanes);
    position = lathe_broadcast_first_lane(mask, position, kLanes);
  } else {
    constexpr int kWarps = kTeam / 32;
    __shared__ T bests[kWarps];
    __shared__ int64_t positions[kWarps];
    if (threadIdx.x % 32u == 0u) {
      bests[threadIdx.x / 32u] = best;
      positions[threadIdx.x / 32u] = position;
    }
    __syncthreads();
    best = bests[0];
    position = positions[0];
    for (int warp = 1; warp < kWarps; ++warp) {
      if (lathe_precedes<Fold>(bests[warp], positions[warp], best, position)) {
        best = bests[warp];
        position = positions[warp];
      }
    }
    __syncthreads(); /* the next call overwrites shared memory */
  }
}

#endif /* LATHE_CUDA_ROWS_H */
