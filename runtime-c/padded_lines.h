/* SPDX-License-Identifier: 0BSD */
/* padded_lines.h - copies lines of an image, with padding, for the windows of one output line.
 *
 * Line y < lines is line top + y * dilation of `x`, which has `height` lines of `length`
 * elements; outside of it all elements are `zero`. `before` such elements are before each line
 * and `after` of them after it; without `edges`, they are there from an earlier call. Only the
 * last `fresh` lines are read from `x`; those above are lines of the earlier call, which move up.
 * So each line of `x` is read once, and a result may replace lines that were read.
 *
 * With a `height` of 0, nothing is read: the lines of the earlier call move up, and the fresh ones
 * are padding, for lines that a joined layer then computes in their place. */
#ifndef LATHE_PADDED_LINES_H
#define LATHE_PADDED_LINES_H

#include <stdint.h>
#include <string.h>

#include "copy_words.h"
#include "outlined.h"

LATHE_OUTLINED void lathe_padded_lines_i8(const int8_t* x, int32_t top, int32_t height,
                                          int32_t length, int32_t before, int32_t after,
                                          int32_t lines, int32_t dilation, int32_t fresh,
                                          int32_t zero, int32_t edges, int8_t* out) {
  const int32_t whole = before + length + after;
  int32_t y;
  for (y = 0; y < lines; ++y) {
    const int32_t line = top + (y * dilation);
    int8_t* const to = &out[y * whole];
    if (y < (lines - fresh)) {
      lathe_copy_elements(&to[(fresh * whole) + before], length, &to[before]);
      continue;
    }
    if ((line >= 0) && (line < height)) {
      if (edges != 0) {
        (void)memset(to, zero, (size_t)before);
        (void)memset(&to[before + length], zero, (size_t)after);
      }
      lathe_copy_elements(&x[line * length], length, &to[before]);
    } else {
      (void)memset(to, zero, (size_t)whole);
    }
  }
}

#endif
