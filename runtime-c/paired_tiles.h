/* SPDX-License-Identifier: 0BSD */
/* paired_tiles.h - blocks of four columns and one row or two of products with the weights of two
 * columns in each 16 bits (paired_products.h). Portable code computes the same results from the
 * same weights. The assembly loads words from any address of normal memory, with CCR.UNALIGN_TRP
 * at 0, its value after reset. */
#ifndef LATHE_PAIRED_TILES_H
#define LATHE_PAIRED_TILES_H

#include <stdint.h>

#include "naked.h"
#include "outlined.h"
#include "result_way.h"

/* The scales of column `c`, a multiple of four: with one rounding, a factor of each column; with
 * two, twice the mantissa, less 2^32, and after the first of four columns a word with a byte for
 * each of them, its shift to the right less one. If `each` is 0, all columns have the same. */
LATHE_INLINED const int32_t* lathe_paired_scales(const int32_t* scales, int32_t each, int32_t c,
                                                 const lathe_result_way* way) {
  return &scales[each * (c / 4) * ((way->once != 0) ? 4 : 5)];
}

/* `scales` holds those of four columns. */
static inline int8_t lathe_paired_result(int32_t sum, const int32_t* scales, int32_t column,
                                         const lathe_result_way way) {
  if (way.once == 0) {
    const uint32_t twice = (uint32_t)scales[column + ((column > 0) ? 1 : 0)];
    const uint32_t shifts = (uint32_t)scales[1] >> (8u * (uint32_t)column);
    return lathe_result_by(sum, (int32_t)(twice >> 1), (int32_t)(shifts & 0xFFu) + 1, way);
  }
  return lathe_result_by(sum, scales[column], 0, way);
}

/* The code loads words of bytes at any address, and knows their order. */
#if defined(__ARM_FEATURE_DSP) && defined(__GNUC__) && defined(__thumb2__) && \
    defined(__ARM_FEATURE_UNALIGNED) && !defined(__ARM_BIG_ENDIAN)

#define LATHE_PAIRED_ASM 1
/* The arguments of the functions below: columns from `starts` to `starts_end`, of one row or two.
 * Four that fill registers come first, so that all others are on the stack, where the code finds
 * them at these offsets. The last nine leave room for registers of the caller: the functions need
 * no stack of their own. */
#define LATHE_PAIRED_ARGUMENTS                                                                   \
  LATHE_NAKED_ARGUMENT(int32_t, r0), LATHE_NAKED_ARGUMENT(int32_t, r1),                          \
      LATHE_NAKED_ARGUMENT(int32_t, r2), LATHE_NAKED_ARGUMENT(int32_t, r3),                      \
      LATHE_NAKED_ARGUMENT(const void*, x),             /*  0: the elements of rows */           \
      LATHE_NAKED_ARGUMENT(const int8_t*, w),           /*  4 */                                 \
      LATHE_NAKED_ARGUMENT(int32_t, entry),             /*  8: where to enter the loop */        \
      LATHE_NAKED_ARGUMENT(const int32_t*, starts),     /* 12 */                                 \
      LATHE_NAKED_ARGUMENT(const int32_t*, starts_end), /* 16 */                                 \
      LATHE_NAKED_ARGUMENT(const void*, x_end),         /* 20 */                                 \
      LATHE_NAKED_ARGUMENT(const int32_t*, scales),     /* 24 */                                 \
      LATHE_NAKED_ARGUMENT(int8_t*, out),               /* 28: of the row */                     \
      LATHE_NAKED_ARGUMENT(int8_t*, next),              /* 32: of the second row */              \
      LATHE_NAKED_ARGUMENT(int32_t, round),             /* 36: 2 * zero + 1, or start */         \
      LATHE_NAKED_ARGUMENT(int32_t, advance),           /* 40: bytes of the scales of a block */ \
      LATHE_NAKED_ARGUMENT(int32_t, shift),             /* 44: of one rounding */                \
      LATHE_NAKED_ARGUMENT(int32_t, r4), LATHE_NAKED_ARGUMENT(int32_t, r5),                      \
      LATHE_NAKED_ARGUMENT(int32_t, r6), LATHE_NAKED_ARGUMENT(int32_t, r7),                      \
      LATHE_NAKED_ARGUMENT(int32_t, r8), LATHE_NAKED_ARGUMENT(int32_t, r9),                      \
      LATHE_NAKED_ARGUMENT(int32_t, r10), LATHE_NAKED_ARGUMENT(int32_t, r11),                    \
      LATHE_NAKED_ARGUMENT(int32_t, lr)
/* `LENGTH` is the number of elements of `X`, as it is declared. The loop is entered to compute
 * `FIRST` groups of four elements in its first turn. */
#define LATHE_PAIRED_CALL(FUNCTION, X, LENGTH, FIRST, W, STARTS, COLUMNS, SCALES, ADVANCE, ROUND, \
                          SHIFT, OUT, NEXT)                                                       \
  FUNCTION(0, 0, 0, 0, (X), (W), (FIRST), (STARTS), &(STARTS)[COLUMNS], &(X)[LENGTH], (SCALES),   \
           (OUT), (NEXT), (ROUND), (ADVANCE), (SHIFT), 0, 0, 0, 0, 0, 0, 0, 0, 0)

/* clang-format off */
/* Multiplies two elements of two rows by four columns. */
#define LATHE_PAIRED_HALF_2    \
  "ldrd r2, r3, [r0], #8\n\t"  \
  "ldrd r12, lr, [r1], #8\n\t" \
  "smlad r4, r12, r2, r4\n\t"  \
  "smlad r8, r12, r3, r8\n\t"  \
  "sxtb16 r12, r12\n\t"        \
  "smlad r5, r12, r2, r5\n\t"  \
  "smlad r9, r12, r3, r9\n\t"  \
  "smlad r6, lr, r2, r6\n\t"   \
  "smlad r10, lr, r3, r10\n\t" \
  "sxtb16 lr, lr\n\t"          \
  "smlad r7, lr, r2, r7\n\t"   \
  "smlad r11, lr, r3, r11\n\t"
#define LATHE_PAIRED_FOUR_2 LATHE_PAIRED_HALF_2 LATHE_PAIRED_HALF_2

/* Multiplies two elements of one row, in register X, by four columns. */
#define LATHE_PAIRED_HALF_1(X, SUM0, SUM1, SUM2, SUM3) \
  "ldrd r12, lr, [r1], #8\n\t"                         \
  "smlad " SUM0 ", r12, " X ", " SUM0 "\n\t"           \
  "sxtb16 r12, r12\n\t"                                \
  "smlad " SUM1 ", r12, " X ", " SUM1 "\n\t"           \
  "smlad " SUM2 ", lr, " X ", " SUM2 "\n\t"            \
  "sxtb16 lr, lr\n\t"                                  \
  "smlad " SUM3 ", lr, " X ", " SUM3 "\n\t"
#define LATHE_PAIRED_FOUR_1                         \
  "ldrd r2, r3, [r0], #8\n\t"                       \
  LATHE_PAIRED_HALF_1("r2", "r4", "r5", "r6", "r7") \
  LATHE_PAIRED_HALF_1("r3", "r4", "r5", "r6", "r7")

/* Enters the loop, which is unrolled, so that its last turn is whole. */
#define LATHE_PAIRED_LOOP(FOUR)                                           \
  "tbh [pc, r2, lsl #1]\n"                                                \
  "0:\n\t"                                                                \
  ".hword (1f - 0b) / 2, (8f - 0b) / 2, (7f - 0b) / 2, (6f - 0b) / 2\n\t" \
  ".hword (5f - 0b) / 2, (4f - 0b) / 2, (3f - 0b) / 2, (2f - 0b) / 2\n"   \
  "1:\n\t" FOUR "2:\n\t" FOUR "3:\n\t" FOUR "4:\n\t" FOUR                 \
  "5:\n\t" FOUR "6:\n\t" FOUR "7:\n\t" FOUR "8:\n\t" FOUR                 \
  LATHE_PAIRED_AGAIN
#define LATHE_PAIRED_AGAIN \
  "ldr r2, [sp, #20]\n\t"  \
  "cmp r0, r2\n\t"         \
  "bne 1b\n\t"             \
  "str r1, [sp, #4]\n\t"

#define LATHE_PAIRED_ENTER  \
  "add r12, sp, #48\n\t"    \
  "stm r12, {r4-r11, lr}\n" \
  "9:\n\t"                  \
  "ldm sp, {r0-r3}\n\t"
#define LATHE_PAIRED_START_1 \
  "ldm r3!, {r4-r7}\n\t"     \
  "str r3, [sp, #12]\n\t"
#define LATHE_PAIRED_START_2 \
  "ldm r3, {r4-r7}\n\t"      \
  "ldm r3!, {r8-r11}\n\t"    \
  "str r3, [sp, #12]\n\t"
#define LATHE_PAIRED_LEAVE     \
  "ldrd r2, r3, [sp, #12]\n\t" \
  "cmp r2, r3\n\t"             \
  "bne 9b\n\t"                 \
  "add r12, sp, #48\n\t"       \
  "ldm r12, {r4-r11, pc}\n\t"

/* Separates the sums of two columns. */
#define LATHE_PAIRED_SPLIT(MIXED, LOW)    \
  "sub " MIXED ", " MIXED ", " LOW "\n\t" \
  "asr " MIXED ", " MIXED ", #8\n\t"

/* Stores the results of a block of two rows, or one, by FIRST and NEXT, which load the scales of its
 * columns in turn, and RESULT. BEGIN completes what these need. */
#define LATHE_PAIRED_COLUMNS_2(SCALE0, SCALE1, RESULT, MIXED0, LOW0, MIXED1, LOW1) \
  LATHE_PAIRED_SPLIT(MIXED0, LOW0)                                                 \
  LATHE_PAIRED_SPLIT(MIXED1, LOW1)                                                 \
  SCALE0                                                                           \
  RESULT(LOW0, "r2")                                                               \
  RESULT(LOW1, "r3")                                                               \
  SCALE1                                                                           \
  RESULT(MIXED0, "r2")                                                             \
  RESULT(MIXED1, "r3")
#define LATHE_PAIRED_COLUMNS_1(SCALE0, SCALE1, RESULT, MIXED, LOW) \
  LATHE_PAIRED_SPLIT(MIXED, LOW)                                   \
  SCALE0                                                           \
  RESULT(LOW, "r2")                                                \
  SCALE1                                                           \
  RESULT(MIXED, "r2")
#define LATHE_PAIRED_RESULTS(BEGIN, COLUMNS) \
  "add r0, sp, #24\n\t"                      \
  "ldm r0, {r1, r2, r3, r12}\n\t"            \
  BEGIN                                      \
  COLUMNS                                    \
  LATHE_PAIRED_ADVANCE                       \
  "add r12, sp, #24\n\t"                     \
  "stm r12, {r1, r2, r3}\n\t"
/* To the scales of the next four columns. */
#define LATHE_PAIRED_ADVANCE \
  "ldr r4, [sp, #40]\n\t"    \
  "add r1, r1, r4\n\t"
#define LATHE_PAIRED_ASSEMBLY_2(BEGIN, FIRST, NEXT, RESULT)                                 \
  __asm__(LATHE_PAIRED_ENTER LATHE_PAIRED_START_2 LATHE_PAIRED_LOOP(LATHE_PAIRED_FOUR_2)    \
          LATHE_PAIRED_RESULTS(BEGIN,                                                       \
            LATHE_PAIRED_COLUMNS_2(FIRST, NEXT("1"), RESULT, "r4", "r5", "r8", "r9")        \
            LATHE_PAIRED_COLUMNS_2(NEXT("2"), NEXT("3"), RESULT, "r6", "r7", "r10", "r11")) \
          LATHE_PAIRED_LEAVE)
#define LATHE_PAIRED_ASSEMBLY_1(BEGIN, FIRST, NEXT, RESULT)                              \
  __asm__(LATHE_PAIRED_ENTER LATHE_PAIRED_START_1 LATHE_PAIRED_LOOP(LATHE_PAIRED_FOUR_1) \
          LATHE_PAIRED_RESULTS(BEGIN,                                                    \
            LATHE_PAIRED_COLUMNS_1(FIRST, NEXT("1"), RESULT, "r4", "r5")                 \
            LATHE_PAIRED_COLUMNS_1(NEXT("2"), NEXT("3"), RESULT, "r6", "r7"))            \
          LATHE_PAIRED_LEAVE)
/* clang-format on */

#else

/* The weight of a column of the block for element `at` of the four that follow each other. */
static inline int32_t lathe_paired_weight(const int8_t* four, int32_t column, int32_t at) {
  const int8_t* const both = &four[((at % 2) * 8) + ((column / 2) * 4) + ((at / 2) * 2)];
  return ((column % 2) == 0) ? both[0] : (both[1] + ((both[0] < 0) ? 1 : 0));
}

/* The sums of two columns as one number each. */
static inline int32_t lathe_paired_sum(const int32_t sums[4], int32_t column) {
  const int32_t* const both = &sums[column - (column % 2)];
  const int32_t rest = (int32_t)((uint32_t)both[0] - (uint32_t)both[1]);
  return ((column % 2) == 0) ? both[1] : (rest / 256); /* exact */
}

/* The sums of a block of four columns, of one row. */
static inline void lathe_paired_sums(const int8_t* w, const int32_t* starts, int32_t fours,
                                     const int8_t* bytes, int32_t sums[4]) {
  int32_t c;
  int32_t k;
  for (c = 0; c < 4; c += 2) {
    uint32_t mixed = (uint32_t)starts[c];
    uint32_t low = (uint32_t)starts[c + 1];
    for (k = 0; k < (4 * fours); ++k) {
      const int32_t x = bytes[k];
      const int32_t a = lathe_paired_weight(&w[16 * (k / 4)], c, k % 4);
      const int32_t b = lathe_paired_weight(&w[16 * (k / 4)], c + 1, k % 4);
      low += (uint32_t)(x * a);
      mixed += (uint32_t)(x * (a + (256 * b)));
    }
    sums[c] = (int32_t)mixed;
    sums[c + 1] = (int32_t)low;
  }
}

/* As the tiles of assembly: blocks of four columns, of one row or two. */
static inline void lathe_paired_tile(const int32_t* x, int32_t fours, int32_t rows, const int8_t* w,
                                     const int32_t* starts, int32_t columns, const int32_t* scales,
                                     int32_t each, const lathe_result_way* way, int8_t* out,
                                     int8_t* next) {
  int32_t c;
  int32_t r;
  int32_t i;
  for (c = 0; c < columns; c += 4) {
    for (r = 0; r < rows; ++r) {
      int32_t sums[4];
      int8_t* const to = (r == 0) ? out : next;
      lathe_paired_sums(&w[4 * fours * c], &starts[c], fours, (const int8_t*)&x[r * fours], sums);
      for (i = 0; i < 4; ++i) {
        to[c + i] = lathe_paired_result(lathe_paired_sum(sums, i),
                                        lathe_paired_scales(scales, each, c, way), i, *way);
      }
    }
  }
}

#endif

/* Raises and lowers results to lo and hi. */
static inline void lathe_paired_limit(int8_t* out, int32_t count, int32_t lo, int32_t hi) {
  int32_t i;
  for (i = 0; i < count; ++i) {
    const int32_t raised = (out[i] > lo) ? out[i] : lo;
    out[i] = (int8_t)((raised < hi) ? raised : hi);
  }
}

#endif
