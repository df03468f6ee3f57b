/* SPDX-License-Identifier: 0BSD */
/* paired_products_once.h - the products of paired_products.h with one rounding (requantize_one.h)
 * and a factor of each column, or of all. */
#ifndef LATHE_PAIRED_PRODUCTS_ONCE_H
#define LATHE_PAIRED_PRODUCTS_ONCE_H

#include "paired_products.h"
#include "requantize_one.h"

#if defined(LATHE_PAIRED_ASM)
/* clang-format off */
/* With one rounding: sum * factor + start, shifted by 32 and more, for the factor in r0. */
#define LATHE_PAIRED_ONCE(SUM, OUT)       \
  "ldrd r12, lr, [sp, #40]\n\t"           \
  "smlal r12, lr, " SUM ", r0\n\t"        \
  "ldr r12, [sp, #36]\n\t"                \
  "asr " SUM ", lr, r12\n\t"              \
  "ssat " SUM ", #8, " SUM "\n\t"         \
  "strb " SUM ", [" OUT "], #1\n\t"
#define LATHE_PAIRED_DIVIDE(MIXED, LOW)   \
  "sub " MIXED ", " MIXED ", " LOW "\n\t" \
  "asr " MIXED ", " MIXED ", #8\n\t"
#define LATHE_PAIRED_FACTOR_EACH "ldr r0, [r1], #4\n\t"
#define LATHE_PAIRED_FACTOR_ALL "ldr r0, [r1]\n\t"
#define LATHE_PAIRED_ONCE_2(FACTOR, MIXED0, LOW0, MIXED1, LOW1) \
  LATHE_PAIRED_DIVIDE(MIXED0, LOW0)                             \
  LATHE_PAIRED_DIVIDE(MIXED1, LOW1)                             \
  FACTOR                                                        \
  LATHE_PAIRED_ONCE(LOW0, "r2")                                 \
  LATHE_PAIRED_ONCE(LOW1, "r3")                                 \
  FACTOR                                                        \
  LATHE_PAIRED_ONCE(MIXED0, "r2")                               \
  LATHE_PAIRED_ONCE(MIXED1, "r3")
#define LATHE_PAIRED_ONCE_1(FACTOR, MIXED, LOW)                 \
  LATHE_PAIRED_DIVIDE(MIXED, LOW)                               \
  FACTOR                                                        \
  LATHE_PAIRED_ONCE(LOW, "r2")                                  \
  FACTOR                                                        \
  LATHE_PAIRED_ONCE(MIXED, "r2")
#define LATHE_PAIRED_STORE_ONCE_2(FACTOR)                       \
  "add r0, sp, #24\n\t"                                         \
  "ldm r0, {r1, r2, r3}\n\t"                                    \
  LATHE_PAIRED_ONCE_2(FACTOR, "r4", "r5", "r8", "r9")           \
  LATHE_PAIRED_ONCE_2(FACTOR, "r6", "r7", "r10", "r11")         \
  "add r12, sp, #24\n\t"                                        \
  "stm r12, {r1, r2, r3}\n\t"
#define LATHE_PAIRED_STORE_ONCE_1(FACTOR)                       \
  "ldrd r1, r2, [sp, #24]\n\t"                                  \
  LATHE_PAIRED_ONCE_1(FACTOR, "r4", "r5")                       \
  LATHE_PAIRED_ONCE_1(FACTOR, "r6", "r7")                       \
  "strd r1, r2, [sp, #24]\n\t"
/* clang-format on */

LATHE_NAKED lathe_paired_two_once_each(LATHE_PAIRED_ARGUMENTS) {
  __asm__(LATHE_PAIRED_ENTER LATHE_PAIRED_START_2 LATHE_PAIRED_LOOP(LATHE_PAIRED_FOUR_2)
              LATHE_PAIRED_STORE_ONCE_2(LATHE_PAIRED_FACTOR_EACH) LATHE_PAIRED_LEAVE);
}
LATHE_NAKED lathe_paired_two_once_all(LATHE_PAIRED_ARGUMENTS) {
  __asm__(LATHE_PAIRED_ENTER LATHE_PAIRED_START_2 LATHE_PAIRED_LOOP(LATHE_PAIRED_FOUR_2)
              LATHE_PAIRED_STORE_ONCE_2(LATHE_PAIRED_FACTOR_ALL) LATHE_PAIRED_LEAVE);
}
LATHE_NAKED lathe_paired_one_once_each(LATHE_PAIRED_ARGUMENTS) {
  __asm__(LATHE_PAIRED_ENTER LATHE_PAIRED_START_1 LATHE_PAIRED_LOOP(LATHE_PAIRED_FOUR_1)
              LATHE_PAIRED_STORE_ONCE_1(LATHE_PAIRED_FACTOR_EACH) LATHE_PAIRED_LEAVE);
}
LATHE_NAKED lathe_paired_one_once_all(LATHE_PAIRED_ARGUMENTS) {
  __asm__(LATHE_PAIRED_ENTER LATHE_PAIRED_START_1 LATHE_PAIRED_LOOP(LATHE_PAIRED_FOUR_1)
              LATHE_PAIRED_STORE_ONCE_1(LATHE_PAIRED_FACTOR_ALL) LATHE_PAIRED_LEAVE);
}
#endif

/* The columns from `first` on, at most four at a time. */
LATHE_OUTLINED void lathe_paired_rest_once(const int8_t* w, const int32_t* starts,
                                           const int32_t* factors, const int32_t* scratch,
                                           int32_t rows, int32_t fours, int32_t first,
                                           int32_t columns, int32_t each,
                                           const lathe_requantize* way, int8_t* out) {
  int32_t c;
  for (c = first; c < columns; c += 4) {
    const int32_t left = ((columns - c) < 4) ? (columns - c) : 4;
    int32_t sums[8];
    int32_t r;
    int32_t i;
    lathe_paired_sums(&w[c * 4 * fours], &starts[c], rows, fours, scratch, sums);
    for (r = 0; r < rows; ++r) {
      for (i = 0; i < left; ++i) {
        out[(r * columns) + c + i] =
            lathe_requantize_one(lathe_paired_sum(&sums[4 * r], i), factors[(c + i) * each], *way);
      }
    }
  }
}

/* Parameters as of lathe_paired_products_twice_i8; factors, start and shift of requantize_one.h. */
LATHE_OUTLINED void lathe_paired_products_once_i8(const int8_t* x, const int8_t* w,
                                                  const int32_t* starts, const int32_t* factors,
                                                  int32_t* scratch, int32_t rows, int32_t step,
                                                  int32_t pieces, int32_t pitch, int32_t count,
                                                  int32_t columns, int32_t each, int64_t start,
                                                  int32_t shift, int32_t lo, int32_t hi,
                                                  int8_t* out) {
  const lathe_requantize way = {start, shift, lo, hi};
  const int32_t fours = pieces * ((count + 3) / 4);
  int32_t first = 0;
  int32_t r = 0;
#if defined(LATHE_PAIRED_ASM)
  first = ((lo == -128) && (hi == 127) && (shift >= 32)) ? (columns - (columns % 4)) : 0;
#endif
  while (r < rows) {
    const int32_t here = ((r + 2) <= rows) ? 2 : 1;
    int8_t* const to = &out[r * columns];
    lathe_paired_widen(&x[r * step], here, step, pieces, pitch, count, scratch);
#if defined(LATHE_PAIRED_ASM)
    if (first > 0) {
      if (here == 2) {
        if (each != 0) {
          LATHE_PAIRED_CALL(lathe_paired_two_once_each, scratch, fours, 2, w, starts,
                            &starts[first], factors, to, &to[columns], shift - 32, start);
        } else {
          LATHE_PAIRED_CALL(lathe_paired_two_once_all, scratch, fours, 2, w, starts, &starts[first],
                            factors, to, &to[columns], shift - 32, start);
        }
      } else if (each != 0) {
        LATHE_PAIRED_CALL(lathe_paired_one_once_each, scratch, fours, 1, w, starts, &starts[first],
                          factors, to, NULL, shift - 32, start);
      } else {
        LATHE_PAIRED_CALL(lathe_paired_one_once_all, scratch, fours, 1, w, starts, &starts[first],
                          factors, to, NULL, shift - 32, start);
      }
    }
#endif
    if (first < columns) {
      lathe_paired_rest_once(w, starts, factors, scratch, here, fours, first, columns, each, &way,
                             to);
    }
    r += here;
  }
}

#endif
