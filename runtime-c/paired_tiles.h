/* SPDX-License-Identifier: 0BSD */
/* paired_tiles.h - sums of products with the weights of two columns in each 16 bits
 * (paired_products.h): blocks of four columns and one row or two. Portable code computes the same
 * sums from the same weights. The assembly loads words from any address of normal memory, with
 * CCR.UNALIGN_TRP at 0, its value after reset. */
#ifndef LATHE_PAIRED_TILES_H
#define LATHE_PAIRED_TILES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "naked.h"
#include "outlined.h"

/* The code loads words of bytes at any address, and knows their order. */
#if defined(__ARM_FEATURE_DSP) && defined(__GNUC__) && defined(__thumb2__) && \
    defined(__ARM_FEATURE_UNALIGNED) && !defined(__ARM_BIG_ENDIAN)

#define LATHE_PAIRED_ASM 1
/* The arguments of the functions below: columns from `starts` to `starts_end`, of one row or two.
 * Four that fill registers come first, so that all others are on the stack, where the code finds
 * them at these offsets. The last nine leave room for registers of the caller: the functions need
 * no stack of their own. */
#define LATHE_PAIRED_ARGUMENTS                                                                \
  LATHE_NAKED_ARGUMENT(int32_t, r0), LATHE_NAKED_ARGUMENT(int32_t, r1),                       \
      LATHE_NAKED_ARGUMENT(int32_t, r2), LATHE_NAKED_ARGUMENT(int32_t, r3),                   \
      LATHE_NAKED_ARGUMENT(const int32_t*, x),          /*  0: the widened rows */            \
      LATHE_NAKED_ARGUMENT(const int32_t*, x_end),      /*  4 */                              \
      LATHE_NAKED_ARGUMENT(int32_t, entry),             /*  8: where to enter the loop */     \
      LATHE_NAKED_ARGUMENT(const int8_t*, w),           /* 12 */                              \
      LATHE_NAKED_ARGUMENT(const int32_t*, starts),     /* 16 */                              \
      LATHE_NAKED_ARGUMENT(const int32_t*, starts_end), /* 20 */                              \
      LATHE_NAKED_ARGUMENT(const int32_t*, scales),     /* 24 */                              \
      LATHE_NAKED_ARGUMENT(int8_t*, out),               /* 28: of the row */                  \
      LATHE_NAKED_ARGUMENT(int8_t*, next),              /* 32: of the second row */           \
      LATHE_NAKED_ARGUMENT(int32_t, round),             /* 36: 2 * zero + 1; or shift - 32 */ \
      LATHE_NAKED_ARGUMENT(int32_t, start_low),         /* 40: of one rounding */             \
      LATHE_NAKED_ARGUMENT(int32_t, start_high), LATHE_NAKED_ARGUMENT(int32_t, r4),           \
      LATHE_NAKED_ARGUMENT(int32_t, r5), LATHE_NAKED_ARGUMENT(int32_t, r6),                   \
      LATHE_NAKED_ARGUMENT(int32_t, r7), LATHE_NAKED_ARGUMENT(int32_t, r8),                   \
      LATHE_NAKED_ARGUMENT(int32_t, r9), LATHE_NAKED_ARGUMENT(int32_t, r10),                  \
      LATHE_NAKED_ARGUMENT(int32_t, r11), LATHE_NAKED_ARGUMENT(int32_t, lr)
#define LATHE_PAIRED_CALL(FUNCTION, X, FOURS, ROWS, W, STARTS, END, SCALES, OUT, NEXT, ROUND,     \
                          START)                                                                  \
  FUNCTION(0, 0, 0, 0, (X), &(X)[2 * (ROWS) * (FOURS)], (FOURS) % 8, (W), (STARTS), (END),        \
           (SCALES), (OUT), (NEXT), (ROUND), (int32_t)(START), (int32_t)((START) >> 32), 0, 0, 0, \
           0, 0, 0, 0, 0, 0)

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
#define LATHE_PAIRED_HALF_1(X)     \
  "ldrd r12, lr, [r1], #8\n\t"     \
  "smlad r4, r12, " X ", r4\n\t"   \
  "sxtb16 r12, r12\n\t"            \
  "smlad r5, r12, " X ", r5\n\t"   \
  "smlad r6, lr, " X ", r6\n\t"    \
  "sxtb16 lr, lr\n\t"              \
  "smlad r7, lr, " X ", r7\n\t"
#define LATHE_PAIRED_FOUR_1        \
  "ldrd r2, r3, [r0], #8\n\t"      \
  LATHE_PAIRED_HALF_1("r2")        \
  LATHE_PAIRED_HALF_1("r3")

/* Enters the loop, which is unrolled, so that its last turn is whole. */
#define LATHE_PAIRED_LOOP(FOUR)                                          \
  "tbh [pc, r2, lsl #1]\n"                                               \
  "0:\n\t"                                                               \
  ".hword (1f - 0b) / 2, (8f - 0b) / 2, (7f - 0b) / 2, (6f - 0b) / 2\n\t" \
  ".hword (5f - 0b) / 2, (4f - 0b) / 2, (3f - 0b) / 2, (2f - 0b) / 2\n"  \
  "1:\n\t" FOUR "2:\n\t" FOUR "3:\n\t" FOUR "4:\n\t" FOUR                \
  "5:\n\t" FOUR "6:\n\t" FOUR "7:\n\t" FOUR "8:\n\t" FOUR                \
  "ldr r2, [sp, #4]\n\t"                                                 \
  "cmp r0, r2\n\t"                                                       \
  "bne 1b\n\t"                                                           \
  "str r1, [sp, #12]\n\t"

#define LATHE_PAIRED_ENTER     \
  "add r12, sp, #48\n\t"       \
  "stm r12, {r4-r11, lr}\n"    \
  "9:\n\t"                     \
  "ldrd r1, r3, [sp, #12]\n\t" \
  "ldr r0, [sp]\n\t"           \
  "ldr r2, [sp, #8]\n\t"       \
  "ldm r3, {r4-r7}\n\t"
#define LATHE_PAIRED_START_1   \
  "adds r3, r3, #16\n\t"       \
  "str r3, [sp, #16]\n\t"
#define LATHE_PAIRED_START_2   \
  "ldm r3!, {r8-r11}\n\t"      \
  "str r3, [sp, #16]\n\t"
#define LATHE_PAIRED_LEAVE     \
  "ldrd r2, r3, [sp, #16]\n\t" \
  "cmp r2, r3\n\t"             \
  "bne 9b\n\t"                 \
  "add r12, sp, #48\n\t"       \
  "ldm r12, {r4-r11, pc}\n\t"

/* The results of two rows, or one, for the scale in r0 and lr. SMMULR of twice the sum is the
 * high product; negative values go down by one, so that their halves are rounded away from zero;
 * SSAT makes the last shift. */
#define LATHE_PAIRED_RESULT(SUM, OUT)          \
  "smmulr " SUM ", " SUM ", r0\n\t"            \
  "add " SUM ", " SUM ", " SUM ", asr #31\n\t" \
  "asr " SUM ", " SUM ", lr\n\t"               \
  "add " SUM ", " SUM ", r12\n\t"              \
  "ssat " SUM ", #8, " SUM ", asr #1\n\t"      \
  "strb " SUM ", [" OUT "], #1\n\t"
#define LATHE_PAIRED_TWICE(SUM) \
  "lsl " SUM ", " SUM ", #1\n\t"
#define LATHE_PAIRED_SPLIT(MIXED, LOW)    \
  "sub " MIXED ", " MIXED ", " LOW "\n\t" \
  "asr " MIXED ", " MIXED ", #7\n\t"
#define LATHE_PAIRED_SCALE_EACH "ldrd r0, lr, [r1], #8\n\t"
#define LATHE_PAIRED_SCALE_ALL "ldrd r0, lr, [r1]\n\t"

#define LATHE_PAIRED_RESULTS_2(SCALE, MIXED0, LOW0, MIXED1, LOW1) \
  LATHE_PAIRED_SPLIT(MIXED0, LOW0)                                \
  LATHE_PAIRED_SPLIT(MIXED1, LOW1)                                \
  LATHE_PAIRED_TWICE(LOW0)                                        \
  LATHE_PAIRED_TWICE(LOW1)                                        \
  SCALE                                                           \
  LATHE_PAIRED_RESULT(LOW0, "r2")                                 \
  LATHE_PAIRED_RESULT(LOW1, "r3")                                 \
  SCALE                                                           \
  LATHE_PAIRED_RESULT(MIXED0, "r2")                               \
  LATHE_PAIRED_RESULT(MIXED1, "r3")
#define LATHE_PAIRED_RESULTS_1(SCALE, MIXED, LOW) \
  LATHE_PAIRED_SPLIT(MIXED, LOW)                  \
  LATHE_PAIRED_TWICE(LOW)                         \
  SCALE                                           \
  LATHE_PAIRED_RESULT(LOW, "r2")                  \
  SCALE                                           \
  LATHE_PAIRED_RESULT(MIXED, "r2")

#define LATHE_PAIRED_STORE_2(SCALE)                       \
  "add r0, sp, #24\n\t"                                   \
  "ldm r0, {r1, r2, r3, r12}\n\t"                         \
  LATHE_PAIRED_RESULTS_2(SCALE, "r4", "r5", "r8", "r9")   \
  LATHE_PAIRED_RESULTS_2(SCALE, "r6", "r7", "r10", "r11") \
  "add r12, sp, #24\n\t"                                  \
  "stm r12, {r1, r2, r3}\n\t"
#define LATHE_PAIRED_STORE_1(SCALE)                       \
  "add r0, sp, #24\n\t"                                   \
  "ldm r0, {r1, r2, r3, r12}\n\t"                         \
  LATHE_PAIRED_RESULTS_1(SCALE, "r4", "r5")               \
  LATHE_PAIRED_RESULTS_1(SCALE, "r6", "r7")               \
  "strd r1, r2, [sp, #24]\n\t"
/* clang-format on */

LATHE_NAKED lathe_paired_two_each(LATHE_PAIRED_ARGUMENTS) {
  __asm__(LATHE_PAIRED_ENTER LATHE_PAIRED_START_2 LATHE_PAIRED_LOOP(LATHE_PAIRED_FOUR_2)
              LATHE_PAIRED_STORE_2(LATHE_PAIRED_SCALE_EACH) LATHE_PAIRED_LEAVE);
}
LATHE_NAKED lathe_paired_two_all(LATHE_PAIRED_ARGUMENTS) {
  __asm__(LATHE_PAIRED_ENTER LATHE_PAIRED_START_2 LATHE_PAIRED_LOOP(LATHE_PAIRED_FOUR_2)
              LATHE_PAIRED_STORE_2(LATHE_PAIRED_SCALE_ALL) LATHE_PAIRED_LEAVE);
}
LATHE_NAKED lathe_paired_one_each(LATHE_PAIRED_ARGUMENTS) {
  __asm__(LATHE_PAIRED_ENTER LATHE_PAIRED_START_1 LATHE_PAIRED_LOOP(LATHE_PAIRED_FOUR_1)
              LATHE_PAIRED_STORE_1(LATHE_PAIRED_SCALE_EACH) LATHE_PAIRED_LEAVE);
}
LATHE_NAKED lathe_paired_one_all(LATHE_PAIRED_ARGUMENTS) {
  __asm__(LATHE_PAIRED_ENTER LATHE_PAIRED_START_1 LATHE_PAIRED_LOOP(LATHE_PAIRED_FOUR_1)
              LATHE_PAIRED_STORE_1(LATHE_PAIRED_SCALE_ALL) LATHE_PAIRED_LEAVE);
}
/* The sums of one block of four columns, of two rows or one, for results that are computed in C. */
LATHE_NAKED lathe_paired_two_sums(LATHE_PAIRED_ARGUMENTS) {
  __asm__(LATHE_PAIRED_ENTER LATHE_PAIRED_START_2 LATHE_PAIRED_LOOP(LATHE_PAIRED_FOUR_2)
          "ldr r1, [sp, #28]\n\t"
          "stm r1!, {r4-r11}\n\t"
          "str r1, [sp, #28]\n\t" LATHE_PAIRED_LEAVE);
}
LATHE_NAKED lathe_paired_one_sums(LATHE_PAIRED_ARGUMENTS) {
  __asm__(LATHE_PAIRED_ENTER LATHE_PAIRED_START_1 LATHE_PAIRED_LOOP(LATHE_PAIRED_FOUR_1)
          "ldr r1, [sp, #28]\n\t"
          "stm r1!, {r4-r7}\n\t"
          "str r1, [sp, #28]\n\t" LATHE_PAIRED_LEAVE);
}

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

/* The sums of a block of four columns. */
static inline void lathe_paired_sums(const int8_t* w, const int32_t* starts, int32_t rows,
                                     int32_t fours, const int32_t* scratch, int32_t sums[8]) {
  if (rows == 2) {
    LATHE_PAIRED_CALL(lathe_paired_two_sums, scratch, fours, 2, w, starts, &starts[4], NULL,
                      (int8_t*)sums, NULL, 0, (int64_t)0);
  } else {
    LATHE_PAIRED_CALL(lathe_paired_one_sums, scratch, fours, 1, w, starts, &starts[4], NULL,
                      (int8_t*)sums, NULL, 0, (int64_t)0);
  }
}

#else

/* The weight of a column of the block for element `at` of the four that follow each other. */
static inline int32_t lathe_paired_weight(const int8_t* four, int32_t column, int32_t at) {
  const int8_t* const both = &four[((at % 2) * 8) + ((column / 2) * 4) + ((at / 2) * 2)];
  return ((column % 2) == 0) ? both[0] : (both[1] + ((both[0] < 0) ? 1 : 0));
}

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

static inline void lathe_paired_sums(const int8_t* w, const int32_t* starts, int32_t rows,
                                     int32_t fours, const int32_t* scratch, int32_t sums[8]) {
  const int8_t* const bytes = (const int8_t*)scratch;
  int32_t r;
  int32_t c;
  int32_t k;
  for (r = 0; r < rows; ++r) {
    for (c = 0; c < 4; c += 2) {
      uint32_t mixed = (uint32_t)starts[c];
      uint32_t low = (uint32_t)starts[c + 1];
      for (k = 0; k < (4 * fours); ++k) {
        const int32_t x = bytes[(4 * r * fours) + k];
        const int32_t a = lathe_paired_weight(&w[16 * (k / 4)], c, k % 4);
        const int32_t b = lathe_paired_weight(&w[16 * (k / 4)], c + 1, k % 4);
        low += (uint32_t)(x * a);
        mixed += (uint32_t)(x * (a + (256 * b)));
      }
      sums[(4 * r) + c] = (int32_t)mixed;
      sums[(4 * r) + c + 1] = (int32_t)low;
    }
  }
}

#endif

#endif
