/* SPDX-License-Identifier: 0BSD */
/* depthwise.h - int8 depthwise convolutions, one line of the result at a time: sums
 *
 *   bias[c] + x[column * step + ky * line + kx * tap + c] * w[(ky * width + kx) * channels + c] ...
 *
 * for ky < height and kx < width, requantized to int8 (requantize.h). */
#ifndef LATHE_DEPTHWISE_H
#define LATHE_DEPTHWISE_H

#include "requantize.h"

#if defined(LATHE_REQUANTIZE_LANES)
/* Limit of the window sizes for which loops are unrolled and weights kept in registers. */
#define LATHE_DEPTHWISE_WINDOW 5
#define LATHE_DEPTHWISE_PAIRS ((LATHE_DEPTHWISE_WINDOW + 1) / 2)
#if defined(__clang__)
#define LATHE_DEPTHWISE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define LATHE_DEPTHWISE_UNROLL _Pragma("GCC unroll 5")
#endif

/* Loads a vector of channels of one column for each two lines of the window; the last line of an
 * odd number is alone in its vector. */
LATHE_REQUANTIZE_INLINE void lathe_depthwise_column(
    const int8_t* from, const int32_t height, int32_t line,
    lathe_requantize_lanes pairs[LATHE_DEPTHWISE_PAIRS]) {
  int32_t p;
  LATHE_DEPTHWISE_UNROLL
  for (p = 0; p < (height / 2); ++p) {
    pairs[p] = lathe_requantize_interleave(lathe_requantize_widen(&from[2 * p * line]),
                                           lathe_requantize_widen(&from[((2 * p) + 1) * line]));
  }
  if ((height % 2) != 0) {
    pairs[height / 2] = lathe_requantize_widen(&from[(height - 1) * line]);
  }
}

LATHE_REQUANTIZE_INLINE lathe_requantize_lanes
lathe_depthwise_add(const lathe_requantize_lanes a[LATHE_DEPTHWISE_PAIRS],
                    const lathe_requantize_lanes b[LATHE_DEPTHWISE_PAIRS], const int32_t height,
                    lathe_requantize_lanes sum) {
  int32_t p;
  LATHE_DEPTHWISE_UNROLL
  for (p = 0; p < ((height + 1) / 2); ++p) {
    sum = lathe_requantize_add(a[p], b[p], sum);
  }
  return sum;
}

/* Computes a vector of channels for all columns. Weights, biases and factors are contiguous. The
 * last vector may start before a multiple of its length. */
LATHE_REQUANTIZE_INLINE void lathe_depthwise_lanes(const int8_t* x, const int8_t* w,
                                                   const int32_t pitch, const int32_t* bias,
                                                   lathe_requantize_lanes by, const int32_t columns,
                                                   const int32_t step, const int32_t to_step,
                                                   const int32_t height, const int32_t line,
                                                   const int32_t width, const int32_t tap,
                                                   const lathe_requantize way, int8_t* out) {
  const int32_t lanes = LATHE_REQUANTIZE_LANES;
  lathe_requantize_lanes weights[LATHE_DEPTHWISE_WINDOW][LATHE_DEPTHWISE_PAIRS];
  lathe_requantize_lanes here[LATHE_DEPTHWISE_PAIRS];
  const lathe_requantize_lanes first = lathe_requantize_load(bias);
  int32_t column;
  int32_t k;
  LATHE_DEPTHWISE_UNROLL
  for (k = 0; k < width; ++k) {
    lathe_depthwise_column(&w[k * pitch], height, width * pitch, weights[k]);
    if ((height % 2) != 0) {
      weights[k][height / 2] = lathe_requantize_low(weights[k][height / 2]);
    }
  }
  if (step == tap) {
    /* Reads each column of x once for all windows that contain it. */
    lathe_requantize_lanes sums[LATHE_DEPTHWISE_WINDOW];
    LATHE_DEPTHWISE_UNROLL
    for (k = 0; k < LATHE_DEPTHWISE_WINDOW; ++k) {
      sums[k] = first;
    }
    for (column = 1 - width; column < columns; ++column) {
      lathe_depthwise_column(&x[(column + width - 1) * tap], height, line, here);
      LATHE_DEPTHWISE_UNROLL
      for (k = 0; k < width; ++k) {
        sums[k] = lathe_depthwise_add(here, weights[width - 1 - k], height, sums[k]);
      }
      if (column >= 0) {
        lathe_requantize_store(sums[0], by, way, lanes, &out[column * to_step]);
      }
      /* Unrolled, because compilers turn a loop into a memory copy. */
      sums[0] = sums[1];
      sums[1] = sums[2];
      sums[2] = sums[3];
      sums[3] = sums[4];
      sums[width - 1] = first;
    }
    return;
  }
  for (column = 0; column < columns; ++column) {
    lathe_requantize_lanes sum = first;
    LATHE_DEPTHWISE_UNROLL
    for (k = 0; k < width; ++k) {
      lathe_depthwise_column(&x[(column * step) + (k * tap)], height, line, here);
      sum = lathe_depthwise_add(here, weights[k], height, sum);
    }
    lathe_requantize_store(sum, by, way, lanes, &out[column * to_step]);
  }
}
#endif

LATHE_REQUANTIZE_INLINE void lathe_depthwise_i8(
    const int8_t* x, const int8_t* w, const int32_t* bias, const int32_t* factors,
    const int32_t factor, const int32_t columns, const int32_t channels, const int32_t step,
    const int32_t height, const int32_t line, const int32_t width, const int32_t tap,
    const int64_t start, const int32_t shift, const int32_t lo, const int32_t hi, int8_t* out) {
  const lathe_requantize way = {start, shift, lo, hi};
  int32_t column;
  int32_t c = 0;
#if defined(LATHE_REQUANTIZE_LANES)
  const int32_t lanes = LATHE_REQUANTIZE_LANES;
  const int32_t most = LATHE_DEPTHWISE_WINDOW;
  if ((height <= most) && (width <= most) && (channels >= lanes)) {
    /* The last vector may overlap the previous one and recomputes its channels. */
    for (; c < channels; c += lanes) {
      const int32_t at = ((c + lanes) <= channels) ? c : (channels - lanes);
      lathe_depthwise_lanes(
          &x[at], &w[at], channels, &bias[at],
          (factors == NULL) ? lathe_requantize_all(factor) : lathe_requantize_load(&factors[at]),
          columns, step, channels, height, line, width, tap, way, &out[at]);
    }
    return;
  }
  if ((height <= most) && (width <= most) && (step == channels) && ((lanes % channels) == 0) &&
      ((columns * channels) >= lanes)) {
    /* Processes several adjacent columns of few channels as one vector. */
    int8_t weights[LATHE_DEPTHWISE_WINDOW * LATHE_DEPTHWISE_WINDOW * LATHE_REQUANTIZE_LANES];
    int32_t biases[LATHE_REQUANTIZE_LANES];
    int32_t each[LATHE_REQUANTIZE_LANES];
    const int32_t count = columns * channels;
    const int32_t whole = count - (count % lanes);
    int32_t k;
    for (c = 0; c < lanes; ++c) {
      biases[c] = bias[c % channels];
      each[c] = (factors == NULL) ? factor : factors[c % channels];
      for (k = 0; k < (height * width); ++k) {
        weights[(k * lanes) + c] = w[(k * channels) + (c % channels)];
      }
    }
    lathe_depthwise_lanes(x, weights, lanes, biases, lathe_requantize_load(each), whole / lanes,
                          lanes, lanes, height, line, width, tap, way, out);
    if (whole < count) {
      lathe_depthwise_lanes(&x[count - lanes], weights, lanes, biases, lathe_requantize_load(each),
                            1, lanes, lanes, height, line, width, tap, way, &out[count - lanes]);
    }
    return;
  }
#endif
  for (column = 0; column < columns; ++column) {
    for (c = 0; c < channels; ++c) {
      const int8_t* const from = &x[(column * step) + c];
      int32_t sum = bias[c];
      int32_t k;
      for (k = 0; k < (height * width); ++k) {
        const int32_t product = (int32_t)from[((k / width) * line) + ((k % width) * tap)] *
                                (int32_t)w[(k * channels) + c];
        sum = (int32_t)((uint32_t)sum + (uint32_t)product);
      }
      out[(column * channels) + c] =
          lathe_requantize_one(sum, (factors == NULL) ? factor : factors[c], way);
    }
  }
}

#if defined(LATHE_REQUANTIZE_LANES)
#undef LATHE_DEPTHWISE_UNROLL
#undef LATHE_DEPTHWISE_PAIRS
#undef LATHE_DEPTHWISE_WINDOW
#endif

#endif
