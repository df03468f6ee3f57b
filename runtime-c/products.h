/* SPDX-License-Identifier: 0BSD */
/* products.h - int8 products of rows with weights in panels (panels.h), requantized (requantize.h):
 *
 *   out[r * columns + c] = requantize(bias[c] + the sum over p < pieces and k < count of
 *       x[r * step + p * pitch + k] * w[((c / 16 * pieces + p) * fours + k / 4) * 64
 *                                       + 4 * (c % 16) + k % 4])
 *
 * for r < rows, c < columns and fours = (count + 3) / 4. For a convolution, rows are
 * the windows of an image line, and pieces the lines of a window. Sums stay in registers. */
#ifndef LATHE_PRODUCTS_H
#define LATHE_PRODUCTS_H

#include "panels.h"
#include "requantize.h"

/* Addresses of rows and their pieces. */
typedef struct {
  int32_t step;
  int32_t pieces;
  int32_t pitch;
  int32_t count;
} lathe_products_rows;

#if defined(LATHE_LANES)

/* A range of columns: those of MOST vectors, or the remainder. */
typedef struct {
  int32_t starts[LATHE_PANEL_MOST * LATHE_PANEL_SPAN];
  int32_t factors[LATHE_PANEL_MOST * LATHE_PANEL_SPAN];
} lathe_products_columns;

LATHE_PANEL_INLINE void lathe_products_store(lathe_lanes sums, const int32_t* starts,
                                             const int32_t* factors, const lathe_requantize way,
                                             const int32_t count, int8_t* out) {
#if defined(LATHE_REQUANTIZE_LANES)
  lathe_requantize_store(lathe_requantize_sum(sums, lathe_requantize_load(starts)),
                         lathe_requantize_load(factors), way, count, out);
#else
  int32_t each[LATHE_PANEL_DONE];
  int32_t c;
  memcpy(each, &sums, sizeof each);
  for (c = 0; c < count; ++c) {
    out[c] = lathe_requantize_one(each[c] + starts[c], factors[c], way);
  }
#endif
}

/* Computes `rows` rows from x on, and `count` columns from vector `first` on. */
LATHE_PANEL_INLINE void lathe_products_block(
    const int8_t* x, const int32_t rows, const lathe_products_rows from, const int8_t* w,
    const int32_t first, const int32_t count, const lathe_products_columns* columns,
    const lathe_requantize way, lathe_panel_item items[LATHE_PANEL_ROWS][LATHE_PANEL_CHUNK],
    const int32_t pitch, int8_t* out) {
  const int32_t fours = (from.count + 3) / 4;
  const int32_t vectors = (count + LATHE_PANEL_SPAN - 1) / LATHE_PANEL_SPAN;
  lathe_lanes acc[LATHE_PANEL_ROWS][LATHE_PANEL_MOST];
  int32_t p;
  int32_t r;
  int32_t v;
  lathe_panel_clear(acc);
  for (p = 0; p < from.pieces; ++p) {
    int32_t k;
    for (k = 0; k < from.count; k += LATHE_PANEL_CHUNK) {
      const int32_t left = from.count - k;
      const int32_t here = (left < LATHE_PANEL_CHUNK) ? left : LATHE_PANEL_CHUNK;
      LATHE_PANEL_UNROLL
      for (r = 0; r < rows; ++r) {
        lathe_panel_widen(&x[(r * from.step) + (p * from.pitch) + k], here, items[r]);
      }
      lathe_panel_products(items, rows, vectors, first, &w[(p * fours * 64) + (k * 16)],
                           from.pieces * fours * 64, (here + 3) / 4, acc);
    }
  }
  LATHE_PANEL_UNROLL
  for (r = 0; r < rows; ++r) {
    LATHE_PANEL_UNROLL
    for (v = 0; v < vectors; v += LATHE_PANEL_DONE / LATHE_PANEL_SPAN) {
      const int32_t at = v * LATHE_PANEL_SPAN;
      const int32_t these = ((count - at) < LATHE_PANEL_DONE) ? (count - at) : LATHE_PANEL_DONE;
      lathe_products_store(lathe_panel_done(acc[r], v, vectors), &columns->starts[at],
                           &columns->factors[at], way, these, &out[(r * pitch) + at]);
    }
  }
}

/* Chooses the number of rows at once: few are recomputed, and the weights are read rarely. */
LATHE_PANEL_INLINE int32_t lathe_products_at_once(const int32_t rows) {
  const int32_t three = ((rows + 2) / 3) * 7;
  const int32_t four = ((rows + 3) / 4) * 9;
  const int32_t five = ((rows + 4) / 5) * 11;
  if (rows < 3) {
    return rows;
  }
  return ((five <= four) && (five <= three)) ? 5 : ((three < four) ? 3 : 4);
}

/* Processes all rows; the last block may overlap the previous one and recomputes its rows. */
LATHE_PANEL_INLINE void lathe_products_tile(
    const int8_t* x, const int32_t rows, const lathe_products_rows from, const int8_t* w,
    const int32_t first, const int32_t count, const int32_t* bias, const int32_t* factors,
    const int32_t factor, const lathe_requantize way,
    lathe_panel_item items[LATHE_PANEL_ROWS][LATHE_PANEL_CHUNK], const int32_t pitch, int8_t* out) {
  const int32_t most = lathe_products_at_once(rows);
  lathe_products_columns columns;
  int32_t r;
  int32_t c;
  memset(&columns, 0, sizeof columns);
  for (c = 0; c < count; ++c) {
    columns.starts[c] = bias[c];
    columns.factors[c] = (factors == NULL) ? factor : factors[c];
  }
#if LATHE_PANEL_SPAN == 16
  {
    const int32_t vectors = (count + LATHE_PANEL_SPAN - 1) / LATHE_PANEL_SPAN;
    const int32_t fours = from.pieces * ((from.count + 3) / 4);
    lathe_lanes excess[LATHE_PANEL_MOST];
    lathe_panel_excess(vectors, first, w, fours * 64, fours, excess);
    for (c = 0; c < vectors; ++c) {
      int32_t* const starts = &columns.starts[c * LATHE_PANEL_SPAN];
      _mm512_storeu_si512((void*)starts,
                          _mm512_sub_epi32(_mm512_loadu_si512((const void*)starts), excess[c]));
    }
  }
#endif
  for (r = 0; r < rows; r += most) {
    const int32_t at = ((r + most) <= rows) ? r : (rows - most);
    lathe_products_block(&x[at * from.step], most, from, w, first, count, &columns, way, items,
                         pitch, &out[at * pitch]);
  }
}

#endif

LATHE_PANEL_INLINE void lathe_products_i8(const int8_t* x, const int8_t* w, const int32_t* bias,
                                          const int32_t* factors, const int32_t factor,
                                          const int32_t rows, const int32_t step,
                                          const int32_t pieces, const int32_t pitch,
                                          const int32_t count, const int32_t columns,
                                          const int64_t start, const int32_t shift,
                                          const int32_t lo, const int32_t hi, int8_t* out) {
  const lathe_requantize way = {start, shift, lo, hi};
  const lathe_products_rows from = {step, pieces, pitch, count};
#if defined(LATHE_LANES)
  const int32_t most = LATHE_PANEL_MOST * LATHE_PANEL_SPAN;
  const int32_t rest = columns % most;
  lathe_panel_item items[LATHE_PANEL_ROWS][LATHE_PANEL_CHUNK];
  int32_t c;
  for (c = 0; c < (columns - rest); c += most) {
    lathe_products_tile(x, rows, from, w, c / LATHE_PANEL_SPAN, most, &bias[c],
                        (factors == NULL) ? NULL : &factors[c], factor, way, items, columns,
                        &out[c]);
  }
  if (rest > 0) {
    lathe_products_tile(x, rows, from, w, c / LATHE_PANEL_SPAN, rest, &bias[c],
                        (factors == NULL) ? NULL : &factors[c], factor, way, items, columns,
                        &out[c]);
  }
#else
  const int32_t fours = (count + 3) / 4;
  int32_t r;
  int32_t c;
  int32_t p;
  int32_t k;
  for (r = 0; r < rows; ++r) {
    for (c = 0; c < columns; ++c) {
      int32_t sum = bias[c];
      for (p = 0; p < from.pieces; ++p) {
        const int8_t* const row = &x[(r * from.step) + (p * from.pitch)];
        const int8_t* const column =
            &w[(((((c / 16) * from.pieces) + p) * fours) * 64) + (4 * (c % 16))];
        for (k = 0; k < from.count; ++k) {
          const int32_t product = (int32_t)row[k] * (int32_t)column[((k / 4) * 64) + (k % 4)];
          sum = (int32_t)((uint32_t)sum + (uint32_t)product);
        }
      }
      out[(r * columns) + c] =
          lathe_requantize_one(sum, (factors == NULL) ? factor : factors[c], way);
    }
  }
#endif
}

#endif
