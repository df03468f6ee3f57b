/* SPDX-License-Identifier: 0BSD */
/* once_result.h - results of int8 sums with one rounding:
 *
 *   clamp(((sum * factor >> 32) + start) >> shift, lo, hi)
 *
 * `start` is half a unit and the zero point, both shifted to the left. */
#ifndef LATHE_ONCE_RESULT_H
#define LATHE_ONCE_RESULT_H

#include <stdint.h>

#if (-1 >> 1) != -1
#error "shifts to the right must keep the sign"
#endif

static inline int8_t lathe_once_result(int32_t sum, int32_t factor, int32_t start, int32_t shift,
                                       int32_t lo, int32_t hi) {
  const int32_t high = (int32_t)(((int64_t)sum * factor) >> 32);
  const int32_t value = (high + start) >> shift;
  const int32_t raised = (value > lo) ? value : lo;
  return (int8_t)((raised < hi) ? raised : hi);
}

#endif
