/* SPDX-License-Identifier: 0BSD */
/* cuda_scans.h - prefix sums and products along rows that teams of threads share, for nvcc. */
#ifndef LATHE_CUDA_SCANS_H
#define LATHE_CUDA_SCANS_H

#include "cuda_rows.h"

/* The neutral element. */
template <typename Fold>
constexpr int lathe_neutral = 0;
template <>
inline constexpr int lathe_neutral<lathe_fold_product> = 1;

/* The value of the last lane, and of the lane `lanes` before this one. */
template <typename T>
static __device__ inline T lathe_broadcast_last_lane(T value) {
  if constexpr (sizeof(T) < 4) {
    return (T)__shfl_sync(0xffffffffu, (int)value, 31);
  } else {
    return __shfl_sync(0xffffffffu, value, 31);
  }
}
template <typename T>
static __device__ inline T lathe_shuffle_up(T value, int lanes) {
  if constexpr (sizeof(T) < 4) {
    return (T)__shfl_up_sync(0xffffffffu, (int)value, (unsigned)lanes);
  } else {
    return __shfl_up_sync(0xffffffffu, value, (unsigned)lanes);
  }
}

/* Exclusive scan of the values of a team's threads; `all` receives the reduction over the team.
 * All threads of the team must call it; a team is a warp or a block. */
template <typename Fold, int kTeam, typename T>
static __device__ inline T lathe_exclusive_scan(T value, T& all) {
  static_assert(kTeam % 32 == 0, "whole warps");
  const int lane = (int)threadIdx.x % 32;
  LATHE_UNROLL
  for (int lanes = 1; lanes < 32; lanes *= 2) {
    const T other = lathe_shuffle_up(value, lanes);
    value = lane >= lanes ? Fold::of(other, value) : value;
  }
  const T other = lathe_shuffle_up(value, 1);
  T before = lane == 0 ? (T)lathe_neutral<Fold> : other;
  if constexpr (kTeam == 32) {
    all = lathe_broadcast_last_lane(value);
  } else {
    constexpr int kWarps = kTeam / 32;
    const int own = (int)threadIdx.x / 32;
    __shared__ T of_warps[kWarps];
    if (lane == 31) {
      of_warps[own] = value;
    }
    __syncthreads();
    T warps = (T)lathe_neutral<Fold>;
    all = (T)lathe_neutral<Fold>;
    LATHE_UNROLL
    for (int warp = 0; warp < kWarps; ++warp) {
      warps = warp == own ? all : warps;
      all = Fold::of(all, of_warps[warp]);
    }
    before = Fold::of(warps, before);
    __syncthreads(); /* the next call overwrites shared memory */
  }
  return before;
}

/* Calls put(k, so_far) for each k below `length`, with the reduction of `first` and term(0) to
 * term(k). A team iterates over the row once, kEach adjacent elements per thread. */
template <typename Fold, typename T, int kTeam, int kEach, typename Index, typename Term,
          typename Put>
static __device__ inline void lathe_scan_row(Index length, T first, const Term& term,
                                             const Put& put) {
  T carried = first;
  for (Index begin = 0; begin < length; begin += kTeam * kEach) {
    const Index own = begin + lathe_thread_of_team<kTeam>() * kEach;
    T values[kEach];
    LATHE_UNROLL
    for (int i = 0; i < kEach; ++i) {
      const T value = own + i < length ? (T)term(own + i) : (T)lathe_neutral<Fold>;
      values[i] = i == 0 ? value : Fold::of(values[i - 1], value);
    }
    T all;
    const T before = Fold::of(carried, lathe_exclusive_scan<Fold, kTeam>(values[kEach - 1], all));
    LATHE_UNROLL
    for (int i = 0; i < kEach; ++i) {
      if (own + i < length) {
        put(own + i, Fold::of(before, values[i]));
      }
    }
    carried = Fold::of(carried, all);
  }
}

#endif /* LATHE_CUDA_SCANS_H */
