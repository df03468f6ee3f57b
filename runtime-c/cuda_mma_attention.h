/* SPDX-License-Identifier: 0BSD */
/* cuda_mma_attention.h - attention by tensor cores, for nvcc, for sm_80 and later GPUs.
 *
 * As cuda_attention.h, but scores, exponentials and the state of the rows are in registers. Keys
 * and values are double-buffered: one is copied while the other is multiplied. */
#ifndef LATHE_CUDA_MMA_ATTENTION_H
#define LATHE_CUDA_MMA_ATTENTION_H

#include "cuda_attention.h"
#include "cuda_mma_tiles.h"

/* A tile of kRows queries, kWarpRows for each warp, and kKeys keys of kDepth elements; results
 * have kColumns. */
template <typename Cores, int kRows, int kWarpRows, int kKeys, int kDepth, int kColumns>
struct lathe_mma_attention_tile {
  using cores = Cores;
  using element = typename Cores::element;
  static constexpr int rows = kRows;
  static constexpr int warp_rows = kWarpRows;
  static constexpr int keys = kKeys;
  static constexpr int depth = kDepth;
  static constexpr int columns = kColumns;
  static constexpr int threads = kRows / kWarpRows * 32;
  static_assert(sizeof(element) == 2 && kKeys % 32 == 0 && kWarpRows % 16 == 0, "whole matrices");

  static constexpr int parts = (kDepth + 31) / 32; /* of 64 bytes */
  static constexpr int steps = (kDepth + 15) / 16;
  static constexpr int pairs = (kColumns + 15) / 16; /* of matrices */
  /* Chunks are swizzled in groups of eight, or over the whole row if its number of chunks is a
   * power of two. */
  static constexpr int width = kColumns > 32 ? (kColumns + 63) / 64 * 64 : kColumns > 16 ? 32 : 16;
  /* More would spill registers. */
  static constexpr bool holds_queries = kDepth <= 64;
  struct shared {
    lathe_chunk queries[parts][kRows * 4];
    lathe_chunk keys[parts][kKeys * 4];
    lathe_chunk values[kKeys / 32][width * 4];
  };
  static_assert(sizeof(shared) <= 48 * 1024, "what a block has without asking");
};

/* Loads kParts of a factor along the depth, from `line` and `k` on, asynchronously if possible. */
template <int kParts, int kLines, int kThreads, typename T, typename Factor, typename Index>
static __device__ inline void lathe_load_factor_parts(lathe_chunk (*to)[kLines * 4],
                                                      const Factor& factor, Index line, Index k,
                                                      int lines, int depth) {
  using Part = lathe_mma_part<kLines, kThreads, T, Factor>;
  if constexpr (Part::copies) {
    constexpr int kEach = Part::rows * Part::chunks, kAll = kParts * kEach;
    const auto bring = [&](int load, auto copy) {
      const int part = load / kEach, place = load % kEach;
      const int at_row = place / Part::chunks, at = place % Part::chunks;
      copy(&to[part][Part::place(at_row, at)], Part::by_lines ? at * Part::chunk : at_row,
           part * Part::depth + (Part::by_lines ? at_row : at * Part::chunk));
    };
    if constexpr (Factor::may_be_aligned && kAll % kThreads == 0) {
      if (factor.aligned && lines >= kLines && depth >= kParts * Part::depth) {
        [[maybe_unused]] constexpr int kTurns = 4;
        const int thread = lathe_opaque_thread<kThreads>();
        LATHE_BY_TURNS
        for (int n = 0; n < kAll / kThreads; ++n) {
          bring(thread + n * kThreads, [&](lathe_chunk* chunk, int at_line, int at_k) {
            lathe_copy_run<Factor>(chunk, factor.place(line + at_line, k + at_k));
          });
        }
        return;
      }
    }
    [[maybe_unused]] constexpr int kTurns = 1;
    LATHE_BY_TURNS
    for (int load = (int)threadIdx.x; load < kAll; load += kThreads) {
      bring(load, [&](lathe_chunk* chunk, int at_line, int at_k) {
        lathe_load_factor_chunk<T>(chunk, factor, line + at_line, k + at_k, lines - at_line,
                                   depth - at_k);
      });
    }
  } else {
    for (int part = 0; part < kParts; ++part) {
      Part held;
      held.begin(to[part], factor, line, k + part * Part::depth, lines, depth - part * Part::depth);
      held.put(to[part]);
    }
  }
}

/* State of a warp for its rows. Four lanes share two rows of each 16; each lane has two adjacent
 * columns of every 8. */
template <typename Tile>
struct lathe_attended {
  static constexpr int high = Tile::warp_rows / 16;
  static constexpr int wide = Tile::pairs * 2;
  float sums[high][wide][4]; /* sums of values weighted by exponentials */
  float largest[high][2];    /* largest score so far, or product if scores are scaled products */
  float weight[high][2];
};

/* Converts the scores of some keys to exponentials and rescales the previous sums. `scale`
 * includes that of the scores and log2(e). kAll: all keys of the tile exist. */
template <typename Tile, bool kAll, typename Index, typename Score>
static __device__ inline void lathe_softmax_weights(
    lathe_attended<Tile>& of, float (&scores)[Tile::warp_rows / 16][Tile::keys / 8][4],
    uint32_t (&weights)[Tile::warp_rows / 16][Tile::keys / 16][4], const Score& score, float scale,
    Index row, int warp_row, int rows_left, Index first, int left) {
  constexpr int kKeyTiles = Tile::keys / 8, kWide = Tile::pairs * 2;
  const int lane = (int)threadIdx.x % 32;
  LATHE_UNROLL
  for (int i = 0; i < Tile::warp_rows / 8; ++i) {
    const int r = i / 2, half = i % 2;
    [[maybe_unused]] const lathe_bounded_row<Index> own =
        lathe_row_of(row, warp_row + r * 16 + half * 8 + lane / 4, rows_left);
    const float before = of.largest[r][half];
    float most = before;
    LATHE_UNROLL
    for (int c = 0; c < kKeyTiles * 2; ++c) {
      const int key = c / 2 * 8 + lane % 4 * 2 + c % 2;
      const bool there = kAll || key < left;
      float& at = scores[r][c / 2][half * 2 + c % 2];
      if constexpr (!lathe_scores<Score>::are_scaled) {
        at = (float)score(own.row, first + (there ? key : left - 1), at);
      }
      at = there ? at : -INFINITY;
      most = fmaxf(most, at);
    }
    /* Reduces over the four lanes that share the row. */
    most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, 1));
    most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, 2));
    of.largest[r][half] = most;
    /* Subtracts before scaling: the score of a masked key may be the lowest float. */
    const float shift = most == -INFINITY ? 0.0f : most;
    const float fade = lathe_exp2((before - shift) * scale);
    of.weight[r][half] *= fade;
    LATHE_UNROLL
    for (int c = 0; c < kWide * 2; ++c) {
      of.sums[r][c / 2][half * 2 + c % 2] *= fade;
    }
    LATHE_UNROLL
    for (int c = 0; c < kKeyTiles; ++c) {
      const float low_power = lathe_exp2((scores[r][c][half * 2] - shift) * scale);
      const float high_power = lathe_exp2((scores[r][c][half * 2 + 1] - shift) * scale);
      of.weight[r][half] += low_power + high_power;
      weights[r][c / 2][c % 2 * 2 + half] = Tile::cores::pair(low_power, high_power);
    }
  }
}

/* Processes the queries from `row` on. `score(row, key, sum)` converts a product of query and
 * key to a score; `finish(row, column, result)` receives the results. */
template <typename Tile, typename Index, typename Query, typename Key, typename Value,
          typename Score, typename Seen, typename Finish>
static __device__ inline void lathe_attend_mma(typename Tile::shared& shared, Index row, Index rows,
                                               Index keys, const Query& query, const Key& key,
                                               const Value& value, const Score& score,
                                               const Seen& seen, const Finish& finish) {
  using T = typename Tile::element;
  using Cores = typename Tile::cores;
  constexpr int kHigh = Tile::warp_rows / 16, kKeyTiles = Tile::keys / 8, kWide = Tile::pairs * 2;
  /* Of larger heads some steps at a time, so that the places of all of them take no registers,
   * which 64 bits of an index take two of. */
  [[maybe_unused]] constexpr int kTurns =
      Tile::steps > (sizeof(Index) == 8 ? 4 : 8) ? 4 : Tile::steps;
  using QueryPart = lathe_mma_part<Tile::rows, Tile::threads, T, Query>;
  using KeyPart = lathe_mma_part<Tile::keys, Tile::threads, T, Key>;
  using ValuePart = lathe_mma_part<Tile::width, Tile::threads, T, Value>;
  const int lane = (int)threadIdx.x % 32;
  const int warp_row = (int)threadIdx.x / 32 * Tile::warp_rows;
  const int rows_left = lathe_left<Tile::rows>(rows, row);
  lathe_attended<Tile> of;
  LATHE_UNROLL
  for (int i = 0; i < kHigh * kWide * 4; ++i) {
    of.sums[i / 4 / kWide][i / 4 % kWide][i % 4] = 0;
  }
  LATHE_UNROLL
  for (int i = 0; i < kHigh * 2; ++i) {
    of.largest[i / 2][i % 2] = -INFINITY;
    of.weight[i / 2][i % 2] = 0;
  }

  const auto bring_keys = [&](Index first) {
    lathe_load_factor_parts<Tile::parts, Tile::keys, Tile::threads, T>(
        shared.keys, key, first, (Index)0, lathe_left<Tile::keys>(keys, first), Tile::depth);
  };
  const auto bring_values = [&](Index first) {
    lathe_load_factor_parts<Tile::keys / 32, Tile::width, Tile::threads, T>(
        shared.values, value, (Index)0, first, Tile::columns, lathe_left<Tile::keys>(keys, first));
  };
  const auto fragment_of_queries = [&](uint32_t(&to)[4], int high, int step) {
    QueryPart::template fragment<false>(to, shared.queries[step / 2], warp_row + high * 16,
                                        step % 2);
  };

  lathe_key_tiles<Tile::keys, Seen, Index> tiles(seen, row, row + rows_left - 1, keys);
  lathe_load_factor_parts<Tile::parts, Tile::rows, Tile::threads, T>(
      shared.queries, query, row, (Index)0, rows_left, Tile::depth);
  if (tiles.from < tiles.to) {
    bring_keys(tiles.from);
  }
  lathe_commit_copies();
  lathe_wait_for_copies<0>();
  __syncthreads();
  uint32_t queries[kHigh][Tile::holds_queries ? Tile::steps : 1][4];
  if constexpr (Tile::holds_queries) {
    LATHE_UNROLL
    for (int i = 0; i < kHigh * Tile::steps; ++i) {
      fragment_of_queries(queries[i / Tile::steps][i % Tile::steps], i / Tile::steps,
                          i % Tile::steps);
    }
  }

  const float scale = lathe_scores<Score>::scale(score) * 1.44269504f;
  bool low = false;
  do {
    for (Index first = tiles.from; first < tiles.to; first += Tile::keys) {
      lathe_wait_for_copies<0>();
      __syncthreads(); /* the keys are complete, and no thread reads values any more */
      bring_values(first);
      lathe_commit_copies();
      float scores[kHigh][kKeyTiles][4];
      LATHE_UNROLL
      for (int i = 0; i < kHigh * kKeyTiles * 4; ++i) {
        scores[i / 4 / kKeyTiles][i / 4 % kKeyTiles][i % 4] = 0;
      }
      LATHE_BY_TURNS
      for (int step = 0; step < Tile::steps; ++step) {
        if constexpr (!Tile::holds_queries) {
          LATHE_UNROLL
          for (int r = 0; r < kHigh; ++r) {
            fragment_of_queries(queries[r][0], r, step);
          }
        }
        LATHE_UNROLL
        for (int c = 0; c < kKeyTiles; c += 2) {
          uint32_t both[4];
          KeyPart::template fragment<true>(both, shared.keys[step / 2], c * 8, step % 2);
          const uint32_t b[2][2] = {{both[0], both[1]}, {both[2], both[3]}};
          LATHE_UNROLL
          for (int i = 0; i < kHigh * 2; ++i) {
            Cores::add(scores[i / 2][c + i % 2], queries[i / 2][Tile::holds_queries ? step : 0],
                       b[i % 2]);
          }
        }
      }

      uint32_t weights[kHigh][kKeyTiles / 2][4];
      const int keys_left = lathe_left<Tile::keys>(keys, first);
      if (keys_left == Tile::keys) {
        lathe_softmax_weights<Tile, true>(of, scores, weights, score, scale, row, warp_row,
                                          rows_left, first, keys_left);
      } else {
        lathe_softmax_weights<Tile, false>(of, scores, weights, score, scale, row, warp_row,
                                           rows_left, first, keys_left);
      }

      lathe_wait_for_copies<0>();
      __syncthreads(); /* the values are complete, and no thread reads keys any more */
      if (tiles.to - first > Tile::keys) {
        bring_keys(first + Tile::keys);
      }
      lathe_commit_copies();
      LATHE_UNROLL
      for (int step = 0; step < Tile::keys / 16; ++step) {
        LATHE_UNROLL
        for (int c = 0; c < kWide; c += 2) {
          uint32_t both[4];
          ValuePart::template fragment<true>(both, shared.values[step / 2], c * 8, step % 2);
          const uint32_t b[2][2] = {{both[0], both[1]}, {both[2], both[3]}};
          LATHE_UNROLL
          for (int i = 0; i < kHigh * 2; ++i) {
            Cores::add(of.sums[i / 2][c + i % 2], weights[i / 2][step], b[i % 2]);
          }
        }
      }
    }
    if constexpr (Seen::hides) {
      LATHE_UNROLL
      for (int i = 0; i < kHigh * 2; ++i) {
        const int at_row = warp_row + i / 2 * 16 + lane / 4 + i % 2 * 8;
        low = low || (at_row < rows_left && of.largest[i / 2][i % 2] <= seen.hidden);
      }
    }
    if (!tiles.next(low)) {
      break;
    }
    if (tiles.from < tiles.to) {
      bring_keys(tiles.from);
    }
    lathe_commit_copies();
  } while (true);
  lathe_wait_for_copies<0>();
  __syncthreads(); /* the next queries overwrite shared memory */

  LATHE_UNROLL
  for (int i = 0; i < kHigh * 2; ++i) {
    float& all = of.weight[i / 2][i % 2];
    all += __shfl_xor_sync(0xffffffffu, all, 1);
    all += __shfl_xor_sync(0xffffffffu, all, 2);
    all = 1.0f / all;
  }
  lathe_finish_matrices<kHigh * 2, kWide>(
      finish,
      [&](int which) {
        return lathe_row_of(row, warp_row + which / 2 * 16 + which % 2 * 8 + lane / 4, rows_left);
      },
      (Index)0, Tile::columns,
      [&](int which, int matrix, int i) {
        return of.sums[which / 2][matrix][which % 2 * 2 + i] * of.weight[which / 2][which % 2];
      });
}

#endif /* LATHE_CUDA_MMA_ATTENTION_H */
