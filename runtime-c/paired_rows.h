/* SPDX-License-Identifier: 0BSD */
/* paired_rows.h - the rows of paired_products.h, two at a time: widened, then multiplied by blocks
 * of four columns. */
#ifndef LATHE_PAIRED_ROWS_H
#define LATHE_PAIRED_ROWS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "outlined.h"
#include "paired_tiles.h"
#include "result_way.h"

#if defined(LATHE_PAIRED_ASM)

/* Extends bytes 0 and 2, then 1 and 3, of words to 16 bits, from one row or from two in turns. */
static inline int32_t* lathe_paired_widen_1(const int8_t* from, int32_t words, int32_t* to) {
  int32_t left = words;
  uint32_t even;
  uint32_t odd;
  __asm__ volatile(
      "1:\n\t"
      "ldr %[odd], [%[from]], #4\n\t"
      "sxtb16 %[even], %[odd]\n\t"
      "sxtb16 %[odd], %[odd], ror #8\n\t"
      "strd %[even], %[odd], [%[to]], #8\n\t"
      "subs %[left], %[left], #1\n\t"
      "bne 1b\n\t"
      : [from] "+r"(from), [to] "+r"(to), [left] "+r"(left), [even] "=&r"(even), [odd] "=&r"(odd)
      :
      : "memory", "cc");
  return to;
}
static inline int32_t* lathe_paired_widen_2(const int8_t* from, const int8_t* next, int32_t words,
                                            int32_t* to) {
  int32_t left = words;
  uint32_t a;
  uint32_t b;
  uint32_t even;
  uint32_t odd;
  __asm__ volatile(
      "1:\n\t"
      "ldr %[a], [%[from]], #4\n\t"
      "ldr %[b], [%[next]], #4\n\t"
      "sxtb16 %[even], %[a]\n\t"
      "sxtb16 %[odd], %[b]\n\t"
      "strd %[even], %[odd], [%[to]], #8\n\t"
      "sxtb16 %[a], %[a], ror #8\n\t"
      "sxtb16 %[b], %[b], ror #8\n\t"
      "strd %[a], %[b], [%[to]], #8\n\t"
      "subs %[left], %[left], #1\n\t"
      "bne 1b\n\t"
      : [from] "+r"(from), [next] "+r"(next), [to] "+r"(to), [left] "+r"(left), [a] "=&r"(a),
        [b] "=&r"(b), [even] "=&r"(even), [odd] "=&r"(odd)
      :
      : "memory", "cc");
  return to;
}

/* The pieces of one row or two (`rows`), widened. */
LATHE_OUTLINED void lathe_paired_widen(const int8_t* x, int32_t rows, int32_t step, int32_t pieces,
                                       int32_t pitch, int32_t count, int32_t* to) {
  const int32_t words = count / 4;
  const int32_t rest = count % 4;
  int32_t p;
  for (p = 0; p < pieces; ++p) {
    const int8_t* const piece = &x[p * pitch];
    const int8_t* const second = (rows == 2) ? &piece[step] : piece;
    int8_t few[8];
    if (words > 0) {
      to = (rows == 2) ? lathe_paired_widen_2(piece, second, words, to)
                       : lathe_paired_widen_1(piece, words, to);
    } else {
      int32_t k;
      for (k = 0; k < 4; ++k) {
        few[k] = (k < rest) ? piece[k] : 0;
        few[4 + k] = (k < rest) ? second[k] : 0;
      }
    }
    if (rest > 0) {
      const int8_t* const last = (words > 0) ? &piece[count - 4] : few;
      const int8_t* const next = (words > 0) ? &second[count - 4] : &few[4];
      to =
          (rows == 2) ? lathe_paired_widen_2(last, next, 1, to) : lathe_paired_widen_1(last, 1, to);
    }
  }
}

#else

/* The bytes as they are: first those of one row, then those of the other. */
static inline void lathe_paired_widen(const int8_t* x, int32_t rows, int32_t step, int32_t pieces,
                                      int32_t pitch, int32_t count, int32_t* to) {
  const size_t whole = (size_t)(count - (count % 4));
  const size_t rest = (size_t)(count % 4);
  int8_t* bytes = (int8_t*)to;
  int32_t r;
  int32_t p;
  for (r = 0; r < rows; ++r) {
    for (p = 0; p < pieces; ++p) {
      const int8_t* const piece = &x[(r * step) + (p * pitch)];
      (void)memcpy(bytes, piece, whole);
      bytes = &bytes[whole];
      if (rest > 0u) {
        (void)memset(bytes, 0, 4u);
        (void)memcpy(bytes, (whole > 0u) ? &piece[count - 4] : piece, (whole > 0u) ? 4u : rest);
        bytes = &bytes[4];
      }
    }
  }
}

#endif

/* Computes `columns`, a multiple of four, of one row or two, with results from -128 to 127. */
typedef void (*lathe_paired_columns)(const int32_t* x, int32_t fours, int32_t rows, const int8_t* w,
                                     const int32_t* starts, int32_t columns, const int32_t* scales,
                                     int32_t each, const lathe_result_way* way, int8_t* out,
                                     int8_t* next);

/* The same for `left` rows, one or two. Compilers that know that no row is computed `alone` drop
 * the code for one. */
LATHE_INLINED void lathe_paired_compute(lathe_paired_columns compute, const int32_t* x,
                                        int32_t fours, int32_t left, int32_t alone, const int8_t* w,
                                        const int32_t* starts, int32_t columns,
                                        const int32_t* scales, int32_t each,
                                        const lathe_result_way* way, int8_t* out, int8_t* next) {
  if ((alone != 0) && (left == 1)) {
    compute(x, fours, 1, w, starts, columns, scales, each, way, out, next);
  } else {
    compute(x, fours, 2, w, starts, columns, scales, each, way, out, next);
  }
}

/* The columns after the last whole block: the results of a block of which some are not kept. */
LATHE_INLINED void lathe_paired_rest(lathe_paired_columns compute, const int32_t* x, int32_t fours,
                                     int32_t left, int32_t alone, const int8_t* w,
                                     const int32_t* starts, int32_t columns, const int32_t* scales,
                                     int32_t each, const lathe_result_way* way, int8_t* out) {
  const int32_t whole = columns - (columns % 4);
  int8_t block[8];
  int32_t c;
  lathe_paired_compute(compute, x, fours, left, alone, &w[4 * fours * whole], &starts[whole], 4,
                       lathe_paired_scales(scales, each, whole, way), each, way, block, &block[4]);
  for (c = whole; c < columns; ++c) {
    out[c] = block[c - whole];
    if (left == 2) {
      out[columns + c] = block[4 + c - whole];
    }
  }
}

/* An odd row at the end is computed `alone`, or as two equal ones. */
LATHE_INLINED void lathe_paired_rows(lathe_paired_columns compute, const int8_t* x, const int8_t* w,
                                     const int32_t* starts, const int32_t* scales, int32_t* scratch,
                                     int32_t rows, int32_t step, int32_t pieces, int32_t pitch,
                                     int32_t count, int32_t columns, int32_t each, int32_t alone,
                                     const lathe_result_way* way, int8_t* out) {
  const int32_t fours = pieces * ((count + 3) / 4);
  const int32_t whole = columns - (columns % 4);
  int32_t r;
  for (r = 0; r < rows; r += 2) {
    const int32_t left = ((r + 2) <= rows) ? 2 : 1;
    int8_t* const to = &out[r * columns];
    int8_t* const next = (left == 2) ? &to[columns] : to;
    if ((alone != 0) && (left == 1)) {
      lathe_paired_widen(&x[r * step], 1, step, pieces, pitch, count, scratch);
    } else {
      lathe_paired_widen(&x[r * step], 2, (left == 2) ? step : 0, pieces, pitch, count, scratch);
    }
    if (whole > 0) {
      lathe_paired_compute(compute, scratch, fours, left, alone, w, starts, whole, scales, each,
                           way, to, next);
    }
    if (whole < columns) {
      lathe_paired_rest(compute, scratch, fours, left, alone, w, starts, columns, scales, each, way,
                        to);
    }
    if ((way->lo > -128) || (way->hi < 127)) {
      lathe_paired_limit(to, left * columns, way->lo, way->hi);
    }
  }
}

#endif
