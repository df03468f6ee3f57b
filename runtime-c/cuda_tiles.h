/* SPDX-License-Identifier: 0BSD */
/* cuda_tiles.h - products of matrices on GPUs, for nvcc.
 *
 * A block computes one tile of the result after the other. It copies parts of both factors to
 * shared memory, some steps of the depth at a time, and loads the next part while it
 * accumulates; the sums stay in registers. Each kernel defines how to load the factors, and the
 * epilogue. */
#ifndef LATHE_CUDA_TILES_H
#define LATHE_CUDA_TILES_H

#include "cuda_device.h"
#include "cuda_results.h"

/* Four adjacent elements: the unit of reads from shared memory. */
template <typename T>
using lathe_four = lathe_stored<T, 4>;
/* The unit of loads from global memory: 16 bytes, or 8 bytes for 8-bit elements. */
template <typename T>
struct alignas(sizeof(T) == 1 ? 8 : 16) lathe_run {
  static constexpr int length = sizeof(T) == 1 ? 8 : (int)(16 / sizeof(T));
  T at[length];
};

/* A tile of kRows x kColumns sums. Each thread has kEachRow x kEachColumn of them, in groups of
 * four. kDepth steps of the depth are in shared memory, and the next ones in flight. */
template <typename Sum, int kRows, int kColumns, int kDepth, int kEachRow, int kEachColumn>
struct lathe_tile {
  using sum = Sum;
  static constexpr int rows = kRows;
  static constexpr int columns = kColumns;
  static constexpr int depth = kDepth;
  static constexpr int each_row = kEachRow;
  static constexpr int each_column = kEachColumn;
  /* A warp has 4 threads along rows by 8 along columns. */
  static constexpr int threads_along_rows = kRows / kEachRow;
  static constexpr int threads_along_columns = kColumns / kEachColumn;
  static constexpr int threads = threads_along_rows * threads_along_columns;
  static_assert(kEachRow % 4 == 0 && kEachColumn % 4 == 0, "threads have sums by fours");
  static_assert(threads_along_rows % 4 == 0 && threads_along_columns % 8 == 0, "whole warps");

  /* Lines are rows or columns; padding by four elements avoids bank conflicts of adjacent
   * threads' stores. */
  template <int kLines>
  using part = lathe_four<Sum>[kDepth][kLines / 4 + 1];
  struct shared {
    part<kRows> by_row[2];
    part<kColumns> by_column[2];
  };
};

/* The factors. A line of the first is a row of the result, of the second a column; `k` is the
 * index along the depth. A factor is read along the depth or along the lines. */

/* A factor of computed elements: `at(line, k)`. */
template <bool kAlongDepth, typename At>
struct lathe_elements {
  static constexpr bool along_depth = kAlongDepth;
  static constexpr bool may_be_aligned = false;
  static constexpr int width = 1;
  At at;

  /* `lines` and `depth` are the numbers of elements from here on. */
  template <typename Sum, typename Index>
  __device__ void load(Sum* to, Index line, Index k, int lines, int depth) const {
    to[0] = lines > 0 && depth > 0 ? (Sum)at(line, k) : (Sum)0;
  }
};

/* A factor of contiguous elements. `place(line, k)` is the address of one, NULL if it and the
 * rest of its run are zeros; `value` converts it. If kMayBeAligned, the kernel states whether runs
 * are aligned: every run that starts at a multiple of its length, from the start of a line or
 * step of the depth, is aligned to its size. */
template <bool kAlongDepth, typename T, typename Place, typename Value, bool kMayBeAligned = false,
          bool kMayBeZeros = false>
struct lathe_contiguous {
  using element = T;
  static constexpr bool along_depth = kAlongDepth;
  static constexpr bool may_be_aligned = kMayBeAligned;
  static constexpr bool may_be_zeros = kMayBeZeros; /* for aligned runs */
  static constexpr int width = lathe_run<T>::length;
  Place place;
  Value value;
  bool aligned;

  template <typename Sum, typename Index>
  __device__ void load(Sum* to, Index line, Index k, int lines, int depth) const {
    const T* const from = lines > 0 && depth > 0 ? place(line, k) : nullptr;
    const int left = from == nullptr ? 0 : kAlongDepth ? depth : lines;
    if (left >= width && (uintptr_t)from % alignof(lathe_run<T>) == 0u) {
      const lathe_run<T> all = *(const lathe_run<T>*)from;
      LATHE_UNROLL
      for (int i = 0; i < width; ++i) {
        to[i] = (Sum)value(all.at[i]);
      }
      return;
    }
    LATHE_UNROLL
    for (int i = 0; i < width; ++i) {
      to[i] = i < left ? (Sum)value(from[i]) : (Sum)0;
    }
  }
};

template <typename At>
static __device__ inline lathe_elements<true, At> lathe_elements_along_depth(At at) {
  return {at};
}
template <typename At>
static __device__ inline lathe_elements<false, At> lathe_elements_along_lines(At at) {
  return {at};
}
template <typename T, typename Place, typename Value>
static __device__ inline lathe_contiguous<true, T, Place, Value, false>
lathe_contiguous_along_depth(Place place, Value value) {
  return {place, value, false};
}
template <typename T, typename Place, typename Value>
static __device__ inline lathe_contiguous<false, T, Place, Value, false>
lathe_contiguous_along_lines(Place place, Value value) {
  return {place, value, false};
}
template <typename T, typename Place, typename Value>
static __device__ inline lathe_contiguous<true, T, Place, Value, true> lathe_contiguous_along_depth(
    Place place, Value value, bool aligned) {
  return {place, value, aligned};
}
template <typename T, typename Place, typename Value>
static __device__ inline lathe_contiguous<false, T, Place, Value, true>
lathe_contiguous_along_lines(Place place, Value value, bool aligned) {
  return {place, value, aligned};
}
/* Aligned runs, some of which may be zeros. */
struct lathe_aligned_or_zeros {
  bool aligned;
};
template <typename T, typename Place, typename Value>
static __device__ inline lathe_contiguous<true, T, Place, Value, true, true>
lathe_contiguous_along_depth(Place place, Value value, lathe_aligned_or_zeros runs) {
  return {place, value, runs.aligned};
}
template <typename T, typename Place, typename Value>
static __device__ inline lathe_contiguous<false, T, Place, Value, true, true>
lathe_contiguous_along_lines(Place place, Value value, lathe_aligned_or_zeros runs) {
  return {place, value, runs.aligned};
}

/* The thread index, below kThreads, opaque to the compiler: values derived from it are
 * recomputed instead of kept in registers. */
template <int kThreads>
static __device__ inline int lathe_opaque_thread() {
  int thread = (int)threadIdx.x;
#ifdef __CUDACC__
  asm volatile("" : "+r"(thread));
  __builtin_assume(thread >= 0 && thread < kThreads);
#endif
  return thread;
}

/* The thread index for loads of a factor. For computed elements, and with 64-bit indices, the
 * compiler would keep values per line along the whole depth, in more registers than there are. */
template <int kThreads, typename Factor, typename Index>
static __device__ inline int lathe_loading_thread() {
  if constexpr (Factor::width == 1 || sizeof(Index) == 8) {
    return lathe_opaque_thread<kThreads>();
  } else {
    return (int)threadIdx.x;
  }
}

/* The part of kLines x kDepth elements that one thread copies from global to shared memory. */
template <int kLines, int kDepth, int kThreads, typename Sum, typename Factor>
struct lathe_carried {
  static constexpr int width = Factor::width;
  static constexpr int all = kLines * kDepth / width;
  static constexpr int count = (all + kThreads - 1) / kThreads;
  static_assert(kDepth % width == 0 && kLines % width == 0, "whole loads");
  Sum held[count][width];

  static __device__ int line(int load) {
    return Factor::along_depth ? load / (kDepth / width) : load % (kLines / width) * width;
  }
  static __device__ int k(int load) {
    return Factor::along_depth ? load % (kDepth / width) * width : load / (kLines / width);
  }

  template <typename Index>
  __device__ void take(const Factor& factor, Index first_line, Index first_k, int lines,
                       int depth) {
    const int thread = lathe_loading_thread<kThreads, Factor, Index>();
    LATHE_UNROLL
    for (int n = 0; n < count; ++n) {
      const int load = thread + n * kThreads;
      if (all % kThreads == 0 || load < all) {
        factor.load(held[n], first_line + line(load), first_k + k(load), lines - line(load),
                    depth - k(load));
      }
    }
  }

  __device__ void put(lathe_four<Sum> (&to)[kDepth][kLines / 4 + 1]) const {
    LATHE_UNROLL
    for (int n = 0; n < count; ++n) {
      const int load = (int)threadIdx.x + n * kThreads;
      if (all % kThreads != 0 && load >= all) {
        continue;
      }
      if constexpr (!Factor::along_depth && width % 4 == 0) {
        LATHE_UNROLL
        for (int i = 0; i < width; i += 4) {
          to[k(load)][(line(load) + i) / 4] = {held[n][i], held[n][i + 1], held[n][i + 2],
                                               held[n][i + 3]};
        }
      } else {
        LATHE_UNROLL
        for (int i = 0; i < width; ++i) {
          const int at_line = line(load) + (Factor::along_depth ? 0 : i);
          to[k(load) + (Factor::along_depth ? i : 0)][at_line / 4].at[at_line % 4] = held[n][i];
        }
      }
    }
  }
};

/* Maps a block index to a tile, so that tiles that are close to each other are computed at the
 * same time and share data in the L2 cache. */
template <typename Index>
struct lathe_tile_position {
  Index batch, row, column;
};
template <typename Tile, typename Index>
static __device__ inline lathe_tile_position<Index> lathe_tile_at(Index at, Index rows,
                                                                  Index columns) {
  const Index down = (rows + Tile::rows - 1) / Tile::rows;
  const Index across = (columns + Tile::columns - 1) / Tile::columns;
  const Index rest = at % (down * across);
  const Index band = 8 * across;
  const Index first = rest / band * 8;
  const Index high = down - first < 8 ? down - first : 8;
  const Index row = first + rest % band % high;
  return {at / (down * across), row * Tile::rows, rest % band / high * Tile::columns};
}

/* The number of elements, at most kMaxValue, from `first` to `all`. */
template <int kMaxValue, typename Index>
static __device__ inline int lathe_left(Index all, Index first) {
  return all - first < kMaxValue ? (int)(all - first) : kMaxValue;
}

/* The position of a thread's sums, in groups of four. A warp has 4 threads along rows by 8 along
 * columns. */
template <typename Tile>
static __device__ inline int lathe_thread_row(int thread) {
  return thread / 32 / (Tile::threads_along_columns / 8) * 4 + thread % 32 / 8;
}
template <typename Tile>
static __device__ inline int lathe_thread_column(int thread) {
  return thread / 32 % (Tile::threads_along_columns / 8) * 8 + thread % 8;
}

/* Computes the tile with the first sum at `row` and `column`, over [first, end) of the depth.
 * `finish(row, column, sum)` receives each sum in bounds. */
template <typename Tile, typename Index, typename ByRow, typename ByColumn, typename Finish>
static __device__ inline void lathe_sum_tile(typename Tile::shared& shared, Index row, Index column,
                                             Index rows, Index columns, Index first, Index end,
                                             const ByRow& by_row, const ByColumn& by_column,
                                             const Finish& finish) {
  using Sum = typename Tile::sum;
  constexpr int kEachRow = Tile::each_row, kEachColumn = Tile::each_column;
  const int thread_row = lathe_thread_row<Tile>((int)threadIdx.x);
  const int thread_column = lathe_thread_column<Tile>((int)threadIdx.x);

  Sum sums[kEachRow][kEachColumn];
  LATHE_UNROLL
  for (int r = 0; r < kEachRow; ++r) {
    LATHE_UNROLL
    for (int c = 0; c < kEachColumn; ++c) {
      sums[r][c] = 0;
    }
  }

  lathe_carried<Tile::rows, Tile::depth, Tile::threads, Sum, ByRow> row_part;
  lathe_carried<Tile::columns, Tile::depth, Tile::threads, Sum, ByColumn> column_part;
  const int rows_left = lathe_left<Tile::rows>(rows, row);
  const int columns_left = lathe_left<Tile::columns>(columns, column);
  const auto take = [&](Index k) {
    const int left = lathe_left<Tile::depth>(end, k);
    row_part.take(by_row, row, k, rows_left, left);
    column_part.take(by_column, column, k, columns_left, left);
  };
  take(first);
  row_part.put(shared.by_row[0]);
  column_part.put(shared.by_column[0]);
  __syncthreads();
  int now = 0;
  for (Index k = first; k < end; k += Tile::depth) {
    const bool more = end - k > Tile::depth;
    if (more) {
      take(k + Tile::depth);
    }
    LATHE_UNROLL
    for (int step = 0; step < Tile::depth; ++step) {
      lathe_four<Sum> a[kEachRow / 4], b[kEachColumn / 4];
      LATHE_UNROLL
      for (int q = 0; q < kEachRow / 4; ++q) {
        a[q] = shared.by_row[now][step][q * Tile::threads_along_rows + thread_row];
      }
      LATHE_UNROLL
      for (int q = 0; q < kEachColumn / 4; ++q) {
        b[q] = shared.by_column[now][step][q * Tile::threads_along_columns + thread_column];
      }
      LATHE_UNROLL
      for (int r = 0; r < kEachRow; ++r) {
        LATHE_UNROLL
        for (int c = 0; c < kEachColumn; ++c) {
          sums[r][c] += a[r / 4].at[r % 4] * b[c / 4].at[c % 4];
        }
      }
    }
    now ^= 1;
    if (more) {
      row_part.put(shared.by_row[now]);
      column_part.put(shared.by_column[now]);
    }
    __syncthreads();
  }

  const int thread = lathe_opaque_thread<Tile::threads>();
  const int own_row = lathe_thread_row<Tile>(thread),
            own_column = lathe_thread_column<Tile>(thread);
  LATHE_UNROLL
  for (int r = 0; r < kEachRow; ++r) {
    const int at_row = (r / 4 * Tile::threads_along_rows + own_row) * 4 + r % 4;
    LATHE_UNROLL
    for (int c = 0; c < kEachColumn; c += 4) {
      const int at_column = (c / 4 * Tile::threads_along_columns + own_column) * 4;
      if (at_row < rows_left && at_column < columns_left) {
        lathe_finish_run<4>(finish, row + at_row, column + at_column, columns_left - at_column,
                            &sums[r][c]);
      }
    }
  }
}

#endif /* LATHE_CUDA_TILES_H */
