/* SPDX-License-Identifier: 0BSD */
/* cuda_wgmma_tiles.h - products of matrices on Hopper, for nvcc, for sm_90a.
 *
 * Persistent blocks compute several tiles of the result. A producer thread copies parts of both
 * factors to a ring of stages in shared memory, ahead of the consumers by as many stages as are
 * free, also across tiles. Two consumer warpgroups multiply the stages, half of the tile's rows
 * each, and store their sums while the next stages fill. */
#ifndef LATHE_CUDA_WGMMA_TILES_H
#define LATHE_CUDA_WGMMA_TILES_H

#include "cuda_hopper.h"
#include "cuda_tiles.h"

/* A tile of kRows x kColumns sums; a stage has 128 bytes of each row and column. */
template <typename Products, int kRows, int kColumns, int kStages>
struct lathe_wgmma_tile {
  using products = Products;
  using element = typename Products::element;
  using sum = typename Products::sum;
  static constexpr int rows = kRows;
  static constexpr int columns = kColumns;
  static constexpr int stages = kStages;
  static constexpr int depth = (int)(128 / sizeof(element));
  static constexpr int multipliers = 2; /* consumer warpgroups of 64 rows each */
  static constexpr int threads = (1 + multipliers) * 128;
  static constexpr int row_bytes = kRows * 128;
  static constexpr int stage_bytes = row_bytes + kColumns * 128;
  static constexpr int shared_bytes = kStages * stage_bytes + 1024;
  static_assert(kRows == multipliers * 64, "each group has the rows of one instruction");
  static_assert(shared_bytes <= 226 * 1024, "what a block may have, beside its barriers");
};

/* Describes how a factor is stored in shared memory, aligned to 16 bytes: in rows of 128 bytes,
 * whose chunks of 16 bytes are swizzled by the low three bits of the row, as the accelerator
 * stores them. `eight_rows` is the distance in bytes of groups of eight rows. `next_lines` is
 * the distance of groups of 64 lines if a row is a step of the depth, and otherwise ignored (PTX
 * ISA, "Matrix Descriptor Format"). */
static __device__ inline uint64_t lathe_matrix(const void* first, uint32_t next_lines,
                                               uint32_t eight_rows) {
  const uint64_t swizzle_of_128 = 1u;
  return (uint64_t)(lathe_shared_address(first) >> 4) | (uint64_t)(next_lines >> 4) << 16 |
         (uint64_t)(eight_rows >> 4) << 32 | swizzle_of_128 << 62;
}

/* A factor as it is copied: `lines` lines with 128 bytes of the depth; or, if it is contiguous
 * along the lines, steps of the depth with 64 lines each. `batch(at, axes)` sets the position of
 * product `at` on the map's axes after the first two. */
template <bool kAlongDepth, int kBatchAxes, typename Batch>
struct lathe_mapped {
  static constexpr int by_depth = kAlongDepth ? 0 : 1;
  static constexpr int axes = 2 + kBatchAxes;
  const CUtensorMap* map;
  Batch batch;

  template <int kLines, typename Index>
  __device__ void copy(char* to, Index product, Index line, Index k, lathe_mbarrier* there) const {
    int32_t at[axes];
    batch(product, at + 2);
    if constexpr (kAlongDepth) {
      at[0] = (int32_t)k;
      at[1] = (int32_t)line;
      lathe_copy_part(to, map, at, there);
    } else {
      LATHE_UNROLL
      for (int part = 0; part < kLines; part += 64) {
        at[0] = (int32_t)line + part;
        at[1] = (int32_t)k;
        lathe_copy_part(to + part * 128, map, at, there);
      }
    }
  }

  /* Returns the lathe_matrix of the lines from `line`, a multiple of 64, on. Adding `step` moves
   * it by 32 bytes of the depth: by 16 steps of 128 bytes if the factor is contiguous along the
   * lines. */
  static __device__ uint64_t lines(const char* first, int line) {
    return lathe_matrix(first + line * 128, kAlongDepth ? 16u : 64u * 128u, 8u * 128u);
  }
  static constexpr uint64_t step = (kAlongDepth ? 32 : 16 * 128) / 16;
};

template <int kBatchAxes, typename Batch>
static __device__ inline lathe_mapped<true, kBatchAxes, Batch> lathe_mapped_along_depth(
    const CUtensorMap& map, Batch batch) {
  return {&map, batch};
}
template <int kBatchAxes, typename Batch>
static __device__ inline lathe_mapped<false, kBatchAxes, Batch> lathe_mapped_along_lines(
    const CUtensorMap& map, Batch batch) {
  return {&map, batch};
}

/* The position of a thread in the ring; the parity of the barriers alternates with each round. */
template <int kStages>
struct lathe_ring_place {
  int stage = 0;
  uint32_t parity = 0u;

  __device__ void advance() {
    stage = stage + 1 < kStages ? stage + 1 : 0;
    parity ^= stage == 0 ? 1u : 0u;
  }
};

/* Computes all tiles of `batches` products. `finish_of(batch)` returns the epilogue, a function
 * of row, column and sum. The dynamic shared memory of the launch is Tile::shared_bytes. */
template <typename Tile, typename Index, typename ByRow, typename ByColumn, typename FinishOf>
static __device__ inline void lathe_sum_wgmma_tiles(Index batches, Index rows, Index columns,
                                                    Index depth, const ByRow& by_row,
                                                    const ByColumn& by_column,
                                                    const FinishOf& finish_of) {
#if defined(LATHE_HOPPER)
  constexpr int kWarps = Tile::multipliers * 4;
  /* A stage is full when all of its bytes have arrived, and empty when all consumer warps have
   * multiplied it. */
  __shared__ lathe_mbarrier full[Tile::stages], empty[Tile::stages];
  char* const memory = lathe_block_memory();
  if (threadIdx.x == 0u) {
    for (int stage = 0; stage < Tile::stages; ++stage) {
      lathe_mbarrier_begin(&full[stage], 1);
      lathe_mbarrier_begin(&empty[stage], kWarps);
    }
    lathe_mbarriers_are_begun();
  }
  __syncthreads();

  const Index tiles = batches * ((rows + Tile::rows - 1) / Tile::rows) *
                      ((columns + Tile::columns - 1) / Tile::columns);
  lathe_ring_place<Tile::stages> place;
  if (threadIdx.x < 128u) {
    lathe_keep_registers<40>();
    if (threadIdx.x != 0u) {
      return;
    }
    for (Index at = (Index)blockIdx.x; at < tiles; at += (Index)gridDim.x) {
      const lathe_tile_position<Index> tile = lathe_tile_at<Tile>(at, rows, columns);
      for (Index k = 0; k < depth; k += Tile::depth) {
        char* const stage = memory + place.stage * Tile::stage_bytes;
        lathe_wait_for_phase(&empty[place.stage], place.parity ^ 1u);
        lathe_arrive_expecting(&full[place.stage], Tile::stage_bytes);
        by_row.template copy<Tile::rows>(stage, tile.batch, tile.row, k, &full[place.stage]);
        by_column.template copy<Tile::columns>(stage + Tile::row_bytes, tile.batch, tile.column, k,
                                               &full[place.stage]);
        place.advance();
      }
    }
    return;
  }

  lathe_take_registers<232>();
  const int group = (int)threadIdx.x / 128 - 1, lane = (int)threadIdx.x % 32;
  const int first_row = group * 64 + (int)threadIdx.x % 128 / 32 * 16 + lane / 4;
  for (Index at = (Index)blockIdx.x; at < tiles; at += (Index)gridDim.x) {
    const lathe_tile_position<Index> tile = lathe_tile_at<Tile>(at, rows, columns);
    typename Tile::sum sums[Tile::columns / 2];
    LATHE_UNROLL
    for (int i = 0; i < Tile::columns / 2; ++i) {
      sums[i] = 0;
    }
    int before = 0; /* the stage whose products are in flight */
    for (Index k = 0; k < depth; k += Tile::depth) {
      lathe_wait_for_phase(&full[place.stage], place.parity);
      const char* const stage = memory + place.stage * Tile::stage_bytes;
      const uint64_t a = ByRow::lines(stage, group * 64);
      const uint64_t b = ByColumn::lines(stage + Tile::row_bytes, 0);
      lathe_begin_products(sums);
      LATHE_UNROLL
      for (int step = 0; step < 4; ++step) {
        Tile::products::template add<ByRow::by_depth, ByColumn::by_depth>(
            sums, a + (uint64_t)step * ByRow::step, b + (uint64_t)step * ByColumn::step);
      }
      lathe_commit_products();
      if (k > 0) {
        lathe_wait_for_products<1>();
        if (lane == 0) {
          lathe_arrive(&empty[before]);
        }
      }
      before = place.stage;
      place.advance();
    }
    lathe_end_products(sums);
    if (lane == 0) {
      lathe_arrive(&empty[before]);
    }

    const auto finish = finish_of(tile.batch);
    const int rows_left = lathe_left<Tile::rows>(rows, tile.row);
    const int columns_left = lathe_left<Tile::columns>(columns, tile.column);
    lathe_finish_matrices<2, Tile::columns / 8>(
        finish, [&](int which) { return lathe_row_of(tile.row, first_row + which * 8, rows_left); },
        tile.column, columns_left,
        [&](int which, int matrix, int i) { return sums[matrix * 4 + which * 2 + i]; });
  }
#else
  (void)batches;
  (void)rows;
  (void)columns;
  (void)depth;
  (void)by_row;
  (void)by_column;
  (void)finish_of;
  __trap();
#endif
}

#endif /* LATHE_CUDA_WGMMA_TILES_H */
