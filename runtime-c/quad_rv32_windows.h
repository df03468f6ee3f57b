/* SPDX-License-Identifier: 0BSD */
/* quad_rv32_windows.h - sums of windows of 3 x 3 of each channel (quad_depthwise.h), for 32-bit
 * RISC-V; else empty.
 *
 * Windows move by one column. A column of three elements belongs to three windows: it ends the
 * first, and begins the third. So each element is loaded once for its three products, and three
 * sums take turns in registers. */
#ifndef LATHE_QUAD_RV32_WINDOWS_H
#define LATHE_QUAD_RV32_WINDOWS_H

#include "outlined.h"
#include "quad_rv32.h"

#if defined(LATHE_QUAD_RV32)

/* The elements of a column. */
typedef struct {
  int32_t top;
  int32_t middle;
  int32_t bottom;
} lathe_quad_column;

LATHE_INLINED lathe_quad_column lathe_quad_column_at(const int8_t* x, int32_t line) {
  const lathe_quad_column column = {x[0], x[line], x[2 * line]};
  return column;
}
/* The products with column `at` of the weights, which are in rows. */
LATHE_INLINED int32_t lathe_quad_column_sum(const lathe_quad_column x, const int32_t w[9],
                                            const int32_t at) {
  return (x.top * w[at]) + (x.middle * w[at + 3]) + (x.bottom * w[at + 6]);
}
/* The column that ends a window: returns the sum of the window, and adds to those of the next two.
 */
LATHE_INLINED int32_t lathe_quad_window_sum(const lathe_quad_column x, const int32_t w[9],
                                            int32_t bias, int32_t sum, int32_t* next,
                                            int32_t* second) {
  *next += lathe_quad_column_sum(x, w, 1);
  *second = bias + lathe_quad_column_sum(x, w, 0);
  return sum + lathe_quad_column_sum(x, w, 2);
}

/* One channel of a line of the result, with at least one column; `out` is at its first. */
LATHE_INLINED void lathe_quad_channel_windows(const int8_t* x, const int8_t* weights, int32_t bias,
                                              const int32_t* scale, int32_t columns,
                                              int32_t channels, int32_t line,
                                              const int32_t positive, const lathe_result_way way,
                                              int8_t* out) {
  /* Loaded once: a store of bytes may change any memory, as far as compilers know. */
  const int32_t factor = scale[0];
  const int32_t right = lathe_quad_right(scale, way);
  const int32_t round = lathe_quad_round(right, way);
  const int32_t w[9] = {weights[0], weights[1], weights[2], weights[3], weights[4],
                        weights[5], weights[6], weights[7], weights[8]};
  const int8_t* const last = &out[(columns - 1) * channels];
  const int8_t* from = &x[2 * channels];
  int8_t* to = out;
  const lathe_quad_column first = lathe_quad_column_at(x, line);
  const lathe_quad_column second = lathe_quad_column_at(&x[channels], line);
  int32_t a = bias + lathe_quad_column_sum(first, w, 0) + lathe_quad_column_sum(second, w, 1);
  int32_t b = bias + lathe_quad_column_sum(second, w, 0);
  int32_t c = 0;
  for (;;) {
    int32_t sum = lathe_quad_window_sum(lathe_quad_column_at(from, line), w, bias, a, &b, &c);
    lathe_quad_store(sum, factor, right, round, positive, way, to);
    if (to == last) {
      break;
    }
    from = &from[channels];
    to = &to[channels];
    sum = lathe_quad_window_sum(lathe_quad_column_at(from, line), w, bias, b, &c, &a);
    lathe_quad_store(sum, factor, right, round, positive, way, to);
    if (to == last) {
      break;
    }
    from = &from[channels];
    to = &to[channels];
    sum = lathe_quad_window_sum(lathe_quad_column_at(from, line), w, bias, c, &a, &b);
    lathe_quad_store(sum, factor, right, round, positive, way, to);
    if (to == last) {
      break;
    }
    from = &from[channels];
    to = &to[channels];
  }
}
/* All channels, each with a scale of its own. */
LATHE_INLINED void lathe_quad_line_of_windows(const int8_t* x, const int8_t* w, const int32_t* bias,
                                              const int32_t* scales, int32_t columns,
                                              int32_t channels, int32_t line,
                                              const int32_t positive, const lathe_result_way way,
                                              int8_t* out) {
  int32_t c;
  for (c = 0; c < channels; ++c) {
    lathe_quad_channel_windows(&x[c], &w[9 * c], bias[c], scales, columns, channels, line, positive,
                               way, &out[c]);
    scales = &scales[(way.once != 0) ? 1 : 2];
  }
}

#endif

#endif
