/* SPDX-License-Identifier: 0BSD */
/* requantize_one.h - converts one int32 sum to int8:
 *
 *   clamp((sum * factor + start) >> shift, lo, hi)
 *
 * The sum has 32 bits, the product with `start` 64, the shifted result 32. */
#ifndef LATHE_REQUANTIZE_ONE_H
#define LATHE_REQUANTIZE_ONE_H

#include "scalar.h"

#if defined(__GNUC__)
#define LATHE_REQUANTIZE_INLINE static inline __attribute__((always_inline))
#else
#define LATHE_REQUANTIZE_INLINE static inline
#endif

/* Parameters of the requantization. */
typedef struct {
  int64_t start;
  int32_t shift;
  int32_t lo;
  int32_t hi;
} lathe_requantize;

LATHE_REQUANTIZE_INLINE int8_t lathe_requantize_one(int32_t sum, int32_t factor,
                                                    const lathe_requantize way) {
  const int64_t product = (int64_t)sum * (int64_t)factor;
  const int32_t scaled = (int32_t)lathe_asr_i64(product + way.start, (uint32_t)way.shift);
  const int32_t raised = (scaled > way.lo) ? scaled : way.lo;
  return (int8_t)((raised < way.hi) ? raised : way.hi);
}

#endif
