/* SPDX-License-Identifier: 0BSD */
/* cuda_attention.h - attention on GPUs, for nvcc.
 *
 * A block processes some queries of one head. It iterates over tiles of keys; scores, their
 * exponentials and the weighted sums of values stay in registers and shared memory. Exponentials
 * are relative to the largest score of a row so far; a larger score rescales the sums (online
 * softmax). Each kernel defines how to load queries, keys and values, the score, and the
 * epilogue. */
#ifndef LATHE_CUDA_ATTENTION_H
#define LATHE_CUDA_ATTENTION_H

#include "cuda_tiles.h"

/* The keys [first, end). */
template <typename Index>
struct lathe_key_range {
  Index first, end;
};

/* Which keys queries see: all, or those in `range(first_query, last_query)`. A score of at most
 * `hidden` may be that of a masked key. */
struct lathe_every_key {
  static constexpr bool hides = false;
};
template <typename Range>
struct lathe_keys_in_range {
  static constexpr bool hides = true;
  float hidden;
  Range range;
};
template <typename Range>
static __device__ inline lathe_keys_in_range<Range> lathe_some_keys(float hidden, Range range) {
  return {hidden, range};
}

/* Iterates over the ranges of keys [from, to) that a block processes; `from` is a multiple of
 * kKeys. First the range that its queries see; then, if a row found only masked keys, the keys
 * before and after that range. */
template <int kKeys, typename Seen, typename Index>
struct lathe_key_tiles {
  Index from, to, first, end, all;
  int turn = 0;

  __device__ lathe_key_tiles(const Seen& seen, Index query, Index last_query, Index keys)
      : from(0), to(keys), first(0), end(keys), all(keys) {
    if constexpr (Seen::hides) {
      const lathe_key_range<Index> range = seen.range(query, last_query);
      first = range.first < 0 ? 0 : range.first < keys ? range.first : keys;
      first -= first % kKeys;
      end = range.end < first ? first : range.end < keys ? range.end : keys;
      end = end + (kKeys - end % kKeys) % kKeys;
      end = end < keys ? end : keys;
      from = first;
      to = end;
    }
  }

  /* Called by all threads of the block; `low` is true if one of the thread's rows found only
   * masked keys. */
  __device__ bool next(bool low) {
    if constexpr (Seen::hides) {
      if (turn == 0 && __syncthreads_or(low ? 1 : 0) != 0) {
        turn = 1;
        from = 0;
        to = first;
        return true;
      }
      if (turn == 1) {
        turn = 2;
        from = end;
        to = all;
        return true;
      }
    }
    return false;
  }
};

/* Scores that are the product times a positive factor, so that the order of products is the
 * order of scores. Other score functions compute each score. */
struct lathe_scaled_scores {
  float scale;

  template <typename Index>
  __device__ float operator()(Index, Index, float products) const {
    return products * scale;
  }
};
template <typename Score>
struct lathe_scores {
  static constexpr bool are_scaled = false;
  static __device__ float scale(const Score&) { return 1.0f; }
};
template <>
struct lathe_scores<lathe_scaled_scores> {
  static constexpr bool are_scaled = true;
  static __device__ float scale(const lathe_scaled_scores& score) { return score.scale; }
};

/* exp(score - largest); 0 if there is no score yet. */
static __device__ inline float lathe_power(float score, float largest) {
  return exp2f((score - (largest == -INFINITY ? 0.0f : largest)) * 1.44269504f);
}

/* A tile of kRows queries and kKeys keys of kDepth elements; results have kColumns. 16 threads
 * share a row: each has every 16th key, and runs of kWide result columns. */
template <int kRows, int kKeys, int kDepth, int kColumns>
struct lathe_attention_tile {
  static constexpr int rows = kRows;
  static constexpr int keys = kKeys;
  static constexpr int depth = kDepth;
  static constexpr int columns = kColumns;
  static constexpr int threads = 128;
  static constexpr int lanes = 16;
  static constexpr int each_row = kRows / (threads / lanes);
  static constexpr int each_key = kKeys / lanes;
  static constexpr int wide = kColumns >= 64 ? 4 : kColumns > 16 ? 2 : 1;
  static constexpr int runs = (kColumns + lanes * wide - 1) / (lanes * wide);
  static_assert(kRows % 8 == 0 && kKeys % 16 == 0, "each thread has whole rows and keys");

  /* Distance of rows: an odd number of groups of four floats, so that elements of one column are
   * in different banks. */
  static constexpr int deep = (kDepth + 3) / 4 * 4;
  static constexpr int stride = (kDepth + 7) / 8 * 8 + 4;
  static constexpr int weight_stride = kKeys + 4;
  static constexpr int width = runs * lanes * wide;
  struct alignas(16) shared {
    float queries[kRows * stride];
    union {
      float keys[kKeys * stride];
      float values[kKeys * width];
    };
    float weights[kRows * weight_stride];
  };
  static_assert(sizeof(shared) <= 48 * 1024, "what a block has without asking");
};

/* kCount adjacent floats in shared memory, read in one access. */
template <int kCount>
using lathe_floats = lathe_stored<float, kCount>;
template <int kCount>
static __device__ inline lathe_floats<kCount> lathe_floats_at(const float* from) {
  return *(const lathe_floats<kCount>*)from;
}

/* Loads kLines x kDepth elements of a factor to shared memory, zero-filled out of bounds.
 * Element (line, k) is at to[line * kLineStride + k * kDepthStride]. */
template <int kThreads, int kLines, int kDepth, int kLineStride, int kDepthStride, typename Factor,
          typename Index>
static __device__ inline void lathe_load_factor_floats(float* to, const Factor& factor,
                                                       Index first_line, Index first_k, int lines,
                                                       int depth) {
  constexpr int kWidth = Factor::width;
  constexpr int kAlong = ((Factor::along_depth ? kDepth : kLines) + kWidth - 1) / kWidth;
  constexpr int kAll = kAlong * (Factor::along_depth ? kLines : kDepth);
  for (int load = (int)threadIdx.x; load < kAll; load += kThreads) {
    const int line = Factor::along_depth ? load / kAlong : load % kAlong * kWidth;
    const int k = Factor::along_depth ? load % kAlong * kWidth : load / kAlong;
    float held[kWidth];
    factor.load(held, first_line + line, first_k + k, lines - line, depth - k);
    LATHE_UNROLL
    for (int i = 0; i < kWidth; ++i) {
      const int at_line = line + (Factor::along_depth ? 0 : i);
      const int at_k = k + (Factor::along_depth ? i : 0);
      if (at_line < kLines && at_k < kDepth) {
        to[at_line * kLineStride + at_k * kDepthStride] = held[i];
      }
    }
  }
}

/* Processes the queries from `row` on. `score(row, key, sum)` converts a product of query and
 * key to a score; `finish(row, column, result)` receives the results. */
template <typename Tile, typename Index, typename Query, typename Key, typename Value,
          typename Score, typename Seen, typename Finish>
static __device__ inline void lathe_attend(typename Tile::shared& shared, Index row, Index rows,
                                           Index keys, const Query& query, const Key& key,
                                           const Value& value, const Score& score, const Seen& seen,
                                           const Finish& finish) {
  constexpr int kEachRow = Tile::each_row, kEachKey = Tile::each_key;
  constexpr int kWide = Tile::wide, kRuns = Tile::runs, kGroups = Tile::threads / Tile::lanes;
  const int lane = (int)threadIdx.x % Tile::lanes, group = (int)threadIdx.x / Tile::lanes;
  const int rows_left = lathe_left<Tile::rows>(rows, row);
  float sums[kEachRow][kRuns][kWide], largest[kEachRow], weight[kEachRow];
  LATHE_UNROLL
  for (int r = 0; r < kEachRow; ++r) {
    largest[r] = -INFINITY;
    weight[r] = 0;
    LATHE_UNROLL
    for (int i = 0; i < kRuns * kWide; ++i) {
      sums[r][i / kWide][i % kWide] = 0;
    }
  }

  lathe_load_factor_floats<Tile::threads, Tile::rows, Tile::deep, Tile::stride, 1>(
      shared.queries, query, row, (Index)0, rows_left, Tile::depth);
  lathe_key_tiles<Tile::keys, Seen, Index> tiles(seen, row, row + rows_left - 1, keys);
  bool low = false;
  do {
    for (Index first = tiles.from; first < tiles.to; first += Tile::keys) {
      const int keys_left = lathe_left<Tile::keys>(keys, first);
      lathe_load_factor_floats<Tile::threads, Tile::keys, Tile::deep, Tile::stride, 1>(
          shared.keys, key, first, (Index)0, keys_left, Tile::depth);
      __syncthreads();
      float scores[kEachRow][kEachKey];
      LATHE_UNROLL
      for (int i = 0; i < kEachRow * kEachKey; ++i) {
        scores[i / kEachKey][i % kEachKey] = 0;
      }
      for (int k = 0; k < Tile::deep; k += 4) {
        lathe_floats<4> a[kEachRow], b[kEachKey];
        LATHE_UNROLL
        for (int r = 0; r < kEachRow; ++r) {
          a[r] = lathe_floats_at<4>(&shared.queries[(group + r * kGroups) * Tile::stride + k]);
        }
        LATHE_UNROLL
        for (int c = 0; c < kEachKey; ++c) {
          b[c] = lathe_floats_at<4>(&shared.keys[(lane + c * Tile::lanes) * Tile::stride + k]);
        }
        LATHE_UNROLL
        for (int i = 0; i < kEachRow * kEachKey * 4; ++i) {
          const int r = i / 4 / kEachKey, c = i / 4 % kEachKey;
          scores[r][c] += a[r].at[i % 4] * b[c].at[i % 4];
        }
      }
      LATHE_UNROLL
      for (int r = 0; r < kEachRow; ++r) {
        const int at_row = group + r * kGroups;
        float most = largest[r];
        LATHE_UNROLL
        for (int c = 0; c < kEachKey; ++c) {
          const int at_key = lane + c * Tile::lanes;
          const bool there = at_row < rows_left && at_key < keys_left;
          scores[r][c] =
              there ? (float)score(row + at_row, first + at_key, scores[r][c]) : -INFINITY;
          most = fmaxf(most, scores[r][c]);
        }
        LATHE_UNROLL
        for (int lanes = Tile::lanes / 2; lanes > 0; lanes /= 2) {
          most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, lanes));
        }
        const float scale = lathe_power(largest[r], most);
        largest[r] = most;
        weight[r] *= scale;
        LATHE_UNROLL
        for (int i = 0; i < kRuns * kWide; ++i) {
          sums[r][i / kWide][i % kWide] *= scale;
        }
        LATHE_UNROLL
        for (int c = 0; c < kEachKey; ++c) {
          const int at_key = lane + c * Tile::lanes;
          const float power = lathe_power(scores[r][c], most);
          weight[r] += power;
          shared.weights[at_row * Tile::weight_stride + at_key] = power;
        }
      }
      __syncthreads();
      lathe_load_factor_floats<Tile::threads, Tile::width, Tile::keys, 1, Tile::width>(
          shared.values, value, (Index)0, first, Tile::columns, keys_left);
      __syncthreads();
      for (int k = 0; k < Tile::keys; k += 4) {
        lathe_floats<4> a[kEachRow];
        LATHE_UNROLL
        for (int r = 0; r < kEachRow; ++r) {
          a[r] =
              lathe_floats_at<4>(&shared.weights[(group + r * kGroups) * Tile::weight_stride + k]);
        }
        LATHE_UNROLL
        for (int i = 0; i < 4; ++i) {
          LATHE_UNROLL
          for (int run = 0; run < kRuns; ++run) {
            const int column = (run * Tile::lanes + lane) * kWide;
            const lathe_floats<kWide> b =
                lathe_floats_at<kWide>(&shared.values[(k + i) * Tile::width + column]);
            LATHE_UNROLL
            for (int at = 0; at < kEachRow * kWide; ++at) {
              sums[at / kWide][run][at % kWide] += a[at / kWide].at[i] * b.at[at % kWide];
            }
          }
        }
      }
      __syncthreads(); /* the next keys overwrite shared memory */
    }
    if constexpr (Seen::hides) {
      LATHE_UNROLL
      for (int r = 0; r < kEachRow; ++r) {
        low = low || (group + r * kGroups < rows_left && largest[r] <= seen.hidden);
      }
    }
  } while (tiles.next(low));
  __syncthreads(); /* the next queries overwrite shared memory */

  LATHE_UNROLL
  for (int r = 0; r < kEachRow; ++r) {
    LATHE_UNROLL
    for (int lanes = Tile::lanes / 2; lanes > 0; lanes /= 2) {
      weight[r] += __shfl_xor_sync(0xffffffffu, weight[r], lanes);
    }
    const int at_row = group + r * kGroups;
    LATHE_UNROLL
    for (int i = 0; i < kRuns * kWide; ++i) {
      const int column = (i / kWide * Tile::lanes + lane) * kWide + i % kWide;
      if (at_row < rows_left && column < Tile::columns) {
        finish(row + at_row, (Index)column, sums[r][i / kWide][i % kWide] / weight[r]);
      }
    }
  }
}

#endif /* LATHE_CUDA_ATTENTION_H */
