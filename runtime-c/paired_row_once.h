/* SPDX-License-Identifier: 0BSD */
/* paired_row_once.h - the products of paired_row.h with one rounding (once_result.h). */
#ifndef LATHE_PAIRED_ROW_ONCE_H
#define LATHE_PAIRED_ROW_ONCE_H

#include <stdint.h>

#include "naked.h"
#include "outlined.h"
#include "paired_once.h"
#include "paired_row_tiles.h"
#include "result_way.h"

#if defined(LATHE_PAIRED_ASM)
LATHE_NAKED lathe_paired_eight_once(LATHE_PAIRED_ARGUMENTS) {
  LATHE_PAIRED_ROW_ASSEMBLY(LATHE_PAIRED_SHIFT, LATHE_PAIRED_FACTOR, LATHE_PAIRED_NEXT_FACTOR,
                            LATHE_PAIRED_ONCE);
}
static inline void lathe_paired_row_tile_once(const int8_t* x, int32_t fours, const int8_t* w,
                                              const int32_t* starts, int32_t columns,
                                              const int32_t* factors, int32_t each,
                                              const lathe_result_way* way, int8_t* out) {
  LATHE_PAIRED_CALL(lathe_paired_eight_once, x, 4 * fours, fours % LATHE_PAIRED_ROW_TURN, w, starts,
                    columns, factors, 16 * each, way->start, way->shift, out, out);
}
#else
#define lathe_paired_row_tile_once lathe_paired_row_tile
#endif

/* Parameters as of lathe_paired_row_twice_i8, with factors. */
LATHE_OUTLINED void lathe_paired_row_once_i8(const int8_t* x, const int8_t* w,
                                             const int32_t* starts, const int32_t* factors,
                                             int8_t* scratch, int32_t rows, int32_t step,
                                             int32_t pieces, int32_t pitch, int32_t count,
                                             int32_t columns, int32_t each, int32_t gathered,
                                             int32_t start, int32_t shift, int32_t lo, int32_t hi,
                                             int8_t* out) {
  const lathe_result_way way = {1, 0, start, shift, lo, hi};
  lathe_paired_row(lathe_paired_row_tile_once, x, w, starts, factors, scratch, rows, step, pieces,
                   pitch, count, columns, each, gathered, &way, out);
}

#endif
