/* SPDX-License-Identifier: 0BSD */
/* cuda_results.h - stores of results by threads, for nvcc.
 *
 * Each kernel defines the epilogue of an element of a row and a column as a function that stores
 * it. If adjacent columns are contiguous, it provides address and value separately, and whether
 * runs are aligned; threads then store as many elements in one access as possible. */
#ifndef LATHE_CUDA_RESULTS_H
#define LATHE_CUDA_RESULTS_H

#include <string.h>

#include "cuda_device.h"

/* Unrolls the following loop, which indexes registers. */
#ifdef __CUDACC__
#define LATHE_UNROLL _Pragma("unroll")
#else
#define LATHE_UNROLL
#endif

/* Returns true if runs of 16 bytes are aligned, from `first` on and at multiples of `steps`
 * elements after it. */
template <typename T, typename... Steps>
static __device__ inline bool lathe_runs_are_aligned(const T* first, Steps... steps) {
  uintptr_t place = (uintptr_t)first;
#ifdef __CUDACC__
  asm volatile("" : "+l"(place)); /* recomputed for each tile, so that it occupies no register */
#endif
  bool aligned = place % 16u == 0u;
  ((aligned = aligned && (uint64_t)steps * sizeof(T) % 16u == 0u), ...);
  return aligned;
}

template <typename T, typename Place, typename Value>
struct lathe_contiguous_epilogue {
  Place place;
  Value value;
  bool aligned;

  template <typename Index, typename Sum>
  __device__ void operator()(Index row, Index column, Sum sum) const {
    *place(row, column) = value(row, column, sum);
  }
};
template <typename T, typename Place, typename Value>
static __device__ inline lathe_contiguous_epilogue<T, Place, Value> lathe_contiguous_results(
    Place place, Value value, bool aligned) {
  return {place, value, aligned};
}

/* Distinguishes the two kinds of epilogue. */
template <typename Finish>
struct lathe_results {
  using element = void;
  static constexpr int bytes = 0; /* unknown */
};
template <typename T, typename Place, typename Value>
struct lathe_results<lathe_contiguous_epilogue<T, Place, Value>> {
  using element = T;
  static constexpr int bytes = (int)sizeof(T);
};

/* The unit of loads and stores. */
template <typename T, int kCount>
struct alignas(kCount * sizeof(T)) lathe_stored {
  T at[kCount];
};

/* Stores kCount sums of a row from `column` on, of which `left` are in bounds. */
template <int kCount, typename Index, typename Finish, typename Sum>
static __device__ inline void lathe_finish_run(const Finish& finish, Index row, Index column,
                                               int left, const Sum* sums) {
  if constexpr (lathe_results<Finish>::bytes != 0) {
    using Run = lathe_stored<typename lathe_results<Finish>::element, kCount>;
    if (finish.aligned && left >= kCount) {
      Run run;
      LATHE_UNROLL
      for (int i = 0; i < kCount; ++i) {
        run.at[i] = finish.value(row, column + i, sums[i]);
      }
      *(Run*)finish.place(row, column) = run;
      return;
    }
  }
  LATHE_UNROLL
  for (int i = 0; i < kCount; ++i) {
    if (i < left) {
      finish(row, column + i, sums[i]);
    }
  }
}

/* Transposes four words among four lanes. */
static __device__ inline void lathe_exchange_words(uint32_t (&words)[4]) {
  LATHE_UNROLL
  for (int apart = 1; apart <= 2; apart *= 2) {
    const bool upper = (threadIdx.x & (uint32_t)apart) != 0u;
    LATHE_UNROLL
    for (int i = 0; i < 2; ++i) {
      uint32_t& low = words[apart == 1 ? i * 2 : i];
      uint32_t& high = words[apart == 1 ? i * 2 + 1 : i + 2];
      const uint32_t got = __shfl_xor_sync(0xffffffffu, upper ? low : high, apart);
      (upper ? low : high) = got;
    }
  }
}

/* A row of a lane's sums, and whether it is in bounds. */
template <typename Index>
struct lathe_bounded_row {
  Index row; /* the last row if this one is out of bounds */
  bool there;
};
template <typename Index>
static __device__ inline lathe_bounded_row<Index> lathe_row_of(Index first, int at, int left) {
  return {first + (at < left ? at : left - 1), at < left};
}

/* Stores the sums of kMatrices adjacent matrices of 8 columns, the first at `column`; `left`
 * columns are in bounds. Four lanes share a row; each has two adjacent columns of each matrix, for
 * kRows rows. `row(which)` is a row and whether it is in bounds; `sum(which, matrix, i)` is one of
 * the two sums. All lanes of a warp must call it. */
template <int kRows, int kMatrices, typename Index, typename Finish, typename Row, typename Sum>
static __device__ inline void lathe_finish_matrices(const Finish& finish, const Row& row,
                                                    Index column, int left, const Sum& sum) {
  using Results = lathe_results<Finish>;
  constexpr bool by_pairs = Results::bytes == 4;
  constexpr bool by_eights = (Results::bytes == 1 || Results::bytes == 2) && kMatrices % 4 == 0;
  const int lane = (int)threadIdx.x % 4;
  if constexpr (by_pairs || by_eights) {
    using Run = lathe_stored<typename Results::element, by_pairs ? 2 : 8>;
    if (finish.aligned && left >= kMatrices * 8) {
      LATHE_UNROLL
      for (int which = 0; which < kRows; ++which) {
        const lathe_bounded_row<Index> own = row(which);
        Run* const to = (Run*)finish.place(own.row, column) + lane;
        const auto pair = [&](int matrix) {
          const Index at = column + matrix * 8 + lane * 2;
          lathe_stored<typename Results::element, 2> both = {};
          if (own.there) {
            both = {{finish.value(own.row, at, sum(which, matrix, 0)),
                     finish.value(own.row, at + 1, sum(which, matrix, 1))}};
          }
          return both;
        };
        if constexpr (by_pairs) {
          LATHE_UNROLL
          for (int matrix = 0; matrix < kMatrices; ++matrix) {
            const Run run = pair(matrix);
            if (own.there) {
              to[matrix * 4] = run;
            }
          }
        } else {
          LATHE_UNROLL
          for (int matrix = 0; matrix < kMatrices; matrix += 4) {
            uint32_t words[4] = {0u, 0u, 0u, 0u};
            LATHE_UNROLL
            for (int i = 0; i < 4; ++i) {
              const auto both = pair(matrix + i);
              memcpy(&words[i], &both, sizeof both);
            }
            lathe_exchange_words(words);
            Run run;
            LATHE_UNROLL
            for (int i = 0; i < 4; ++i) {
              memcpy(&run.at[i * 2], &words[i], 2 * sizeof run.at[0]);
            }
            if (own.there) {
              to[matrix] = run;
            }
          }
        }
      }
      return;
    }
  }
  LATHE_UNROLL
  for (int i = 0; i < kRows * kMatrices * 2; ++i) {
    const lathe_bounded_row<Index> own = row(i / 2 / kMatrices);
    const int at = i / 2 % kMatrices * 8 + lane * 2 + i % 2;
    if (own.there && at < left) {
      finish(own.row, column + at, sum(i / 2 / kMatrices, i / 2 % kMatrices, i % 2));
    }
  }
}

#endif /* LATHE_CUDA_RESULTS_H */
