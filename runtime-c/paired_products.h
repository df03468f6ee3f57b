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
 * first sums of each pair, bias[a] + 256 * bias[b] and bias[a]. Blocks are padded. */
#ifndef LATHE_PAIRED_PRODUCTS_H
#define LATHE_PAIRED_PRODUCTS_H

#include <stdint.h>

#include "naked.h"
#include "outlined.h"
#include "paired_rows.h"
#include "paired_tiles.h"
#include "paired_twice.h"
#include "result_way.h"

#if defined(LATHE_PAIRED_ASM)
LATHE_NAKED lathe_paired_two_twice(LATHE_PAIRED_ARGUMENTS) {
  LATHE_PAIRED_ASSEMBLY_2("", LATHE_PAIRED_SCALE, LATHE_PAIRED_NEXT_SCALE, LATHE_PAIRED_TWICE);
}
LATHE_NAKED lathe_paired_one_twice(LATHE_PAIRED_ARGUMENTS) {
  LATHE_PAIRED_ASSEMBLY_1("", LATHE_PAIRED_SCALE, LATHE_PAIRED_NEXT_SCALE, LATHE_PAIRED_TWICE);
}
static inline void lathe_paired_tile_twice(const int32_t* x, int32_t fours, int32_t rows,
                                           const int8_t* w, const int32_t* starts, int32_t columns,
                                           const int32_t* scales, int32_t each,
                                           const lathe_result_way* way, int8_t* out, int8_t* next) {
  const int32_t round = (2 * way->zero) + 1;
  if (rows == 2) {
    LATHE_PAIRED_CALL(lathe_paired_two_twice, x, 4 * fours, fours % 8, w, starts, columns, scales,
                      20 * each, round, 0, out, next);
  } else {
    LATHE_PAIRED_CALL(lathe_paired_one_twice, x, 2 * fours, fours % 8, w, starts, columns, scales,
                      20 * each, round, 0, out, next);
  }
}
#else
#define lathe_paired_tile_twice lathe_paired_tile
#endif

/* With two roundings (fixed_point.h). `scales` holds those of each column, or, if `each` is 0,
 * four times that of all. Results are between lo and hi. `scratch` holds 4 * pieces * ((count + 3)
 * / 4) numbers, half of them for one row that is computed alone (`alone`). */
LATHE_OUTLINED void lathe_paired_products_twice_i8(const int8_t* x, const int8_t* w,
                                                   const int32_t* starts, const int32_t* scales,
                                                   int32_t* scratch, int32_t rows, int32_t step,
                                                   int32_t pieces, int32_t pitch, int32_t count,
                                                   int32_t columns, int32_t each, int32_t alone,
                                                   int32_t zero, int32_t lo, int32_t hi,
                                                   int8_t* out) {
  const lathe_result_way way = {0, zero, 0, 0, lo, hi};
  lathe_paired_rows(lathe_paired_tile_twice, x, w, starts, scales, scratch, rows, step, pieces,
                    pitch, count, columns, each, alone, &way, out);
}

#endif
