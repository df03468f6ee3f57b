/* SPDX-License-Identifier: 0BSD */
/* cuda_results.h - how threads put down what they have worked out: C++ for nvcc.
 *
 * What becomes of a number of a row and a column each kernel says itself, as a function that stores
 * it. Where those of neighbouring columns lie side by side it says where one lies, what it is, and
 * whether runs of them lie evenly: threads store as many at once then as memory takes. */
#ifndef LATHE_CUDA_RESULTS_H
#define LATHE_CUDA_RESULTS_H

#include <string.h>

#include "cuda_device.h"

/* What counts registers has to be unrolled. */
#ifdef __CUDACC__
#define LATHE_UNROLL _Pragma("unroll")
#else
#define LATHE_UNROLL
#endif

/* Whether runs of 16 bytes begin at multiples of as many: those from `first` on, and each so many
 * elements further on. */
template <typename T, typename... Steps>
static __device__ inline bool lathe_is_even(const T* first, Steps... steps) {
  uintptr_t place = (uintptr_t)first;
#ifdef __CUDACC__
  asm volatile("" : "+l"(place)); /* found anew for each tile, it takes no register in between */
#endif
  bool even = place % 16u == 0u;
  ((even = even && (uint64_t)steps * sizeof(T) % 16u == 0u), ...);
  return even;
}

template <typename T, typename Place, typename Value>
struct lathe_results_side_by_side {
  Place place;
  Value value;
  bool even;

  template <typename Index, typename Sum>
  __device__ void operator()(Index row, Index column, Sum sum) const {
    *place(row, column) = value(row, column, sum);
  }
};
template <typename T, typename Place, typename Value>
static __device__ inline lathe_results_side_by_side<T, Place, Value> lathe_side_by_side(Place place,
                                                                                        Value value,
                                                                                        bool even) {
  return {place, value, even};
}

/* Which of both a function is. */
template <typename Finish>
struct lathe_results {
  using element = void;
  static constexpr int bytes = 0; /* nobody knows */
};
template <typename T, typename Place, typename Value>
struct lathe_results<lathe_results_side_by_side<T, Place, Value>> {
  using element = T;
  static constexpr int bytes = (int)sizeof(T);
};

/* What is read or stored at once. */
template <typename T, int kCount>
struct alignas(kCount * sizeof(T)) lathe_stored {
  T at[kCount];
};

/* kCount sums of a row, from `column` on, of which `left` are there. */
template <int kCount, typename Index, typename Finish, typename Sum>
static __device__ inline void lathe_finish_run(const Finish& finish, Index row, Index column,
                                               int left, const Sum* sums) {
  if constexpr (lathe_results<Finish>::bytes != 0) {
    using Run = lathe_stored<typename lathe_results<Finish>::element, kCount>;
    if (finish.even && left >= kCount) {
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

/* Of four lanes, each of which has a word for each of them: what the others have for it. */
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

/* A row that a lane has sums of, where it is there. */
template <typename Index>
struct lathe_own_row {
  Index row; /* the last one, where this is not there */
  bool there;
};
template <typename Index>
static __device__ inline lathe_own_row<Index> lathe_row_of(Index first, int at, int left) {
  return {first + (at < left ? at : left - 1), at < left};
}

/* The sums of kMatrices that lie side by side, of 8 columns each, of which the first is that of
 * `column`; `left` columns are there. Four lanes share a row, and each has two neighbours of each
 * matrix, of kRows such rows. `row(which)` is one of them, which says itself whether it is there;
 * `sum(which, matrix, i)` is one of both. All lanes of a warp come here. */
template <int kRows, int kMatrices, typename Index, typename Finish, typename Row, typename Sum>
static __device__ inline void lathe_finish_matrices(const Finish& finish, const Row& row,
                                                    Index column, int left, const Sum& sum) {
  using Results = lathe_results<Finish>;
  constexpr bool by_pairs = Results::bytes == 4;
  constexpr bool by_eights = (Results::bytes == 1 || Results::bytes == 2) && kMatrices % 4 == 0;
  const int lane = (int)threadIdx.x % 4;
  if constexpr (by_pairs || by_eights) {
    using Run = lathe_stored<typename Results::element, by_pairs ? 2 : 8>;
    if (finish.even && left >= kMatrices * 8) {
      LATHE_UNROLL
      for (int which = 0; which < kRows; ++which) {
        const lathe_own_row<Index> own = row(which);
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
    const lathe_own_row<Index> own = row(i / 2 / kMatrices);
    const int at = i / 2 % kMatrices * 8 + lane * 2 + i % 2;
    if (own.there && at < left) {
      finish(own.row, column + at, sum(i / 2 / kMatrices, i / 2 % kMatrices, i % 2));
    }
  }
}

#endif /* LATHE_CUDA_RESULTS_H */
