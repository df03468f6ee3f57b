/* SPDX-License-Identifier: 0BSD */
/* quad_depthwise.h - int8 depthwise convolutions for cores that multiply one element at a time, one
 * line of the result at a time: sums
 *
 *   bias[c] + x[column * step + ky * line + kx * tap + c] * w[(c * height + ky) * width + kx] ...
 *
 * for ky < height and kx < width, requantized to int8.
 *
 * The channel is the outer loop, so that the nine weights of a window of 3 x 3 stay in registers.
 * Every channel has a mantissa and a shift to the right less one (fixed_point.h). */
#ifndef LATHE_QUAD_DEPTHWISE_H
#define LATHE_QUAD_DEPTHWISE_H

#include "fixed_point.h"

/* One channel; `out` and `x` are at its first column. */
static inline void lathe_quad_channel_3x3(const int8_t* x, const int8_t* w, int32_t bias,
                                          int32_t mantissa, int32_t right, int32_t columns,
                                          int32_t channels, int32_t step, int32_t line, int32_t tap,
                                          int32_t zero, int32_t lo, int32_t hi, int8_t* out) {
  const int32_t w0 = w[0], w1 = w[1], w2 = w[2];
  const int32_t w3 = w[3], w4 = w[4], w5 = w[5];
  const int32_t w6 = w[6], w7 = w[7], w8 = w[8];
  const int8_t* const end = &x[columns * step];
  while (x != end) {
    const int8_t* const middle = &x[tap];
    const int8_t* const last = &middle[tap];
    int32_t sum = bias + (x[0] * w0) + (middle[0] * w1) + (last[0] * w2);
    sum += (x[line] * w3) + (middle[line] * w4) + (last[line] * w5);
    sum += (x[2 * line] * w6) + (middle[2 * line] * w7) + (last[2 * line] * w8);
    *out = lathe_result_right(sum, mantissa, right, zero, lo, hi);
    out += channels;
    x += step;
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
#if defined(__GNUC__)
__attribute__((noinline, unused))
#endif
static void
lathe_quad_depthwise_twice_i8(const int8_t* x, const int8_t* w, const int32_t* bias,
                              const int32_t* scales, int32_t columns, int32_t channels,
                              int32_t step, int32_t height, int32_t line, int32_t width,
                              int32_t tap, int32_t zero, int32_t lo, int32_t hi, int8_t* out) {
  int32_t c;
  for (c = 0; c < channels; ++c) {
    if ((height == 3) && (width == 3)) {
      lathe_quad_channel_3x3(&x[c], w, bias[c], scales[0], scales[1] + 1, columns, channels, step,
                             line, tap, zero, lo, hi, &out[c]);
    } else {
      lathe_quad_channel(&x[c], w, bias[c], scales[0], scales[1] + 1, columns, channels, step,
                         height, line, width, tap, zero, lo, hi, &out[c]);
    }
    w = &w[height * width];
    scales = &scales[2];
  }
}

#endif
