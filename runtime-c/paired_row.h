/* SPDX-License-Identifier: 0BSD */
/* paired_row.h - the products of paired_products.h for one row, which needs no widened copy: eight
 * columns share the loads of its elements, which are extended to 16 bits when they are loaded.
 *
 * Eight columns share a block of weights: for each four elements the words of k and k + 2 for four
 * pairs of columns, then those of k + 1 and k + 3. Columns are padded to eight, elements to four,
 * both with weights of 0. Rows whose elements are not contiguous or not a multiple of four are
 * gathered first (`gathered`). */
#ifndef LATHE_PAIRED_ROW_H
#define LATHE_PAIRED_ROW_H

#include <stdint.h>

#include "naked.h"
#include "outlined.h"
#include "paired_row_tiles.h"
#include "paired_twice.h"
#include "result_way.h"

#if defined(LATHE_PAIRED_ASM)
LATHE_NAKED lathe_paired_eight_twice(LATHE_PAIRED_ARGUMENTS) {
  LATHE_PAIRED_ROW_ASSEMBLY("", LATHE_PAIRED_SCALE, LATHE_PAIRED_NEXT_SCALE, LATHE_PAIRED_TWICE);
}
static inline void lathe_paired_row_tile_twice(const int8_t* x, int32_t fours, const int8_t* w,
                                               const int32_t* starts, int32_t columns,
                                               const int32_t* scales, int32_t each,
                                               const lathe_result_way* way, int8_t* out) {
  LATHE_PAIRED_CALL(lathe_paired_eight_twice, x, 4 * fours, fours % LATHE_PAIRED_ROW_TURN, w,
                    starts, columns, scales, 20 * each, (2 * way->zero) + 1, 0, out, out);
}
#else
#define lathe_paired_row_tile_twice lathe_paired_row_tile
#endif

/* With two roundings (fixed_point.h). `scales` holds those of each column, or, if `each` is 0,
 * four times that of all. Results are between lo and hi. `scratch` holds the
 * elements of a row that is gathered. */
LATHE_OUTLINED void lathe_paired_row_twice_i8(const int8_t* x, const int8_t* w,
                                              const int32_t* starts, const int32_t* scales,
                                              int8_t* scratch, int32_t rows, int32_t step,
                                              int32_t pieces, int32_t pitch, int32_t count,
                                              int32_t columns, int32_t each, int32_t gathered,
                                              int32_t zero, int32_t lo, int32_t hi, int8_t* out) {
  const lathe_result_way way = {0, zero, 0, 0, lo, hi};
  lathe_paired_row(lathe_paired_row_tile_twice, x, w, starts, scales, scratch, rows, step, pieces,
                   pitch, count, columns, each, gathered, &way, out);
}

#endif
