/* SPDX-License-Identifier: 0BSD */
/* cuda_vectors.h - products of a matrix and few vectors on GPUs, for nvcc.
 *
 * Each line of the matrix is read once, 16 bytes at a time if aligned, and multiplied with all
 * vectors. Sums stay in registers until the threads that share them reduce them, in an order
 * that depends on the sizes only. The factors are those of cuda_tiles.h. */
#ifndef LATHE_CUDA_VECTORS_H
#define LATHE_CUDA_VECTORS_H

#include "cuda_rows.h"
#include "cuda_tiles.h"
#include "cuda_wide.h"

/* For lines that are contiguous along the depth: a team of kTeam threads processes kLines lines.
 * kRows: the vectors are rows of the result, else columns. */
template <typename Sum, bool kRows, int kVectors, int kWidth, int kLines, int kTeam>
struct lathe_lines_by_depth {
  using sum = Sum;
  static constexpr bool of_rows = kRows;
  static constexpr int vectors = kVectors;
  static constexpr int width = kWidth;
  static constexpr int lines = kLines;
  static constexpr int team = kTeam;
  static constexpr int threads = kTeam > 32 ? kTeam : 256;
};

/* For lines that are adjacent in memory: a block processes 8 * kWidth lines; its threads share
 * the depth. */
template <typename Sum, bool kRows, int kVectors, int kWidth>
struct lathe_contiguous_lines {
  using sum = Sum;
  static constexpr bool of_rows = kRows;
  static constexpr int vectors = kVectors;
  static constexpr int width = kWidth;
  static constexpr int across = 8;
  static constexpr int lines = across * kWidth;
  static constexpr int team = 256;
  static constexpr int threads = 256;
};

/* Returns the element of a factor at a line and a step of the depth. */
template <typename Sum, bool kAlongDepth, typename At, typename Index>
static __device__ inline Sum lathe_element(const lathe_elements<kAlongDepth, At>& factor,
                                           Index line, Index k) {
  return (Sum)factor.at(line, k);
}
template <typename Sum, bool kAlongDepth, typename T, typename Place, typename Value,
          typename Index>
static __device__ inline Sum lathe_element(
    const lathe_contiguous<kAlongDepth, T, Place, Value>& factor, Index line, Index k) {
  return (Sum)factor.value(*factor.place(line, k));
}

/* Returns true if kCount steps of the depth can be read as whole words. Factors that are not
 * contiguous along the depth, or are computed, are read element by element. */
template <int kCount, typename Factor, typename Index>
static __device__ inline bool lathe_is_wide(const Factor&, Index, Index) {
  return true;
}
template <int kCount, typename T, typename Place, typename Value, typename Index>
static __device__ inline bool lathe_is_wide(const lathe_contiguous<true, T, Place, Value>& factor,
                                            Index line, Index k) {
  return lathe_is_aligned<kCount>(factor.place(line, k));
}

/* Reads kCount such steps. */
template <typename Sum, int kCount, typename Factor, typename Index>
static __device__ inline void lathe_take(Sum (&to)[kCount], const Factor& factor, Index line,
                                         Index k) {
  LATHE_UNROLL
  for (int i = 0; i < kCount; ++i) {
    to[i] = lathe_element<Sum>(factor, line, k + i);
  }
}
template <typename Sum, int kCount, typename T, typename Place, typename Value, typename Index>
static __device__ inline void lathe_take(Sum (&to)[kCount],
                                         const lathe_contiguous<true, T, Place, Value>& factor,
                                         Index line, Index k) {
  T held[kCount];
  lathe_read(held, factor.place(line, k));
  LATHE_UNROLL
  for (int i = 0; i < kCount; ++i) {
    to[i] = (Sum)factor.value(held[i]);
  }
}

/* Passes row and column of the result to `finish`. */
template <typename Shape, typename Index, typename Finish>
static __device__ inline void lathe_finish_line(Index line, int vector, typename Shape::sum sum,
                                                const Finish& finish) {
  if constexpr (Shape::of_rows) {
    finish((Index)vector, line, sum);
  } else {
    finish(line, (Index)vector, sum);
  }
}

/* Sums over [first, end) of the depth for Shape::lines lines from `line` on, of which `lines`
 * are in bounds. All threads of the team must call it. */
template <typename Shape, typename Index, typename Matrix, typename Vectors, typename Finish>
static __device__ inline void lathe_multiply_by_depth(Index line, Index lines, Index first,
                                                      Index end, const Matrix& matrix,
                                                      const Vectors& vectors,
                                                      const Finish& finish) {
  using Sum = typename Shape::sum;
  using T = typename Matrix::element;
  constexpr int kLines = Shape::lines, kVectors = Shape::vectors, kWidth = Shape::width;
  constexpr int kTeam = Shape::team;
  static_assert(kLines * kVectors <= 32, "a thread finishes one sum");
  const int thread = lathe_thread_of_team<kTeam>();
  Sum sums[kLines][kVectors];
  Index at[kLines]; /* the last line if there are no more */
  bool wide = true;
  LATHE_UNROLL
  for (int l = 0; l < kLines; ++l) {
    at[l] = line + l < lines ? line + l : lines - 1;
    wide = wide && lathe_is_wide<kWidth>(matrix, at[l], first);
    LATHE_UNROLL
    for (int v = 0; v < kVectors; ++v) {
      sums[l][v] = 0;
    }
  }
  LATHE_UNROLL
  for (int v = 0; v < kVectors; ++v) {
    wide = wide && lathe_is_wide<kWidth>(vectors, (Index)v, first);
  }

  const Index rest = wide ? first + (end - first) / kWidth * kWidth : first;
  for (Index k = first + thread * kWidth; k < rest; k += kTeam * kWidth) {
    T held[kLines][kWidth];
    LATHE_UNROLL
    for (int l = 0; l < kLines; ++l) {
      lathe_read(held[l], matrix.place(at[l], k));
    }
    LATHE_UNROLL
    for (int v = 0; v < kVectors; ++v) {
      Sum factors[kWidth];
      lathe_take(factors, vectors, (Index)v, k);
      LATHE_UNROLL
      for (int l = 0; l < kLines; ++l) {
        LATHE_UNROLL
        for (int i = 0; i < kWidth; ++i) {
          sums[l][v] += (Sum)matrix.value(held[l][i]) * factors[i];
        }
      }
    }
  }
  for (Index k = rest + thread; k < end; k += kTeam) {
    LATHE_UNROLL
    for (int v = 0; v < kVectors; ++v) {
      const Sum factor = lathe_element<Sum>(vectors, (Index)v, k);
      LATHE_UNROLL
      for (int l = 0; l < kLines; ++l) {
        sums[l][v] += lathe_element<Sum>(matrix, at[l], k) * factor;
      }
    }
  }

  Sum mine = 0;
  LATHE_UNROLL
  for (int n = 0; n < kLines * kVectors; ++n) {
    const Sum sum = lathe_reduce_team<lathe_fold_sum, kTeam>(sums[n / kVectors][n % kVectors]);
    mine = thread == n ? sum : mine;
  }
  if (thread < kLines * kVectors && line + thread / kVectors < lines) {
    lathe_finish_line<Shape>(line + thread / kVectors, thread % kVectors, mine, finish);
  }
}

/* The same for lines that are adjacent in memory. All threads of the block must call it. */
template <typename Shape, typename Index, typename Matrix, typename Vectors, typename Finish>
static __device__ inline void lathe_multiply_contiguous_lines(Index line, Index lines, Index first,
                                                              Index end, const Matrix& matrix,
                                                              const Vectors& vectors,
                                                              const Finish& finish) {
  using Sum = typename Shape::sum;
  using T = typename Matrix::element;
  constexpr int kVectors = Shape::vectors, kWidth = Shape::width, kAcross = Shape::across;
  constexpr int kDown = Shape::threads / kAcross, kWarps = Shape::threads / 32;
  const int across = (int)threadIdx.x % kAcross;
  const Index begin = first + (int)threadIdx.x / kAcross;
  const Index own = line + across * kWidth;
  Sum sums[kVectors][kWidth];
  LATHE_UNROLL
  for (int n = 0; n < kVectors * kWidth; ++n) {
    sums[n / kWidth][n % kWidth] = 0;
  }
  const bool wide = own + kWidth <= lines && lathe_is_aligned<kWidth>(matrix.place(own, first)) &&
                    lathe_is_aligned<kWidth>(matrix.place(own, first + 1));
  if (wide) {
    for (Index k = begin; k < end; k += kDown) {
      T held[kWidth];
      lathe_read(held, matrix.place(own, k));
      LATHE_UNROLL
      for (int v = 0; v < kVectors; ++v) {
        const Sum factor = lathe_element<Sum>(vectors, (Index)v, k);
        LATHE_UNROLL
        for (int i = 0; i < kWidth; ++i) {
          sums[v][i] += (Sum)matrix.value(held[i]) * factor;
        }
      }
    }
  } else {
    for (Index k = begin; k < end; k += kDown) {
      Sum held[kWidth];
      LATHE_UNROLL
      for (int i = 0; i < kWidth; ++i) {
        held[i] = own + i < lines ? lathe_element<Sum>(matrix, own + i, k) : (Sum)0;
      }
      LATHE_UNROLL
      for (int v = 0; v < kVectors; ++v) {
        const Sum factor = lathe_element<Sum>(vectors, (Index)v, k);
        LATHE_UNROLL
        for (int i = 0; i < kWidth; ++i) {
          sums[v][i] += held[i] * factor;
        }
      }
    }
  }

  /* Reduces over threads of a warp with equal lines first, then over warps. */
  __shared__ Sum parts[kWarps][kVectors][Shape::lines];
  LATHE_UNROLL
  for (int n = 0; n < kVectors * kWidth; ++n) {
    Sum sum = sums[n / kWidth][n % kWidth];
    LATHE_UNROLL
    for (int lanes = 16; lanes >= kAcross; lanes /= 2) {
      sum += lathe_shuffle_down(0xffffffffu, sum, lanes, 32);
    }
    if (threadIdx.x % 32u < (unsigned)kAcross) {
      parts[threadIdx.x / 32u][n / kWidth][across * kWidth + n % kWidth] = sum;
    }
  }
  __syncthreads();
  for (int n = (int)threadIdx.x; n < kVectors * Shape::lines; n += Shape::threads) {
    const int vector = n / Shape::lines, of_line = n % Shape::lines;
    Sum sum = parts[0][vector][of_line];
    LATHE_UNROLL
    for (int warp = 1; warp < kWarps; ++warp) {
      sum += parts[warp][vector][of_line];
    }
    if (line + of_line < lines) {
      lathe_finish_line<Shape>(line + of_line, vector, sum, finish);
    }
  }
  __syncthreads(); /* the next lines overwrite shared memory */
}

#endif /* LATHE_CUDA_VECTORS_H */
