/* SPDX-License-Identifier: 0BSD */
/* quad_depthwise.h - int8 depthwise convolutions for cores that multiply one element at a time, one
 * line of the result at a time: sums
 *
 *   bias[c] + x[column * step + ky * line + kx * tap + c] * w[(c * height + ky) * width + kx] ...
 *
 * for ky < height and kx < width, requantized to int8.
 *
 * The channel is the outer loop, so that the nine weights of a window of 3 x 3 stay in registers.
 * Every channel has a mantissa and a shift to the right less one (fixed_point.h). Sums are below
 * 2^30. */
#ifndef LATHE_QUAD_DEPTHWISE_H
#define LATHE_QUAD_DEPTHWISE_H

#include "fixed_point.h"
#include "outlined.h"
#include "quad_windows.h"

/* One channel; `out` and `x` are at its first column. */
static inline void lathe_quad_channel_3x3(const int8_t* x, const int8_t* w, int32_t bias,
                                          int32_t mantissa, int32_t right, int32_t columns,
                                          int32_t channels, int32_t step, int32_t line, int32_t tap,
                                          int32_t zero, int32_t lo, int32_t hi, int8_t* out) {
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
    *to = lathe_result_right(sum, mantissa, right, zero, lo, hi);
    to = &to[channels];
    first = &first[step];
  }
}

static inline void lathe_quad_channel(const int8_t* x, const int8_t* w, int32_t bias,
                                      int32_t mantissa, int32_t right, int32_t columns,
                                      int32_t channels, int32_t step, int32_t height, int32_t line,
                                      int32_t width, int32_t tap, int32_t zero, int32_t lo,
                                      int32_t hi, int8_t* out) {
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
    out[i * channels] = lathe_result_right(sum, mantissa, right, zero, lo, hi);
  }
}

/* With two roundings; results are between lo and hi. */
LATHE_OUTLINED void lathe_quad_depthwise_twice_i8(const int8_t* x, const int8_t* w,
                                                  const int32_t* bias, const int32_t* scales,
                                                  int32_t columns, int32_t channels, int32_t step,
                                                  int32_t height, int32_t line, int32_t width,
                                                  int32_t tap, int32_t zero, int32_t lo, int32_t hi,
                                                  int8_t* out) {
  const int8_t* weights = w;
  const int32_t* pair = scales;
  int32_t c;
#if defined(LATHE_QUAD_WINDOWS)
  if ((height == 3) && (width == 3) && (step == channels) && (tap == channels) && (columns > 0) &&
      (lo == -128) && (hi == 127)) {
    lathe_quad_windows(0, 0, 0, 0, 0, 0, (2 * zero) + 1, (intptr_t)out - (intptr_t)&x[2 * tap], tap,
                       0, &x[(columns + 2) * tap], 0, 0, 0, 0, 0, 0, line, x, w, scales, bias,
                       &bias[channels], 0, 0, 0, 0, 0, 0, 0, 0, 0);
    return;
  }
#endif
  for (c = 0; c < channels; ++c) {
    if ((height == 3) && (width == 3)) {
      lathe_quad_channel_3x3(&x[c], weights, bias[c], pair[0], pair[1] + 1, columns, channels, step,
                             line, tap, zero, lo, hi, &out[c]);
    } else {
      lathe_quad_channel(&x[c], weights, bias[c], pair[0], pair[1] + 1, columns, channels, step,
                         height, line, width, tap, zero, lo, hi, &out[c]);
    }
    weights = &weights[height * width];
    pair = &pair[2];
  }
}

#endif
