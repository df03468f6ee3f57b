/* SPDX-License-Identifier: 0BSD */
/* quad_depthwise.h - int8 depthwise convolutions for cores that multiply one element at a time, one
 * line of the result at a time: sums
 *
 *   bias[c] + x[column * step + ky * line + kx * tap + c] * w[(c * height + ky) * width + kx] ...
 *
 * for ky < height and kx < width, requantized to int8.
 *
 * The channel is the outer loop, so that the nine weights of a window of 3 x 3 stay in registers.
 * Every channel has a mantissa and a shift to the right less one (fixed_point.h), or, for one
 * rounding, a factor (once_result.h). With two roundings, sums of windows of 3 x 3 that move by one
 * column are below 2^30, on RISC-V below 2^29 with shifts of at most 22. */
#ifndef LATHE_QUAD_DEPTHWISE_H
#define LATHE_QUAD_DEPTHWISE_H

#include "outlined.h"
#include "quad_rv32_windows.h"
#include "quad_windows.h"
#include "result_way.h"

/* One channel; `out` and `x` are at its first column. */
LATHE_INLINED void lathe_quad_channel_3x3(const int8_t* x, const int8_t* w, int32_t bias,
                                          const int32_t* scale, int32_t columns, int32_t channels,
                                          int32_t step, int32_t line, int32_t tap,
                                          const lathe_result_way way, int8_t* out) {
  /* Loaded once: a store of bytes may change any memory, as far as compilers know. */
  const int32_t factor = scale[0];
  const int32_t right = (way.once != 0) ? 0 : (scale[1] + 1);
  const int32_t w0 = w[0];
  const int32_t w1 = w[1];
  const int32_t w2 = w[2];
  const int32_t w3 = w[3];
  const int32_t w4 = w[4];
  const int32_t w5 = w[5];
  const int32_t w6 = w[6];
  const int32_t w7 = w[7];
  const int32_t w8 = w[8];
  const int8_t* const end = &x[columns * step];
  const int8_t* first = x;
  int8_t* to = out;
  while (first != end) {
    const int8_t* const middle = &first[tap];
    const int8_t* const last = &middle[tap];
    const int32_t below = 2 * line;
    int32_t sum = bias + (first[0] * w0) + (middle[0] * w1) + (last[0] * w2);
    sum += (first[line] * w3) + (middle[line] * w4) + (last[line] * w5);
    sum += (first[below] * w6) + (middle[below] * w7) + (last[below] * w8);
    *to = lathe_result_by(sum, factor, right, way);
    to = &to[channels];
    first = &first[step];
  }
}

LATHE_INLINED void lathe_quad_channel(const int8_t* x, const int8_t* w, int32_t bias,
                                      const int32_t* scale, int32_t columns, int32_t channels,
                                      int32_t step, int32_t height, int32_t line, int32_t width,
                                      int32_t tap, const lathe_result_way way, int8_t* out) {
  int32_t i;
  int32_t y;
  int32_t k;
  for (i = 0; i < columns; ++i) {
    int32_t sum = bias;
    for (y = 0; y < height; ++y) {
      for (k = 0; k < width; ++k) {
        sum += x[(i * step) + (y * line) + (k * tap)] * w[(y * width) + k];
      }
    }
    out[i * channels] = lathe_result_of(sum, scale, way);
  }
}

#if defined(LATHE_QUAD_WINDOWS)
/* Windows of 3 x 3 that move by one column, with results from -128 to 127. */
LATHE_INLINED void lathe_quad_line_of_windows(const int8_t* x, const int8_t* w, const int32_t* bias,
                                              const int32_t* scales, int32_t columns,
                                              int32_t channels, int32_t line,
                                              const lathe_result_way way, int8_t* out) {
  const intptr_t apart = (intptr_t)out - (intptr_t)&x[2 * channels];
  const int8_t* const end = &x[(columns + 2) * channels];
  if (way.once != 0) {
    lathe_quad_windows_once(0, 0, 0, 0, 0, way.shift, way.start, apart, channels, 0, end, 0, 0, 0,
                            0, 0, 0, line, x, w, scales, bias, &bias[channels], 0, 0, 0, 0, 0, 0, 0,
                            0, 0);
  } else {
    lathe_quad_windows(0, 0, 0, 0, 0, 0, (2 * way.zero) + 1, apart, channels, 0, end, 0, 0, 0, 0, 0,
                       0, line, x, w, scales, bias, &bias[channels], 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }
}
#endif

LATHE_INLINED void lathe_quad_depthwise(const int8_t* x, const int8_t* w, const int32_t* bias,
                                        const int32_t* scales, int32_t columns, int32_t channels,
                                        int32_t step, int32_t height, int32_t line, int32_t width,
                                        int32_t tap, const lathe_result_way way, int8_t* out) {
  const int8_t* weights = w;
  const int32_t* scale = scales;
  int32_t c;
#if defined(LATHE_QUAD_WINDOWS)
  if ((height == 3) && (width == 3) && (step == channels) && (tap == channels) && (columns > 0) &&
      (way.lo == -128) && (way.hi == 127)) {
    lathe_quad_line_of_windows(x, w, bias, scales, columns, channels, line, way, out);
    return;
  }
#endif
#if defined(LATHE_QUAD_RV32)
  if ((height == 3) && (width == 3) && (step == channels) && (tap == channels) && (columns > 0)) {
    if (lathe_quad_positive(way) != 0) {
      lathe_quad_line_of_windows(x, w, bias, scales, columns, channels, line, 1, way, out);
    } else {
      lathe_quad_line_of_windows(x, w, bias, scales, columns, channels, line, 0, way, out);
    }
    return;
  }
#endif
  for (c = 0; c < channels; ++c) {
    if ((height == 3) && (width == 3)) {
      lathe_quad_channel_3x3(&x[c], weights, bias[c], scale, columns, channels, step, line, tap,
                             way, &out[c]);
    } else {
      lathe_quad_channel(&x[c], weights, bias[c], scale, columns, channels, step, height, line,
                         width, tap, way, &out[c]);
    }
    weights = &weights[height * width];
    scale = &scale[(way.once != 0) ? 1 : 2];
  }
}

/* With two roundings, and with one. Results are between lo and hi. */
LATHE_OUTLINED void lathe_quad_depthwise_twice_i8(const int8_t* x, const int8_t* w,
                                                  const int32_t* bias, const int32_t* scales,
                                                  int32_t columns, int32_t channels, int32_t step,
                                                  int32_t height, int32_t line, int32_t width,
                                                  int32_t tap, int32_t zero, int32_t lo, int32_t hi,
                                                  int8_t* out) {
  const lathe_result_way way = {0, zero, 0, 0, lo, hi};
  lathe_quad_depthwise(x, w, bias, scales, columns, channels, step, height, line, width, tap, way,
                       out);
}
LATHE_OUTLINED void lathe_quad_depthwise_once_i8(const int8_t* x, const int8_t* w,
                                                 const int32_t* bias, const int32_t* factors,
                                                 int32_t columns, int32_t channels, int32_t step,
                                                 int32_t height, int32_t line, int32_t width,
                                                 int32_t tap, int32_t start, int32_t shift,
                                                 int32_t lo, int32_t hi, int8_t* out) {
  const lathe_result_way way = {1, 0, start, shift, lo, hi};
  lathe_quad_depthwise(x, w, bias, factors, columns, channels, step, height, line, width, tap, way,
                       out);
}

#endif
