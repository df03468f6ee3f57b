/* SPDX-License-Identifier: 0BSD */
/* paired_row_tiles.h - rows of paired_row.h, one at a time: blocks of eight columns and the
 * elements of a row as they are in memory. Portable code computes the same results from the same
 * weights. */
#ifndef LATHE_PAIRED_ROW_TILES_H
#define LATHE_PAIRED_ROW_TILES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "copy_words.h"
#include "outlined.h"
#include "paired_tiles.h"
#include "result_way.h"

#if defined(LATHE_PAIRED_ASM)
/* clang-format off */
/* Multiplies four elements by eight columns: elements 0 and 2, then 1 and 3. */
#define LATHE_PAIRED_ROW_HALF(X)                 \
  LATHE_PAIRED_HALF_1(X, "r4", "r5", "r6", "r7") \
  LATHE_PAIRED_HALF_1(X, "r8", "r9", "r10", "r11")
#define LATHE_PAIRED_ROW_FOUR \
  "ldr r3, [r0], #4\n\t"      \
  "sxtb16 r2, r3\n\t"         \
  "sxtb16 r3, r3, ror #8\n\t" \
  LATHE_PAIRED_ROW_HALF("r2") \
  LATHE_PAIRED_ROW_HALF("r3")
/* As LATHE_PAIRED_LOOP, but with fewer groups in a turn. */
#define LATHE_PAIRED_ROW_TURN 6
#define LATHE_PAIRED_ROW_LOOP(FOUR)                                       \
  "tbh [pc, r2, lsl #1]\n"                                                \
  "0:\n\t"                                                                \
  ".hword (1f - 0b) / 2, (6f - 0b) / 2, (5f - 0b) / 2, (4f - 0b) / 2\n\t" \
  ".hword (3f - 0b) / 2, (2f - 0b) / 2\n"                                 \
  "1:\n\t" FOUR "2:\n\t" FOUR "3:\n\t" FOUR                               \
  "4:\n\t" FOUR "5:\n\t" FOUR "6:\n\t" FOUR                               \
  LATHE_PAIRED_AGAIN
#define LATHE_PAIRED_ROW_START \
  "ldm r3!, {r4-r11}\n\t"      \
  "str r3, [sp, #12]\n\t"
#define LATHE_PAIRED_ROW_ASSEMBLY(BEGIN, FIRST, NEXT, RESULT)                   \
  __asm__(LATHE_PAIRED_ENTER LATHE_PAIRED_ROW_START                             \
          LATHE_PAIRED_ROW_LOOP(LATHE_PAIRED_ROW_FOUR)                          \
          LATHE_PAIRED_RESULTS(BEGIN,                                           \
            LATHE_PAIRED_COLUMNS_1(FIRST, NEXT("1"), RESULT, "r4", "r5")        \
            LATHE_PAIRED_COLUMNS_1(NEXT("2"), NEXT("3"), RESULT, "r6", "r7")    \
            LATHE_PAIRED_ADVANCE                                                \
            LATHE_PAIRED_COLUMNS_1(FIRST, NEXT("1"), RESULT, "r8", "r9")        \
            LATHE_PAIRED_COLUMNS_1(NEXT("2"), NEXT("3"), RESULT, "r10", "r11")) \
          LATHE_PAIRED_LEAVE)
/* clang-format on */
#else

/* The sums of a pair of columns, of which `w` holds the first weights. */
static inline void lathe_paired_row_sums(const int8_t* x, int32_t fours, const int8_t* w,
                                         const int32_t starts[2], int32_t sums[2]) {
  int32_t first = starts[1];
  int32_t second = (int32_t)((uint32_t)starts[0] - (uint32_t)starts[1]) / 256; /* exact */
  int32_t k;
  for (k = 0; k < (4 * fours); ++k) {
    const int8_t* const both = &w[(32 * (k / 4)) + (16 * (k % 2)) + (2 * ((k % 4) / 2))];
    first += x[k] * both[0];
    second += x[k] * (both[1] + ((both[0] < 0) ? 1 : 0));
  }
  sums[0] = first;
  sums[1] = second;
}

/* As the assembly: blocks of eight columns. */
static inline void lathe_paired_row_tile(const int8_t* x, int32_t fours, const int8_t* w,
                                         const int32_t* starts, int32_t columns,
                                         const int32_t* scales, int32_t each,
                                         const lathe_result_way* way, int8_t* out) {
  int32_t c;
  for (c = 0; c < columns; c += 2) {
    const int32_t* const group = lathe_paired_scales(scales, each, c - (c % 4), way);
    int32_t sums[2];
    lathe_paired_row_sums(x, fours, &w[(4 * fours * (c - (c % 8))) + (2 * (c % 8))], &starts[c],
                          sums);
    out[c] = lathe_paired_result(sums[0], group, c % 4, *way);
    out[c + 1] = lathe_paired_result(sums[1], group, (c + 1) % 4, *way);
  }
}

#endif

/* Copies the pieces of a row next to each other, and zeros to a multiple of four elements. */
static inline void lathe_paired_row_gather(const int8_t* x, int32_t pieces, int32_t pitch,
                                           int32_t count, int32_t elements, int8_t* to) {
  int32_t p;
  for (p = 0; p < pieces; ++p) {
    lathe_copy_elements(&x[p * pitch], count, &to[p * count]);
  }
  (void)memset(&to[pieces * count], 0, (size_t)(elements - (pieces * count)));
}

/* Computes `columns`, a multiple of eight, with results from -128 to 127. */
typedef void (*lathe_paired_row_columns)(const int8_t* x, int32_t fours, const int8_t* w,
                                         const int32_t* starts, int32_t columns,
                                         const int32_t* scales, int32_t each,
                                         const lathe_result_way* way, int8_t* out);

LATHE_INLINED void lathe_paired_row(lathe_paired_row_columns compute, const int8_t* x,
                                    const int8_t* w, const int32_t* starts, const int32_t* scales,
                                    int8_t* scratch, int32_t rows, int32_t step, int32_t pieces,
                                    int32_t pitch, int32_t count, int32_t columns, int32_t each,
                                    int32_t gathered, const lathe_result_way* way, int8_t* out) {
  const int32_t fours = ((pieces * count) + 3) / 4;
  const int32_t whole = columns - (columns % 8);
  int32_t r;
  for (r = 0; r < rows; ++r) {
    const int8_t* row = &x[r * step];
    int8_t* const to = &out[r * columns];
    if (gathered != 0) {
      lathe_paired_row_gather(row, pieces, pitch, count, 4 * fours, scratch);
      row = scratch;
    }
    if (whole > 0) {
      compute(row, fours, w, starts, whole, scales, each, way, to);
    }
    if (whole < columns) {
      int8_t block[8];
      compute(row, fours, &w[4 * fours * whole], &starts[whole], 8,
              lathe_paired_scales(scales, each, whole, way), each, way, block);
      (void)memcpy(&to[whole], block, (size_t)(columns - whole));
    }
    if ((way->lo > -128) || (way->hi < 127)) {
      lathe_paired_limit(to, columns, way->lo, way->hi);
    }
  }
}

#endif
