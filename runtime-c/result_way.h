/* SPDX-License-Identifier: 0BSD */
/* result_way.h - results of sums with one rounding (once_result.h) or two (fixed_point.h). */
#ifndef LATHE_RESULT_WAY_H
#define LATHE_RESULT_WAY_H

#include "fixed_point.h"
#include "once_result.h"
#include "outlined.h"

/* With two roundings, `zero` is the zero point; with one, `start` and `shift` are used. */
typedef struct {
  int32_t once;
  int32_t zero;
  int32_t start;
  int32_t shift;
  int32_t lo;
  int32_t hi;
} lathe_result_way;

/* `factor` is a mantissa, which is shifted to the right by `right`; with one rounding, `right` is
 * not used. */
LATHE_INLINED int8_t lathe_result_by(int32_t sum, int32_t factor, int32_t right,
                                     const lathe_result_way way) {
  return (way.once != 0) ? lathe_once_result(sum, factor, way.start, way.shift, way.lo, way.hi)
                         : lathe_result_right(sum, factor, right, way.zero, way.lo, way.hi);
}
/* `scale` is a mantissa and a shift to the right less one, or a factor. */
LATHE_INLINED int8_t lathe_result_of(int32_t sum, const int32_t* scale,
                                     const lathe_result_way way) {
  return lathe_result_by(sum, scale[0], (way.once != 0) ? 0 : (scale[1] + 1), way);
}

#endif
