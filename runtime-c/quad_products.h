/* SPDX-License-Identifier: 0BSD */
/* quad_products.h - int8 products of rows with weights, requantized, for cores that multiply one
 * element at a time:
 *
 *   out[r * columns + c] = requantize(bias[c] + the sum over p < pieces and k < count of
 *       x[r * step + p * pitch + k] * weight of column c for (p, k))
 *
 * for r < rows and c < columns. For a convolution, rows are the windows of an image line, and
 * pieces the lines of a window.
 *
 * `w` holds the weights of four columns next to each other for each element of a row; columns are
 * padded to four, elements to eight, both with weights of 0. Rows that are not contiguous or not
 * a multiple of eight are gathered first (`gathered`). Armv6-M has no loads of signed bytes at
 * constant distances: there weights are unsigned, 128 more (`offset`), and 128 times the sum of
 * the row is subtracted. Scales are those of paired_products.h. */
#ifndef LATHE_QUAD_PRODUCTS_H
#define LATHE_QUAD_PRODUCTS_H

#include <stddef.h>
#include <string.h>

#include "copy_words.h"
#include "fixed_point.h"
#include "outlined.h"
#include "quad_rv32.h"
#include "quad_tiles.h"

/* The sums of four columns, of one row, two or four. */
static inline void lathe_quad_block(const int8_t* x, int32_t apart, int32_t rows, const void* w,
                                    int32_t offset, int32_t elements, int32_t sums[16]) {
  const int8_t* const weights = (const int8_t*)w;
  if (offset != 0) {
    int32_t r;
    for (r = 0; r < rows; ++r) {
#if defined(LATHE_QUAD_V6M)
      const int8_t* const row = &x[r * apart];
      lathe_quad_sums(row, (const uint8_t*)w, &row[elements], &sums[4 * r], 0, 0, 0, 0, 0, 0);
#else
      lathe_quad_add_unsigned(&x[r * apart], (const uint8_t*)w, elements, &sums[4 * r]);
#endif
    }
  } else if (rows == 4) {
    lathe_quad_add_4(x, apart, weights, elements, sums);
  } else if (rows == 2) {
    lathe_quad_add_2(x, &x[apart], weights, elements, sums);
  } else {
    lathe_quad_add_1(x, weights, elements, sums);
  }
}

/* 128 times the sum of the elements, which unsigned weights count too much. */
static inline int32_t lathe_quad_excess(const int8_t* x, int32_t offset, int32_t elements) {
#if defined(LATHE_QUAD_V6M)
  int32_t sum = 0;
  int32_t k;
  for (k = 0; (offset != 0) && (k < elements); ++k) {
    sum += x[k];
  }
  return offset * sum;
#else
  (void)x;
  (void)offset;
  (void)elements;
  return 0;
#endif
}

/* Copies the pieces of rows next to each other, and zeros to a multiple of eight elements. */
static inline void lathe_quad_gather(const int8_t* x, int32_t rows, int32_t step, int32_t pieces,
                                     int32_t pitch, int32_t count, int32_t elements, int8_t* to) {
  int8_t* row = to;
  int32_t r;
  int32_t p;
  for (r = 0; r < rows; ++r) {
    for (p = 0; p < pieces; ++p) {
      lathe_copy_elements(&x[(r * step) + (p * pitch)], count, &row[p * count]);
    }
    (void)memset(&row[pieces * count], 0, (size_t)(elements - (pieces * count)));
    row = &row[elements];
  }
}

#if defined(LATHE_QUAD_RV32)
/* Computes four rows. */
static inline void lathe_quad_rows_4(const int8_t* x, int32_t apart, const int8_t* w,
                                     const int32_t* bias, const int32_t* scales, int32_t elements,
                                     int32_t columns, int32_t each, int32_t zero, int32_t lo,
                                     int32_t hi, int8_t* out) {
  const int8_t* const x1 = &x[apart];
  const int8_t* const x2 = &x1[apart];
  const int8_t* const x3 = &x2[apart];
  const int32_t round = (2 * zero) + 1;
  int32_t c;
  for (c = 0; c < columns; c += 4) {
    int32_t sums[16];
    const int32_t left = ((columns - c) < 4) ? (columns - c) : 4;
    int32_t i;
    lathe_quad_four(x, x1, x2, x3, w, &x[elements], sums, &bias[c], 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                    0, 0, 0);
    for (i = 0; i < left; ++i) {
      const int32_t mantissa = scales[0];
      const int32_t right = scales[1];
      int8_t* to = &out[c + i];
      *to = lathe_quad_result(sums[i], mantissa, right, round, lo, hi);
      to = &to[columns];
      *to = lathe_quad_result(sums[4 + i], mantissa, right, round, lo, hi);
      to = &to[columns];
      *to = lathe_quad_result(sums[8 + i], mantissa, right, round, lo, hi);
      to = &to[columns];
      *to = lathe_quad_result(sums[12 + i], mantissa, right, round, lo, hi);
      scales = &scales[2 * each];
    }
    w = &w[4 * elements];
  }
}
#endif

/* With two roundings (fixed_point.h). `scales` holds pairs of a mantissa and a shift to the right
 * less one: of each column, or, if `each` is 0, of all. `together` rows, one, two or four, share
 * loads of weights. `scratch` holds their elements, if they are gathered: as int8, or, if
 * `gathered` is 2, as int32. Sums of four rows, and of widened ones, are below 2^30. */
LATHE_OUTLINED void lathe_quad_products_twice_i8(const int8_t* x, const void* w,
                                                 const int32_t* bias, const int32_t* scales,
                                                 void* scratch, int32_t rows, int32_t step,
                                                 int32_t pieces, int32_t pitch, int32_t count,
                                                 int32_t columns, int32_t together, int32_t each,
                                                 int32_t offset, int32_t gathered, int32_t zero,
                                                 int32_t lo, int32_t hi, int8_t* out) {
  const int32_t elements = ((pieces * count) + 7) / 8 * 8;
  int32_t r = 0;
  while (r < rows) {
    const int32_t pair = ((r + 2) <= rows) && (together > 1) ? 2 : 1;
    const int32_t here = ((r + together) <= rows) ? together : pair;
    const int8_t* from = &x[r * step];
    const int8_t* weights = (const int8_t*)w;
    int32_t apart = step;
    int32_t excess;
    int32_t c;
    int32_t i;
    int32_t j;
#if defined(LATHE_QUAD_V7M)
    if ((offset == 0) && (gathered == 2) && (lo == -128) && (hi == 127) && ((columns % 4) == 0)) {
      int32_t* const wide = (int32_t*)scratch;
      int8_t* const to = &out[r * columns];
      lathe_quad_widen(from, here, step, pieces, pitch, count, elements, wide);
      if (here == 2) {
        LATHE_QUAD_CALL(each, lathe_quad_two, wide, 2 * elements, weights, bias, columns, scales,
                        to, zero);
      } else {
        LATHE_QUAD_CALL(each, lathe_quad_one, wide, elements, weights, bias, columns, scales, to,
                        zero);
      }
      r += here;
      continue;
    }
#endif
    if (gathered != 0) {
      lathe_quad_gather(from, here, step, pieces, pitch, count, elements, (int8_t*)scratch);
      from = (const int8_t*)scratch;
      apart = elements;
    }
#if defined(LATHE_QUAD_RV32)
    if ((offset == 0) && (here == 4)) {
      lathe_quad_rows_4(from, apart, weights, bias, scales, elements, columns, each, zero, lo, hi,
                        &out[r * columns]);
      r += here;
      continue;
    }
#endif
    excess = lathe_quad_excess(from, offset, elements);
    for (c = 0; c < columns; c += 4) {
      const int32_t left = ((columns - c) < 4) ? (columns - c) : 4;
      int32_t sums[16];
      for (i = 0; i < 4; ++i) {
        const int32_t start = (int32_t)((uint32_t)bias[c + i] - (uint32_t)excess);
        for (j = 0; j < here; ++j) {
          sums[(4 * j) + i] = start;
        }
      }
      lathe_quad_block(from, apart, here, weights, offset, elements, sums);
      for (i = 0; i < left; ++i) {
        const int32_t* const scale = &scales[2 * (c + i) * each];
        for (j = 0; j < here; ++j) {
          out[((r + j) * columns) + c + i] =
              lathe_result_right(sums[(4 * j) + i], scale[0], scale[1] + 1, zero, lo, hi);
        }
      }
      weights = &weights[4 * elements];
    }
    r += here;
  }
}

#endif
