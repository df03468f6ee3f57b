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
 * a multiple of eight are gathered first (`gathered`), and four rows are packed (quad_rv32.h).
 * Armv6-M has no loads of signed bytes at constant distances: there weights are unsigned, 128 more
 * (`offset`), and 128 times the sum of the row is subtracted. `scales` holds pairs of a mantissa
 * and a shift to the right less one (fixed_point.h), or, for one rounding, factors (once_result.h):
 * of each column, or, if `each` is 0, of all. */
#ifndef LATHE_QUAD_PRODUCTS_H
#define LATHE_QUAD_PRODUCTS_H

#include <stddef.h>
#include <string.h>

#include "copy_words.h"
#include "outlined.h"
#include "quad_rv32.h"
#include "quad_tiles.h"
#include "result_way.h"

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

#if defined(LATHE_QUAD_V7M)
/* Computes one row or two of widened elements, with results from -128 to 127. */
LATHE_INLINED void lathe_quad_widened(const int32_t* x, int32_t elements, int32_t rows,
                                      const int8_t* w, const int32_t* bias, const int32_t* scales,
                                      int32_t columns, int32_t each, const lathe_result_way way,
                                      int8_t* out) {
  const int32_t length = rows * elements;
  if (way.once != 0) {
    if (rows == 2) {
      LATHE_QUAD_CALL(each, lathe_quad_two_once, x, length, w, bias, columns, scales, out,
                      way.start, way.shift);
    } else {
      LATHE_QUAD_CALL(each, lathe_quad_one_once, x, length, w, bias, columns, scales, out,
                      way.start, way.shift);
    }
  } else if (rows == 2) {
    LATHE_QUAD_CALL(each, lathe_quad_two, x, length, w, bias, columns, scales, out,
                    (2 * way.zero) + 1, 0);
  } else {
    LATHE_QUAD_CALL(each, lathe_quad_one, x, length, w, bias, columns, scales, out,
                    (2 * way.zero) + 1, 0);
  }
}
#endif

/* `together` rows, one, two or four, share loads of weights. `scratch` holds their elements, if
 * they are gathered: as int8, if `gathered` is 2, as int32, and if it is 3, packed. Sums of widened
 * rows are below 2^30 if they are rounded twice. Packed rows need sums below 2^23 before the bias
 * and below 2^29 with it, and shifts of 1 to 22. */
LATHE_INLINED void lathe_quad_products(const int8_t* x, const void* w, const int32_t* bias,
                                       const int32_t* scales, void* scratch, int32_t rows,
                                       int32_t step, int32_t pieces, int32_t pitch, int32_t count,
                                       int32_t columns, int32_t together, int32_t each,
                                       int32_t offset, int32_t gathered, const lathe_result_way way,
                                       int8_t* out) {
  const int32_t elements = ((pieces * count) + 7) / 8 * 8;
  const int32_t next = ((way.once != 0) ? 1 : 2) * each;
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
    if ((offset == 0) && (gathered == 2) && (way.lo == -128) && (way.hi == 127) &&
        ((columns % 4) == 0)) {
      lathe_quad_widen(from, here, step, pieces, pitch, count, elements, (int32_t*)scratch);
      lathe_quad_widened((const int32_t*)scratch, elements, here, weights, bias, scales, columns,
                         each, way, &out[r * columns]);
      r += here;
      continue;
    }
#endif
#if defined(LATHE_QUAD_RV32)
    if ((gathered == 3) && (here == 4)) {
      const int32_t used = ((pieces * count) + 3) / 4 * 4;
      uint32_t* const packed = (uint32_t*)scratch;
      lathe_quad_pack(from, step, pieces, pitch, count, used, packed);
      lathe_quad_packed_rows(packed, &packed[3 * used], weights, elements, bias, scales, columns,
                             each, way, &out[r * columns]);
      r += here;
      continue;
    }
#endif
    if (gathered != 0) {
      lathe_quad_gather(from, here, step, pieces, pitch, count, elements, (int8_t*)scratch);
      from = (const int8_t*)scratch;
      apart = elements;
    }
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
        const int32_t* const scale = &scales[next * (c + i)];
        for (j = 0; j < here; ++j) {
          out[((r + j) * columns) + c + i] = lathe_result_of(sums[(4 * j) + i], scale, way);
        }
      }
      weights = &weights[4 * elements];
    }
    r += here;
  }
}

/* With two roundings. */
LATHE_OUTLINED void lathe_quad_products_twice_i8(const int8_t* x, const void* w,
                                                 const int32_t* bias, const int32_t* scales,
                                                 void* scratch, int32_t rows, int32_t step,
                                                 int32_t pieces, int32_t pitch, int32_t count,
                                                 int32_t columns, int32_t together, int32_t each,
                                                 int32_t offset, int32_t gathered, int32_t zero,
                                                 int32_t lo, int32_t hi, int8_t* out) {
  const lathe_result_way way = {0, zero, 0, 0, lo, hi};
  lathe_quad_products(x, w, bias, scales, scratch, rows, step, pieces, pitch, count, columns,
                      together, each, offset, gathered, way, out);
}

/* With one rounding. */
LATHE_OUTLINED void lathe_quad_products_once_i8(const int8_t* x, const void* w, const int32_t* bias,
                                                const int32_t* factors, void* scratch, int32_t rows,
                                                int32_t step, int32_t pieces, int32_t pitch,
                                                int32_t count, int32_t columns, int32_t together,
                                                int32_t each, int32_t offset, int32_t gathered,
                                                int32_t start, int32_t shift, int32_t lo,
                                                int32_t hi, int8_t* out) {
  const lathe_result_way way = {1, 0, start, shift, lo, hi};
  lathe_quad_products(x, w, bias, factors, scratch, rows, step, pieces, pitch, count, columns,
                      together, each, offset, gathered, way, out);
}

#endif
