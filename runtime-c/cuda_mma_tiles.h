/* SPDX-License-Identifier: 0BSD */
/* cuda_mma_tiles.h - products of matrices by tensor cores, for nvcc, for sm_80 and later GPUs.
 *
 * A block computes one tile of the result after the other from the factors of cuda_tiles.h.
 * Parts of both factors are copied to a ring of stages in shared memory: the next stages are in
 * flight while one is multiplied. */
#ifndef LATHE_CUDA_MMA_TILES_H
#define LATHE_CUDA_MMA_TILES_H

#include <string.h>

#include "cuda_mma.h"
#include "cuda_tiles.h"

/* Unrolls the following loop kTurns times only: complete unrolling would take too many
 * registers, or code for rare cases. */
#ifdef __CUDACC__
#define LATHE_BY_TURNS _Pragma("unroll kTurns")
#else
#define LATHE_BY_TURNS
#endif

/* 16 bytes: the unit of copies, and a row of a matrix that is loaded at once. */
struct alignas(16) lathe_chunk {
  uint32_t words[4];
};

static __device__ inline uint32_t lathe_bits_of(int8_t element) { return (uint8_t)element; }
static __device__ inline uint32_t lathe_bits_of(uint16_t element) { return element; }
static __device__ inline uint32_t lathe_bits_of(float element) {
  uint32_t bits;
  memcpy(&bits, &element, sizeof bits);
  return bits;
}

/* Copies an aligned chunk, or zero-fills it if its address is NULL. */
template <typename Factor, typename T>
static __device__ inline void lathe_copy_run(lathe_chunk* to, const T* from) {
  if (!Factor::may_be_zeros || from != nullptr) {
    lathe_copy_async(to, from, 16);
  } else {
    *to = {{0u, 0u, 0u, 0u}};
  }
}

/* Loads a chunk of a factor to shared memory, asynchronously if no conversion is needed. `lines`
 * and `depth` are the numbers of elements from here on; out-of-bounds elements are zero-filled. */
template <typename T, typename Factor, typename Index>
static __device__ inline void lathe_load_factor_chunk(lathe_chunk* to, const Factor& factor,
                                                      Index line, Index k, int lines, int depth) {
  constexpr int kAll = (int)(16 / sizeof(T));
  const T* const from = lines > 0 && depth > 0 ? factor.place(line, k) : nullptr;
  const int left = from == nullptr ? 0 : Factor::along_depth ? depth : lines;
  if (left > 0 && (uintptr_t)from % 16u == 0u) {
    lathe_copy_async(to, from, (left < kAll ? left : kAll) * (int)sizeof(T));
    return;
  }
  lathe_chunk bytes = {{0u, 0u, 0u, 0u}};
  LATHE_UNROLL
  for (int i = 0; i < kAll; ++i) {
    if (i < left) {
      bytes.words[i * (int)sizeof(T) / 4] |= lathe_bits_of(from[i])
                                             << (8 * (i * (int)sizeof(T) % 4));
    }
  }
  *to = bytes;
}

/* A tile of kRows x kColumns sums, of which each warp has kWarpRows x kWarpColumns in registers.
 * A stage has 64 bytes of each row and column. */
template <typename Cores, int kRows, int kColumns, int kWarpRows, int kWarpColumns>
struct lathe_mma_tile {
  using cores = Cores;
  using sum = typename Cores::sum;
  using element = typename Cores::element;
  static constexpr int rows = kRows;
  static constexpr int columns = kColumns;
  static constexpr int warp_rows = kWarpRows;
  static constexpr int warp_columns = kWarpColumns;
  static constexpr int depth = (int)(64 / sizeof(element));
  static constexpr int stages = 3;
  static constexpr int warps_along_columns = kColumns / kWarpColumns;
  static constexpr int threads = kRows / kWarpRows * warps_along_columns * 32;
  static_assert(kWarpRows % 16 == 0 && kWarpColumns % 16 == 0, "whole matrices");

  struct shared {
    lathe_chunk by_row[stages][kRows * 4];
    lathe_chunk by_column[stages][kColumns * 4];
  };
  static_assert(sizeof(shared) <= 48 * 1024, "what a block has without asking");
};

/* A part of a factor in shared memory: 64 bytes of one line after the other; or, for elements of
 * 16 or 32 bits that are contiguous along the lines, one step of the depth after the other.
 * Chunks are swizzled within a row, so that accesses to a column of chunks (for 32 bits along
 * the lines, of pairs) are free of bank conflicts. */
template <int kLines, int kThreads, typename T, typename Factor>
struct lathe_mma_part {
  static constexpr bool by_lines = !Factor::along_depth && sizeof(T) != 1;
  static constexpr bool copies = Factor::width > 1 && (Factor::along_depth || by_lines);
  static constexpr int depth = (int)(64 / sizeof(T));
  static constexpr int chunk = (int)(16 / sizeof(T));
  static constexpr int chunks = by_lines ? kLines / chunk : 4; /* of a row */
  static constexpr int rows = by_lines ? depth : kLines;

  static __device__ int place(int row, int at) {
    constexpr int rows_by_banks = chunks >= 8 ? 1 : 8 / chunks;
    constexpr int turns = chunks >= 8 ? 8 : chunks;
    if constexpr (by_lines && sizeof(T) == 4) {
      return row * chunks + (at ^ (row % (turns / 2) * 2));
    }
    return row * chunks + (at ^ (row / rows_by_banks % turns));
  }

  /* Starts the load: asynchronously if possible; other elements are held in registers. */
  T held[copies ? 1 : (kLines * depth / Factor::width + kThreads - 1) / kThreads][Factor::width];

  static __device__ int held_line(int load) {
    return Factor::along_depth ? load / (depth / Factor::width)
                               : load % (kLines / Factor::width) * Factor::width;
  }
  static __device__ int held_k(int load) {
    return Factor::along_depth ? load % (depth / Factor::width) * Factor::width
                               : load / (kLines / Factor::width);
  }

  template <typename Index>
  __device__ void begin(lathe_chunk* to, const Factor& factor, Index first_line, Index first_k,
                        int lines, int left) {
    const int thread = lathe_loading_thread<kThreads, Factor, Index>();
    if constexpr (copies) {
      constexpr int all = rows * chunks;
      if constexpr (Factor::may_be_aligned) {
        if (factor.aligned && lines >= kLines && left >= depth) {
          LATHE_UNROLL
          for (int n = 0; n < (all + kThreads - 1) / kThreads; ++n) {
            const int load = thread + n * kThreads;
            if (all % kThreads == 0 || load < all) {
              const int row = load / chunks, at = load % chunks;
              const int line = by_lines ? at * chunk : row, k = by_lines ? row : at * chunk;
              lathe_copy_run<Factor>(&to[place(row, at)],
                                     factor.place(first_line + line, first_k + k));
            }
          }
          return;
        }
      }
      [[maybe_unused]] constexpr int kTurns =
          Factor::may_be_aligned ? 1 : (all + kThreads - 1) / kThreads;
      const int loader = Factor::may_be_aligned ? lathe_opaque_thread<kThreads>() : thread;
      LATHE_BY_TURNS
      for (int n = 0; n < (all + kThreads - 1) / kThreads; ++n) {
        const int load = loader + n * kThreads;
        if (all % kThreads != 0 && load >= all) {
          continue;
        }
        const int row = load / chunks, at = load % chunks;
        const int line = by_lines ? at * chunk : row, k = by_lines ? row : at * chunk;
        lathe_load_factor_chunk<T>(&to[place(row, at)], factor, first_line + line, first_k + k,
                                   lines - line, left - k);
      }
    } else {
      constexpr int all = kLines * depth / Factor::width;
      LATHE_UNROLL
      for (int n = 0; n < (all + kThreads - 1) / kThreads; ++n) {
        const int load = thread + n * kThreads;
        if (all % kThreads == 0 || load < all) {
          const int line = held_line(load), k = held_k(load);
          factor.load(held[n], first_line + line, first_k + k, lines - line, left - k);
        }
      }
    }
  }

  /* Stores the held elements. */
  __device__ void put(lathe_chunk* to) const {
    if constexpr (!copies) {
      constexpr int all = kLines * depth / Factor::width;
      LATHE_UNROLL
      for (int n = 0; n < (all + kThreads - 1) / kThreads; ++n) {
        const int load = (int)threadIdx.x + n * kThreads;
        if (all % kThreads != 0 && load >= all) {
          continue;
        }
        LATHE_UNROLL
        for (int i = 0; i < Factor::width; ++i) {
          const int line = held_line(load) + (Factor::along_depth ? 0 : i);
          const int k = held_k(load) + (Factor::along_depth ? i : 0);
          const int row = by_lines ? k : line, at = by_lines ? line : k;
          ((T*)&to[place(row, at / chunk)])[at % chunk] = held[n][i];
        }
      }
    }
  }

  /* Loads four matrices of a part: 16 lines from `line` on, and the 32 bytes number `step` of the
   * depth. kDepthFirst: the second matrix is the next one along the depth, not along the lines. */
  template <bool kDepthFirst>
  static __device__ void fragment(uint32_t (&to)[4], const lathe_chunk* from, int line, int step) {
    const int lane = (int)threadIdx.x % 32, matrix = lane / 8;
    const int beside = kDepthFirst ? matrix / 2 : matrix % 2;
    const int below = kDepthFirst ? matrix % 2 : matrix / 2;
    if constexpr (by_lines && sizeof(T) == 4) {
      LATHE_UNROLL
      for (int i = 0; i < 4; ++i) {
        const int row = step * 8 + (kDepthFirst ? i % 2 : i / 2) * 4 + lane % 4;
        const int at = line + (kDepthFirst ? i / 2 : i % 2) * 8 + lane / 4;
        to[i] = from[place(row, at / chunk)].words[at % chunk];
      }
    } else if constexpr (by_lines) {
      const int row = step * 16 + below * 8 + lane % 8;
      lathe_load_transposed(to, &from[place(row, line / 8 + beside)]);
    } else {
      const int row = line + beside * 8 + lane % 8;
      lathe_load_matrices(to, &from[place(row, step * 2 + below)]);
    }
  }
};

/* The first row and column of the warp's sums in the tile. */
template <typename Tile>
static __device__ inline int lathe_warp_row(int thread) {
  return thread / 32 / Tile::warps_along_columns * Tile::warp_rows;
}
template <typename Tile>
static __device__ inline int lathe_warp_column(int thread) {
  return thread / 32 % Tile::warps_along_columns * Tile::warp_columns;
}

/* Computes the tile with the first sum at `row` and `column`, over [first, end) of the depth.
 * `finish(row, column, sum)` receives each sum in bounds. */
template <typename Tile, typename Index, typename ByRow, typename ByColumn, typename Finish>
static __device__ inline void lathe_sum_mma_tile(typename Tile::shared& shared, Index row,
                                                 Index column, Index rows, Index columns,
                                                 Index first, Index end, const ByRow& by_row,
                                                 const ByColumn& by_column, const Finish& finish) {
  using T = typename Tile::element;
  constexpr int kStages = Tile::stages;
  constexpr int kHigh = Tile::warp_rows / 16, kWide = Tile::warp_columns / 8;
  const int warp_row = lathe_warp_row<Tile>((int)threadIdx.x);
  const int warp_column = lathe_warp_column<Tile>((int)threadIdx.x);
  typename Tile::sum sums[kHigh][kWide][4];
  LATHE_UNROLL
  for (int i = 0; i < kHigh * kWide * 4; ++i) {
    sums[i / 4 / kWide][i / 4 % kWide][i % 4] = 0;
  }

  using RowPart = lathe_mma_part<Tile::rows, Tile::threads, T, ByRow>;
  using ColumnPart = lathe_mma_part<Tile::columns, Tile::threads, T, ByColumn>;
  RowPart row_part;
  ColumnPart column_part;
  const int rows_left = lathe_left<Tile::rows>(rows, row);
  const int columns_left = lathe_left<Tile::columns>(columns, column);
  const auto begin = [&](int stage, Index k) {
    if (k < end) {
      const int left = lathe_left<Tile::depth>(end, k);
      row_part.begin(shared.by_row[stage], by_row, row, k, rows_left, left);
      column_part.begin(shared.by_column[stage], by_column, column, k, columns_left, left);
    }
    lathe_commit_copies(); /* an empty group too, so that the number of groups is constant */
  };
  const auto put = [&](int stage, Index k) {
    if (k < end) {
      row_part.put(shared.by_row[stage]);
      column_part.put(shared.by_column[stage]);
    }
  };
  LATHE_UNROLL
  for (int stage = 0; stage < kStages - 1; ++stage) {
    begin(stage, first + (Index)(stage * Tile::depth));
    put(stage, first + (Index)(stage * Tile::depth));
  }
  int now = 0, next = kStages - 1;
  for (Index k = first; k < end; k += Tile::depth) {
    lathe_wait_for_copies<kStages - 2>();
    __syncthreads();
    const Index ahead = k + (kStages - 1) * Tile::depth;
    begin(next, ahead);
    LATHE_UNROLL
    for (int step = 0; step < 2; ++step) {
      uint32_t a[kHigh][4], b[kWide][2];
      LATHE_UNROLL
      for (int r = 0; r < kHigh; ++r) {
        RowPart::template fragment<false>(a[r], shared.by_row[now], warp_row + r * 16, step);
        Tile::cores::round(a[r]);
      }
      LATHE_UNROLL
      for (int c = 0; c < kWide; c += 2) {
        uint32_t both[4];
        ColumnPart::template fragment<true>(both, shared.by_column[now], warp_column + c * 8, step);
        Tile::cores::round(both);
        b[c][0] = both[0];
        b[c][1] = both[1];
        b[c + 1][0] = both[2];
        b[c + 1][1] = both[3];
      }
      LATHE_UNROLL
      for (int r = 0; r < kHigh; ++r) {
        LATHE_UNROLL
        for (int c = 0; c < kWide; ++c) {
          Tile::cores::add(sums[r][c], a[r], b[c]);
        }
      }
    }
    put(next, ahead);
    now = now + 1 < kStages ? now + 1 : 0;
    next = next + 1 < kStages ? next + 1 : 0;
  }
  lathe_wait_for_copies<0>();
  __syncthreads(); /* the next tile overwrites shared memory */

  const int thread = lathe_opaque_thread<Tile::threads>();
  const int first_row = lathe_warp_row<Tile>(thread) + thread % 32 / 4;
  const int first_column = lathe_warp_column<Tile>(thread);
  lathe_finish_matrices<kHigh * 2, kWide>(
      finish,
      [&](int which) {
        return lathe_row_of(row, first_row + which / 2 * 16 + which % 2 * 8, rows_left);
      },
      column + first_column, columns_left - first_column,
      [&](int which, int matrix, int i) { return sums[which / 2][matrix][which % 2 * 2 + i]; });
}

#endif /* LATHE_CUDA_MMA_TILES_H */
