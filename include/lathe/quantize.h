/* SPDX-License-Identifier: 0BSD */
/* lathe/quantize.h - converts between real numbers and the integers of quantized inputs and
 * outputs. The header of a model has a macro for each of these, NAME_QUANTIZE and
 * NAME_DEQUANTIZE. C99 and C++. */
#ifndef LATHE_QUANTIZE_H
#define LATHE_QUANTIZE_H

#include <stdint.h>

#ifdef __cplusplus
#define LATHE_CAST(type, value) static_cast<type>(value)
#else
#define LATHE_CAST(type, value) ((type)(value))
#endif

/* Returns real / scale, rounded to the nearest integer, halves away from zero, plus the zero point,
 * clamped to low..high. NaN gives `low`. The scale is positive; `zero` is one of low..high, which
 * are at most 2^24 apart. */
static inline int32_t lathe_quantize(float real, float scale, int32_t zero, int32_t low,
                                     int32_t high) {
  const float least = LATHE_CAST(float, low - zero);
  const float most = LATHE_CAST(float, high - zero);
  const float steps = real / scale;
  const float clipped = (steps > least) ? ((steps < most) ? steps : most) : least;
  const int32_t whole = LATHE_CAST(int32_t, clipped);
  const float rest = clipped - LATHE_CAST(float, whole);
  return zero + whole + ((rest >= 0.5f) ? 1 : 0) - ((rest <= -0.5f) ? 1 : 0);
}

/* Returns the real number of an element of at most 16 bits. */
static inline float lathe_dequantize(int32_t element, float scale, int32_t zero) {
  return LATHE_CAST(float, element - zero) * scale;
}

#endif /* LATHE_QUANTIZE_H */
