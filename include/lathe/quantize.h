/* SPDX-License-Identifier: 0BSD */
/* lathe/quantize.h - converts between real numbers and the integers of quantized inputs and
 * outputs. The header of a model has a macro for each of these, NAME_QUANTIZE and
 * NAME_DEQUANTIZE. C99 and C++. */
#ifndef LATHE_QUANTIZE_H
#define LATHE_QUANTIZE_H

#include <stdint.h>

/* real / scale, rounded to the nearest integer, halves away from zero, plus the zero point: at
 * least `low`, at most `high`, which differ by less than 2^24. NaN gives `low`. */
static inline int32_t lathe_quantize(float real, float scale, int32_t zero, int32_t low,
                                     int32_t high) {
  const float least = (float)(low - zero);
  const float most = (float)(high - zero);
  const float steps = real / scale;
  const float clipped = (steps > least) ? ((steps < most) ? steps : most) : least;
  const int32_t whole = (int32_t)clipped;
  const float rest = clipped - (float)whole;
  return zero + whole + ((rest >= 0.5f) ? 1 : 0) - ((rest <= -0.5f) ? 1 : 0);
}

static inline float lathe_dequantize(int32_t element, float scale, int32_t zero) {
  return (float)(element - zero) * scale;
}

#endif /* LATHE_QUANTIZE_H */
