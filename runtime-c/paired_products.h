/* SPDX-License-Identifier: 0BSD */
/* paired_products.h - int8 products of rows with the weights of two columns in each 16 bits, for
 * Arm cores with the DSP extension:
 *
 *   out[r * columns + c] = requantize(bias[c] + the sum over p < pieces and k < count of
 *       x[r * step + p * pitch + k] * weight of column c for (p, k))
 *
 * for r < rows and c < columns. For a convolution, rows are the windows of an image line, and
 * pieces the lines of a window.
 *
 * A pair of columns a and b has sums of x * (a + 256 * b) and of x * a. SMLAD multiplies two such
 * halves of a word at once as they are in memory; for a alone, SXTB16 extends the low bytes first.
 * The sum of b is the difference of both, divided by 256, and has 24 bits: `w` holds half as many
 * bytes as weights of 16 bits, for one more instruction in eight products.
 *
 * A word holds two elements of x, k and k + 2, of two columns: a(k), b(k), a(k + 2), b(k + 2),
 * where b is one less if a is negative. Four columns share a block: for each four elements the
 * words of k and k + 2 for two pairs of columns, then those of k + 1 and k + 3. The last four
 * elements of a piece end with it; those that they repeat have weights of 0. `starts` holds the
 * first sums of each pair, bias[a] + 256 * bias[b] and bias[a]. Blocks are padded with zeros. */
#ifndef LATHE_PAIRED_PRODUCTS_H
#define LATHE_PAIRED_PRODUCTS_H

#include "fixed_point.h"
#include "outlined.h"
#include "paired_tiles.h"

/* The two sums of a pair as one number each. */
static inline int32_t lathe_paired_low(const int32_t* sums) { return sums[1]; }
static inline int32_t lathe_paired_high(const int32_t* sums) {
  const int32_t rest = (int32_t)((uint32_t)sums[0] - (uint32_t)sums[1]);
  return rest / 256; /* exact */
}
static inline int32_t lathe_paired_sum(const int32_t sums[4], int32_t column) {
  return ((column % 2) == 0) ? lathe_paired_low(&sums[column])
                             : lathe_paired_high(&sums[column - 1]);
}

/* Computes the columns from `first` on of one row or two, one block at a time. */
LATHE_OUTLINED void lathe_paired_rest_twice(const int8_t* w, const int32_t* starts,
                                            const int32_t* scales, const int32_t* scratch,
                                            int32_t rows, int32_t fours, int32_t first,
                                            int32_t columns, int32_t each, int32_t zero, int32_t lo,
                                            int32_t hi, int8_t* out) {
  int32_t c;
  for (c = first; c < columns; c += 4) {
    const int32_t left = ((columns - c) < 4) ? (columns - c) : 4;
    int32_t sums[8];
    int32_t r;
    int32_t i;
    lathe_paired_sums(&w[c * 4 * fours], &starts[c], rows, fours, scratch, sums);
    for (r = 0; r < rows; ++r) {
      for (i = 0; i < left; ++i) {
        const int32_t* const scale = &scales[2 * (c + i) * each];
        const int32_t sum = lathe_paired_sum(&sums[4 * r], i);
        out[(r * columns) + c + i] = lathe_result_right(sum, scale[0], scale[1] + 1, zero, lo, hi);
      }
    }
  }
}

/* With two roundings (fixed_point.h). `scales` holds pairs of a mantissa and a shift to the right
 * less one: of each column, or, if `each` is 0, of all. Results are between lo and hi. `scratch`
 * holds 4 * pieces * ((count + 3) / 4) numbers, half of them for one row. */
LATHE_OUTLINED void lathe_paired_products_twice_i8(const int8_t* x, const int8_t* w,
                                                   const int32_t* starts, const int32_t* scales,
                                                   int32_t* scratch, int32_t rows, int32_t step,
                                                   int32_t pieces, int32_t pitch, int32_t count,
                                                   int32_t columns, int32_t each, int32_t zero,
                                                   int32_t lo, int32_t hi, int8_t* out) {
  const int32_t fours = pieces * ((count + 3) / 4);
  int32_t first = 0;
  int32_t r = 0;
#if defined(LATHE_PAIRED_ASM)
  first = ((lo == -128) && (hi == 127)) ? (columns - (columns % 4)) : 0;
#endif
  while (r < rows) {
    const int32_t here = ((r + 2) <= rows) ? 2 : 1;
    int8_t* const to = &out[r * columns];
    lathe_paired_widen(&x[r * step], here, step, pieces, pitch, count, scratch);
#if defined(LATHE_PAIRED_ASM)
    if (first > 0) {
      const int32_t round = (2 * zero) + 1;
      if (here == 2) {
        if (each != 0) {
          LATHE_PAIRED_CALL(lathe_paired_two_each, scratch, fours, 2, w, starts, &starts[first],
                            scales, to, &to[columns], round, (int64_t)0);
        } else {
          LATHE_PAIRED_CALL(lathe_paired_two_all, scratch, fours, 2, w, starts, &starts[first],
                            scales, to, &to[columns], round, (int64_t)0);
        }
      } else if (each != 0) {
        LATHE_PAIRED_CALL(lathe_paired_one_each, scratch, fours, 1, w, starts, &starts[first],
                          scales, to, NULL, round, (int64_t)0);
      } else {
        LATHE_PAIRED_CALL(lathe_paired_one_all, scratch, fours, 1, w, starts, &starts[first],
                          scales, to, NULL, round, (int64_t)0);
      }
    }
#endif
    if (first < columns) {
      lathe_paired_rest_twice(w, starts, scales, scratch, here, fours, first, columns, each, zero,
                              lo, hi, to);
    }
    r += here;
  }
}

#endif
