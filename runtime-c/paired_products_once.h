/* SPDX-License-Identifier: 0BSD */
/* paired_products_once.h - the products of paired_products.h with one rounding (once_result.h). */
#ifndef LATHE_PAIRED_PRODUCTS_ONCE_H
#define LATHE_PAIRED_PRODUCTS_ONCE_H

#include <stdint.h>

#include "naked.h"
#include "outlined.h"
#include "paired_once.h"
#include "paired_rows.h"
#include "paired_tiles.h"
#include "result_way.h"

#if defined(LATHE_PAIRED_ASM)
LATHE_NAKED lathe_paired_two_once(LATHE_PAIRED_ARGUMENTS) {
  LATHE_PAIRED_ASSEMBLY_2(LATHE_PAIRED_SHIFT, LATHE_PAIRED_FACTOR, LATHE_PAIRED_NEXT_FACTOR,
                          LATHE_PAIRED_ONCE);
}
LATHE_NAKED lathe_paired_one_once(LATHE_PAIRED_ARGUMENTS) {
  LATHE_PAIRED_ASSEMBLY_1(LATHE_PAIRED_SHIFT, LATHE_PAIRED_FACTOR, LATHE_PAIRED_NEXT_FACTOR,
                          LATHE_PAIRED_ONCE);
}
static inline void lathe_paired_tile_once(const int32_t* x, int32_t fours, int32_t rows,
                                          const int8_t* w, const int32_t* starts, int32_t columns,
                                          const int32_t* factors, int32_t each,
                                          const lathe_result_way* way, int8_t* out, int8_t* next) {
  if (rows == 2) {
    LATHE_PAIRED_CALL(lathe_paired_two_once, x, 4 * fours, fours % 8, w, starts, columns, factors,
                      16 * each, way->start, way->shift, out, next);
  } else {
    LATHE_PAIRED_CALL(lathe_paired_one_once, x, 2 * fours, fours % 8, w, starts, columns, factors,
                      16 * each, way->start, way->shift, out, next);
  }
}
#else
#define lathe_paired_tile_once lathe_paired_tile
#endif

/* Parameters as of lathe_paired_products_twice_i8, with factors. */
LATHE_OUTLINED void lathe_paired_products_once_i8(const int8_t* x, const int8_t* w,
                                                  const int32_t* starts, const int32_t* factors,
                                                  int32_t* scratch, int32_t rows, int32_t step,
                                                  int32_t pieces, int32_t pitch, int32_t count,
                                                  int32_t columns, int32_t each, int32_t alone,
                                                  int32_t start, int32_t shift, int32_t lo,
                                                  int32_t hi, int8_t* out) {
  const lathe_result_way way = {1, 0, start, shift, lo, hi};
  lathe_paired_rows(lathe_paired_tile_once, x, w, starts, factors, scratch, rows, step, pieces,
                    pitch, count, columns, each, alone, &way, out);
}

#endif
