/* SPDX-License-Identifier: 0BSD */
/* quad_tiles.h - sums of products with the weights of four columns next to each other
 * (quad_products.h): in assembly for Armv6-M and Armv7-M, else portable. quad_rv32.h has those of
 * RISC-V. */
#ifndef LATHE_QUAD_TILES_H
#define LATHE_QUAD_TILES_H

#include <stddef.h>
#include <stdint.h>

#include "naked.h"
#include "outlined.h"

/* Adds to the sums of four columns, of four rows, of two, or of one. `elements` is a multiple of
 * eight. */
static inline void lathe_quad_add_4(const int8_t* x, int32_t apart, const int8_t* w,
                                    int32_t elements, int32_t sums[16]) {
  int32_t r;
  int32_t k;
  for (r = 0; r < 4; ++r) {
    for (k = 0; k < elements; ++k) {
      const int32_t element = x[(r * apart) + k];
      sums[4 * r] += element * w[4 * k];
      sums[(4 * r) + 1] += element * w[(4 * k) + 1];
      sums[(4 * r) + 2] += element * w[(4 * k) + 2];
      sums[(4 * r) + 3] += element * w[(4 * k) + 3];
    }
  }
}
static inline void lathe_quad_add_2(const int8_t* x, const int8_t* y, const int8_t* w,
                                    int32_t elements, int32_t sums[8]) {
  const int8_t* weights = w;
  int32_t a0 = sums[0];
  int32_t a1 = sums[1];
  int32_t a2 = sums[2];
  int32_t a3 = sums[3];
  int32_t b0 = sums[4];
  int32_t b1 = sums[5];
  int32_t b2 = sums[6];
  int32_t b3 = sums[7];
  int32_t k;
  for (k = 0; k < elements; ++k) {
    const int32_t a = x[k];
    const int32_t b = y[k];
    const int32_t w0 = weights[0];
    const int32_t w1 = weights[1];
    const int32_t w2 = weights[2];
    const int32_t w3 = weights[3];
    a0 += a * w0;
    b0 += b * w0;
    a1 += a * w1;
    b1 += b * w1;
    a2 += a * w2;
    b2 += b * w2;
    a3 += a * w3;
    b3 += b * w3;
    weights = &weights[4];
  }
  sums[0] = a0;
  sums[1] = a1;
  sums[2] = a2;
  sums[3] = a3;
  sums[4] = b0;
  sums[5] = b1;
  sums[6] = b2;
  sums[7] = b3;
}
static inline void lathe_quad_add_1(const int8_t* x, const int8_t* w, int32_t elements,
                                    int32_t sums[4]) {
  const int8_t* from = x;
  const int8_t* weights = w;
  const int8_t* const end = &x[elements];
  int32_t s0 = sums[0];
  int32_t s1 = sums[1];
  int32_t s2 = sums[2];
  int32_t s3 = sums[3];
  while (from != end) {
    const int32_t a = from[0];
    const int32_t b = from[1];
    const int32_t c = from[2];
    const int32_t d = from[3];
    s0 += (a * weights[0]) + (b * weights[4]) + (c * weights[8]) + (d * weights[12]);
    s1 += (a * weights[1]) + (b * weights[5]) + (c * weights[9]) + (d * weights[13]);
    s2 += (a * weights[2]) + (b * weights[6]) + (c * weights[10]) + (d * weights[14]);
    s3 += (a * weights[3]) + (b * weights[7]) + (c * weights[11]) + (d * weights[15]);
    from = &from[4];
    weights = &weights[16];
  }
  sums[0] = s0;
  sums[1] = s1;
  sums[2] = s2;
  sums[3] = s3;
}
/* The same with weights that are 128 more. */
static inline void lathe_quad_add_unsigned(const int8_t* x, const uint8_t* w, int32_t elements,
                                           int32_t sums[4]) {
  int32_t k;
  int32_t c;
  for (k = 0; k < elements; ++k) {
    for (c = 0; c < 4; ++c) {
      sums[c] += x[k] * ((int32_t)w[(4 * k) + c] - 128);
    }
  }
}

#if defined(__GNUC__) && defined(__ARM_ARCH_ISA_THUMB) && (__ARM_ARCH_ISA_THUMB == 1)

#define LATHE_QUAD_V6M 1
/* clang-format off */
#define LATHE_QUAD_COLUMN(SUM, AT)   \
  "ldrb r3, [r1, #" AT "]\n\t"       \
  "muls r3, r2, r3\n\t"              \
  "adds " SUM ", " SUM ", r3\n\t"
#define LATHE_QUAD_ELEMENT(K, A, B, C, D)  \
  "movs r3, #" K "\n\t"                    \
  "ldrsb r2, [r0, r3]\n\t"                 \
  LATHE_QUAD_COLUMN("r4", A)               \
  LATHE_QUAD_COLUMN("r5", B)               \
  LATHE_QUAD_COLUMN("r6", C)               \
  LATHE_QUAD_COLUMN("r7", D)
/* Adds products with unsigned weights to four sums. */
LATHE_NAKED lathe_quad_sums(
    const int8_t* x __attribute__((unused)), const uint8_t* w __attribute__((unused)),
    const int8_t* x_end __attribute__((unused)), int32_t* sums __attribute__((unused)),
    /* Room for registers of the caller, so that the function needs no stack of its own. */
    int32_t r4 __attribute__((unused)), int32_t r5 __attribute__((unused)),
    int32_t r6 __attribute__((unused)), int32_t r7 __attribute__((unused)),
    int32_t r8 __attribute__((unused)), int32_t r3 __attribute__((unused))) {
  __asm__(
      ".syntax unified\n\t"
      "str r4, [sp]\n\t"
      "str r5, [sp, #4]\n\t"
      "str r6, [sp, #8]\n\t"
      "str r7, [sp, #12]\n\t"
      "mov r4, r8\n\t"
      "str r4, [sp, #16]\n\t"
      "str r3, [sp, #20]\n\t"
      "mov r8, r2\n\t"
      "ldm r3!, {r4-r7}\n"
      "1:\n\t"
      LATHE_QUAD_ELEMENT("0", "0", "1", "2", "3")
      LATHE_QUAD_ELEMENT("1", "4", "5", "6", "7")
      LATHE_QUAD_ELEMENT("2", "8", "9", "10", "11")
      LATHE_QUAD_ELEMENT("3", "12", "13", "14", "15")
      LATHE_QUAD_ELEMENT("4", "16", "17", "18", "19")
      LATHE_QUAD_ELEMENT("5", "20", "21", "22", "23")
      LATHE_QUAD_ELEMENT("6", "24", "25", "26", "27")
      LATHE_QUAD_ELEMENT("7", "28", "29", "30", "31")
      "adds r0, r0, #8\n\t"
      "adds r1, r1, #32\n\t"
      "cmp r0, r8\n\t"
      "bne 1b\n\t"
      "ldr r3, [sp, #20]\n\t"
      "stm r3!, {r4-r7}\n\t"
      "ldr r4, [sp, #16]\n\t"
      "mov r8, r4\n\t"
      "ldr r4, [sp]\n\t"
      "ldr r5, [sp, #4]\n\t"
      "ldr r6, [sp, #8]\n\t"
      "ldr r7, [sp, #12]\n\t"
      "bx lr\n\t");
}
/* clang-format on */
#elif defined(__GNUC__) && defined(__ARM_ARCH_7M__)

#define LATHE_QUAD_V7M 1
/* The arguments of the functions below: columns from `bias` to `bias_end`, of one row or two. Four
 * that fill registers come first, so that all others are on the stack, where the code finds them at
 * these offsets. The last nine leave room for registers of the caller: the functions need no stack
 * of their own. */
#define LATHE_QUAD_ARGUMENTS                                                               \
  LATHE_NAKED_ARGUMENT(int32_t, r0), LATHE_NAKED_ARGUMENT(int32_t, r1),                    \
      LATHE_NAKED_ARGUMENT(int32_t, r2), LATHE_NAKED_ARGUMENT(int32_t, r3),                \
      LATHE_NAKED_ARGUMENT(const int32_t*, x),        /*  0: the widened rows, in turns */ \
      LATHE_NAKED_ARGUMENT(const int32_t*, x_end),    /*  4 */                             \
      LATHE_NAKED_ARGUMENT(const int8_t*, w),         /*  8 */                             \
      LATHE_NAKED_ARGUMENT(const int32_t*, bias),     /* 12 */                             \
      LATHE_NAKED_ARGUMENT(const int32_t*, bias_end), /* 16 */                             \
      LATHE_NAKED_ARGUMENT(const int32_t*, scales),   /* 20 */                             \
      LATHE_NAKED_ARGUMENT(int32_t, columns),         /* 24: the distance of rows */       \
      LATHE_NAKED_ARGUMENT(int8_t*, out),             /* 28 */                             \
      LATHE_NAKED_ARGUMENT(int32_t, round),           /* 32: 2 * zero + 1, or start */     \
      LATHE_NAKED_ARGUMENT(int32_t, shift),           /* 36: with one rounding */          \
      LATHE_NAKED_ARGUMENT(int32_t, r4), LATHE_NAKED_ARGUMENT(int32_t, r5),                \
      LATHE_NAKED_ARGUMENT(int32_t, r6), LATHE_NAKED_ARGUMENT(int32_t, r7),                \
      LATHE_NAKED_ARGUMENT(int32_t, r8), LATHE_NAKED_ARGUMENT(int32_t, r9),                \
      LATHE_NAKED_ARGUMENT(int32_t, r10), LATHE_NAKED_ARGUMENT(int32_t, r11),              \
      LATHE_NAKED_ARGUMENT(int32_t, lr)
/* clang-format off */
#define LATHE_QUAD_ONE_2             \
  "ldrd r2, r3, [r0], #8\n\t"        \
  "ldrsb r12, [r1], #1\n\t"          \
  "mla r4, r12, r2, r4\n\t"          \
  "mla r8, r12, r3, r8\n\t"          \
  "ldrsb r12, [r1], #1\n\t"          \
  "mla r5, r12, r2, r5\n\t"          \
  "mla r9, r12, r3, r9\n\t"          \
  "ldrsb r12, [r1], #1\n\t"          \
  "mla r6, r12, r2, r6\n\t"          \
  "mla r10, r12, r3, r10\n\t"        \
  "ldrsb r12, [r1], #1\n\t"          \
  "mla r7, r12, r2, r7\n\t"          \
  "mla r11, r12, r3, r11\n\t"
#define LATHE_QUAD_ONE_1             \
  "ldr r2, [r0], #4\n\t"             \
  "ldrsb r3, [r1], #1\n\t"           \
  "ldrsb r12, [r1], #1\n\t"          \
  "mla r4, r3, r2, r4\n\t"           \
  "mla r5, r12, r2, r5\n\t"          \
  "ldrsb r3, [r1], #1\n\t"           \
  "ldrsb r12, [r1], #1\n\t"          \
  "mla r6, r3, r2, r6\n\t"           \
  "mla r7, r12, r2, r7\n\t"
#define LATHE_QUAD_EIGHT(ONE) ONE ONE ONE ONE ONE ONE ONE ONE
#define LATHE_QUAD_ENTER             \
  "add r12, sp, #40\n\t"             \
  "stm r12, {r4-r11, lr}\n"          \
  "9:\n\t"                           \
  "ldrd r1, r3, [sp, #8]\n\t"        \
  "ldrd r0, lr, [sp]\n\t"            \
  "ldm r3, {r4-r7}\n\t"
#define LATHE_QUAD_LOOP(ONE)         \
  "adds r3, r3, #16\n\t"             \
  "str r3, [sp, #12]\n"              \
  "1:\n\t"                           \
  LATHE_QUAD_EIGHT(ONE)              \
  "cmp r0, lr\n\t"                   \
  "bne 1b\n\t"                       \
  "str r1, [sp, #8]\n\t"
/* The result of a sum, without SMMULR: the high half of twice the product and the carry of half a
 * unit; negative values go down by one, so that their halves are rounded away from zero. */
#define LATHE_QUAD_RESULT(SUM, TO)             \
  "lsl " SUM ", " SUM ", #1\n\t"               \
  "smull " SUM ", r12, " SUM ", r2\n\t"        \
  "add r12, r12, " SUM ", lsr #31\n\t"         \
  "add r12, r12, r12, asr #31\n\t"             \
  "asr r12, r12, lr\n\t"                       \
  "add r12, r12, r3\n\t"                       \
  "ssat r12, #8, r12, asr #1\n\t"              \
  "strb r12, " TO "\n\t"
/* The mantissa and the shift of the next column, or of all. */
#define LATHE_QUAD_EACH "ldrd r2, lr, [r1], #8\n\t"
#define LATHE_QUAD_ALL "ldrd r2, lr, [r1]\n\t"
#define LATHE_QUAD_SCALES            \
  "ldrd r0, r3, [sp, #28]\n\t"       \
  "ldr r1, [sp, #20]\n\t"
/* The result with one rounding (once_result.h). */
#define LATHE_QUAD_ONCE(SUM, TO)               \
  "smull " SUM ", r12, " SUM ", r2\n\t"        \
  "add r12, r12, r3\n\t"                       \
  "asr r12, r12, lr\n\t"                       \
  "ssat r12, #8, r12\n\t"                      \
  "strb r12, " TO "\n\t"
#define LATHE_QUAD_FACTOR_EACH "ldr r2, [r1], #4\n\t"
#define LATHE_QUAD_FACTOR_ALL "ldr r2, [r1]\n\t"
#define LATHE_QUAD_FACTORS LATHE_QUAD_SCALES "ldr lr, [sp, #36]\n\t"
#define LATHE_QUAD_LEAVE             \
  "str r0, [sp, #28]\n\t"            \
  "str r1, [sp, #20]\n\t"            \
  "ldrd r0, r1, [sp, #12]\n\t"       \
  "cmp r0, r1\n\t"                   \
  "bne 9b\n\t"                       \
  "add r12, sp, #40\n\t"             \
  "ldm r12, {r4-r11, pc}\n\t"
/* The first result frees its register for the distance between the rows. */
#define LATHE_QUAD_PAIR(SCALE, RESULT, A, B) \
  SCALE                                      \
  RESULT(A, "[r0]")                          \
  RESULT(B, "[r0, r4]")                      \
  "adds r0, r0, #1\n\t"
#define LATHE_QUAD_TWO(SCALES, SCALE, RESULT)        \
  __asm__(LATHE_QUAD_ENTER                           \
          "ldm r3, {r8-r11}\n\t"                     \
          LATHE_QUAD_LOOP(LATHE_QUAD_ONE_2)          \
          SCALES                                     \
          SCALE                                      \
          RESULT("r4", "[r0]")                       \
          "ldr r4, [sp, #24]\n\t"                    \
          RESULT("r8", "[r0, r4]")                   \
          "adds r0, r0, #1\n\t"                      \
          LATHE_QUAD_PAIR(SCALE, RESULT, "r5", "r9")  \
          LATHE_QUAD_PAIR(SCALE, RESULT, "r6", "r10") \
          LATHE_QUAD_PAIR(SCALE, RESULT, "r7", "r11") \
          LATHE_QUAD_LEAVE)
#define LATHE_QUAD_ONE(SCALES, SCALE, RESULT)        \
  __asm__(LATHE_QUAD_ENTER                           \
          LATHE_QUAD_LOOP(LATHE_QUAD_ONE_1)          \
          SCALES                                     \
          SCALE RESULT("r4", "[r0], #1")             \
          SCALE RESULT("r5", "[r0], #1")             \
          SCALE RESULT("r6", "[r0], #1")             \
          SCALE RESULT("r7", "[r0], #1")             \
          LATHE_QUAD_LEAVE)
LATHE_NAKED lathe_quad_two_each(LATHE_QUAD_ARGUMENTS) {
  LATHE_QUAD_TWO(LATHE_QUAD_SCALES, LATHE_QUAD_EACH, LATHE_QUAD_RESULT);
}
LATHE_NAKED lathe_quad_two_all(LATHE_QUAD_ARGUMENTS) {
  LATHE_QUAD_TWO(LATHE_QUAD_SCALES, LATHE_QUAD_ALL, LATHE_QUAD_RESULT);
}
LATHE_NAKED lathe_quad_one_each(LATHE_QUAD_ARGUMENTS) {
  LATHE_QUAD_ONE(LATHE_QUAD_SCALES, LATHE_QUAD_EACH, LATHE_QUAD_RESULT);
}
LATHE_NAKED lathe_quad_one_all(LATHE_QUAD_ARGUMENTS) {
  LATHE_QUAD_ONE(LATHE_QUAD_SCALES, LATHE_QUAD_ALL, LATHE_QUAD_RESULT);
}
LATHE_NAKED lathe_quad_two_once_each(LATHE_QUAD_ARGUMENTS) {
  LATHE_QUAD_TWO(LATHE_QUAD_FACTORS, LATHE_QUAD_FACTOR_EACH, LATHE_QUAD_ONCE);
}
LATHE_NAKED lathe_quad_two_once_all(LATHE_QUAD_ARGUMENTS) {
  LATHE_QUAD_TWO(LATHE_QUAD_FACTORS, LATHE_QUAD_FACTOR_ALL, LATHE_QUAD_ONCE);
}
LATHE_NAKED lathe_quad_one_once_each(LATHE_QUAD_ARGUMENTS) {
  LATHE_QUAD_ONE(LATHE_QUAD_FACTORS, LATHE_QUAD_FACTOR_EACH, LATHE_QUAD_ONCE);
}
LATHE_NAKED lathe_quad_one_once_all(LATHE_QUAD_ARGUMENTS) {
  LATHE_QUAD_ONE(LATHE_QUAD_FACTORS, LATHE_QUAD_FACTOR_ALL, LATHE_QUAD_ONCE);
}
/* clang-format on */

#define LATHE_QUAD_CALL(EACH, FUNCTION, X, LENGTH, W, BIAS, COLUMNS, SCALES, OUT, ROUND, SHIFT) \
  if ((EACH) != 0) {                                                                            \
    FUNCTION##_each(0, 0, 0, 0, (X), &(X)[LENGTH], (W), (BIAS), &(BIAS)[COLUMNS], (SCALES),     \
                    (COLUMNS), (OUT), (ROUND), (SHIFT), 0, 0, 0, 0, 0, 0, 0, 0, 0);             \
  } else {                                                                                      \
    FUNCTION##_all(0, 0, 0, 0, (X), &(X)[LENGTH], (W), (BIAS), &(BIAS)[COLUMNS], (SCALES),      \
                   (COLUMNS), (OUT), (ROUND), (SHIFT), 0, 0, 0, 0, 0, 0, 0, 0, 0);              \
  }

/* Widens the gathered elements of one row, or of two in turns. */
LATHE_OUTLINED void lathe_quad_widen(const int8_t* x, int32_t rows, int32_t step, int32_t pieces,
                                     int32_t pitch, int32_t count, int32_t elements, int32_t* to) {
  const int32_t* const end = &to[rows * elements];
  int32_t p;
  for (p = 0; p < pieces; ++p) {
    const int8_t* from = &x[p * pitch];
    const int8_t* const last = &from[count];
    if (rows == 2) {
      const int8_t* second = &from[step];
      while (from < last) {
        to[0] = *from++;
        to[1] = *second++;
        to += 2;
      }
    } else {
      while (from < last) {
        *to++ = *from++;
      }
    }
  }
  while (to < end) {
    *to++ = 0;
  }
}

#endif

#endif
