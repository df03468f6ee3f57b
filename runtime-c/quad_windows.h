/* SPDX-License-Identifier: 0BSD */
/* quad_windows.h - sums of windows of 3 x 3 of each channel (quad_depthwise.h), in assembly for
 * Armv7-M; else empty.
 *
 * A column of three elements belongs to three windows: it ends the first, and begins the third. So
 * each element is loaded once for its three products, and three sums take turns in registers. */
#ifndef LATHE_QUAD_WINDOWS_H
#define LATHE_QUAD_WINDOWS_H

#include <stdint.h>

#include "naked.h"

#if defined(__GNUC__) && defined(__ARM_ARCH_7M__)

#define LATHE_QUAD_WINDOWS 1
/* clang-format off */
/* Adds the products of the column at r0 to three sums. Its rows are `line` apart. */
#define LATHE_WINDOWS_COLUMN(ENDS, GOES_ON, BEGINS) \
  "ldrsb r1, [r0]\n\t"                              \
  ENDS("r4")                                        \
  GOES_ON("r3")                                     \
  BEGINS("r2")                                      \
  "ldr r1, [sp, #52]\n\t"                           \
  "ldrsb r1, [r0, r1]\n\t"                          \
  ENDS("r7")                                        \
  GOES_ON("r6")                                     \
  BEGINS("r5")                                      \
  "ldr r1, [sp, #52]\n\t"                           \
  "ldrsb r1, [r0, r1, lsl #1]\n\t"                  \
  ENDS("r10")                                       \
  GOES_ON("r9")                                     \
  BEGINS("r8")
#define LATHE_WINDOWS_R11(W) "mla r11, r1, " W ", r11\n\t"
#define LATHE_WINDOWS_R12(W) "mla r12, r1, " W ", r12\n\t"
#define LATHE_WINDOWS_LR(W) "mla lr, r1, " W ", lr\n\t"
#define LATHE_WINDOWS_NONE(W) ""
#define LATHE_WINDOWS_NEXT \
  "ldr r1, [sp, #16]\n\t"  \
  "add r0, r0, r1\n\t"
/* Stores the result in r1 and begins another sum. The numbers took the registers of six weights,
 * which are loaded again. */
#define LATHE_WINDOWS_STORE(SUM) \
  "strb r1, [r0, r4]\n\t"        \
  "add r0, r0, r5\n\t"           \
  "mov " SUM ", r6\n\t"          \
  "cmp r0, r7\n\t"               \
  "add r1, sp, #28\n\t"          \
  "ldm r1, {r2-r7}\n\t"
/* The result of a sum, which is below 2^30. Rounds as quad_tiles.h. */
#define LATHE_WINDOWS_RESULT(SUM)      \
  "ldm sp, {r1-r7}\n\t"                \
  "lsl " SUM ", " SUM ", #1\n\t"       \
  "smull " SUM ", r1, " SUM ", r1\n\t" \
  "add r1, r1, " SUM ", lsr #31\n\t"   \
  "add r1, r1, r1, asr #31\n\t"        \
  "asr r1, r1, r2\n\t"                 \
  "add r1, r1, r3\n\t"                 \
  "ssat r1, #8, r1, asr #1\n\t"        \
  LATHE_WINDOWS_STORE(SUM)
/* The same with one rounding (once_result.h). */
#define LATHE_WINDOWS_ONCE(SUM)        \
  "ldm sp, {r1-r7}\n\t"                \
  "smull " SUM ", r1, " SUM ", r1\n\t" \
  "add r1, r1, r3\n\t"                 \
  "asr r1, r1, r2\n\t"                 \
  "ssat r1, #8, r1\n\t"                \
  LATHE_WINDOWS_STORE(SUM)
/* The scale at r1. */
#define LATHE_WINDOWS_SCALE     \
  "ldrd r11, r12, [r1], #8\n\t" \
  "strd r11, r12, [sp]\n\t"
#define LATHE_WINDOWS_FACTOR \
  "ldr r11, [r1], #4\n\t"    \
  "str r11, [sp]\n\t"
/* The arguments of the functions below. Four that fill registers come first, so that all others are
 * on the stack, where the code finds them at these offsets. The last nine leave room for registers
 * of the caller: the functions need no stack of their own. */
#define LATHE_WINDOWS_ARGUMENTS                                                                            \
  LATHE_NAKED_ARGUMENT(int32_t, r0), LATHE_NAKED_ARGUMENT(int32_t, r1),                                    \
  LATHE_NAKED_ARGUMENT(int32_t, r2), LATHE_NAKED_ARGUMENT(int32_t, r3),                                    \
  LATHE_NAKED_ARGUMENT(int32_t, mantissa),        /*  0: of the channel, or its factor */                  \
  LATHE_NAKED_ARGUMENT(int32_t, right),           /*  4 */                                                 \
  LATHE_NAKED_ARGUMENT(int32_t, round),           /*  8: 2 * zero + 1, or start */                         \
  LATHE_NAKED_ARGUMENT(intptr_t, apart),          /* 12: from the last column of a window to the result */ \
  LATHE_NAKED_ARGUMENT(int32_t, tap),             /* 16: from a column to the next */                      \
  LATHE_NAKED_ARGUMENT(int32_t, first),           /* 20: the bias of the channel */                        \
  LATHE_NAKED_ARGUMENT(const int8_t*, x_end),     /* 24: after the last column */                          \
  LATHE_NAKED_ARGUMENT(int32_t, w0),              /* 28: of the channel, in r2 to r7 */                    \
  LATHE_NAKED_ARGUMENT(int32_t, w1), LATHE_NAKED_ARGUMENT(int32_t, w2),                                    \
  LATHE_NAKED_ARGUMENT(int32_t, w3), LATHE_NAKED_ARGUMENT(int32_t, w4),                                    \
  LATHE_NAKED_ARGUMENT(int32_t, w5),                                                                       \
  LATHE_NAKED_ARGUMENT(int32_t, line),            /* 52: from a row to the next */                         \
  LATHE_NAKED_ARGUMENT(const int8_t*, x),         /* 56 */                                                 \
  LATHE_NAKED_ARGUMENT(const int8_t*, w),         /* 60 */                                                 \
  LATHE_NAKED_ARGUMENT(const int32_t*, scales),   /* 64 */                                                 \
  LATHE_NAKED_ARGUMENT(const int32_t*, bias),     /* 68 */                                                 \
  LATHE_NAKED_ARGUMENT(const int32_t*, bias_end), /* 72 */                                                 \
  LATHE_NAKED_ARGUMENT(int32_t, r4), LATHE_NAKED_ARGUMENT(int32_t, r5),                                    \
  LATHE_NAKED_ARGUMENT(int32_t, r6), LATHE_NAKED_ARGUMENT(int32_t, r7),                                    \
  LATHE_NAKED_ARGUMENT(int32_t, r8), LATHE_NAKED_ARGUMENT(int32_t, r9),                                    \
  LATHE_NAKED_ARGUMENT(int32_t, r10), LATHE_NAKED_ARGUMENT(int32_t, r11),                                  \
  LATHE_NAKED_ARGUMENT(int32_t, lr)
#define LATHE_WINDOWS(SCALE, RESULT)                                                  \
  __asm__(                                                                            \
      "add r12, sp, #76\n\t"                                                          \
      "stm r12, {r4-r11, lr}\n"                                                       \
      "9:\n\t"                                                                        \
      "ldrd r0, r1, [sp, #60]\n\t"                                                    \
      "ldrsb r2, [r0], #1\n\t"                                                        \
      "ldrsb r3, [r0], #1\n\t"                                                        \
      "ldrsb r4, [r0], #1\n\t"                                                        \
      "ldrsb r5, [r0], #1\n\t"                                                        \
      "ldrsb r6, [r0], #1\n\t"                                                        \
      "ldrsb r7, [r0], #1\n\t"                                                        \
      "ldrsb r8, [r0], #1\n\t"                                                        \
      "ldrsb r9, [r0], #1\n\t"                                                        \
      "ldrsb r10, [r0], #1\n\t"                                                       \
      SCALE                                                                           \
      "strd r0, r1, [sp, #60]\n\t"                                                    \
      "add r0, sp, #28\n\t"                                                           \
      "stm r0, {r2-r7}\n\t"                                                           \
      "ldr r0, [sp, #68]\n\t"                                                         \
      "ldr r11, [r0], #4\n\t"                                                         \
      "str r0, [sp, #68]\n\t"                                                         \
      "str r11, [sp, #20]\n\t"                                                        \
      "mov r12, r11\n\t"                                                              \
      "mov lr, r11\n\t"                                                               \
      "ldr r0, [sp, #56]\n\t"                                                         \
      LATHE_WINDOWS_COLUMN(LATHE_WINDOWS_NONE, LATHE_WINDOWS_NONE, LATHE_WINDOWS_R11) \
      LATHE_WINDOWS_NEXT                                                              \
      LATHE_WINDOWS_COLUMN(LATHE_WINDOWS_NONE, LATHE_WINDOWS_R11, LATHE_WINDOWS_R12)  \
      LATHE_WINDOWS_NEXT                                                              \
      "1:\n\t"                                                                        \
      LATHE_WINDOWS_COLUMN(LATHE_WINDOWS_R11, LATHE_WINDOWS_R12, LATHE_WINDOWS_LR)    \
      RESULT("r11")                                                                   \
      "beq 2f\n\t"                                                                    \
      LATHE_WINDOWS_COLUMN(LATHE_WINDOWS_R12, LATHE_WINDOWS_LR, LATHE_WINDOWS_R11)    \
      RESULT("r12")                                                                   \
      "beq 2f\n\t"                                                                    \
      LATHE_WINDOWS_COLUMN(LATHE_WINDOWS_LR, LATHE_WINDOWS_R11, LATHE_WINDOWS_R12)    \
      RESULT("lr")                                                                    \
      "bne 1b\n"                                                                      \
      "2:\n\t"                                                                        \
      "ldr r0, [sp, #24]\n\t"                                                         \
      "ldr r1, [sp, #56]\n\t"                                                         \
      "adds r0, r0, #1\n\t"                                                           \
      "adds r1, r1, #1\n\t"                                                           \
      "str r0, [sp, #24]\n\t"                                                         \
      "str r1, [sp, #56]\n\t"                                                         \
      "ldrd r0, r1, [sp, #68]\n\t"                                                    \
      "cmp r0, r1\n\t"                                                                \
      "bne 9b\n\t"                                                                    \
      "add r12, sp, #76\n\t"                                                          \
      "ldm r12, {r4-r11, pc}\n\t")
/* A line of windows of each channel, with two roundings and with one. */
LATHE_NAKED lathe_quad_windows(LATHE_WINDOWS_ARGUMENTS) {
  LATHE_WINDOWS(LATHE_WINDOWS_SCALE, LATHE_WINDOWS_RESULT);
}
LATHE_NAKED lathe_quad_windows_once(LATHE_WINDOWS_ARGUMENTS) {
  LATHE_WINDOWS(LATHE_WINDOWS_FACTOR, LATHE_WINDOWS_ONCE);
}
/* clang-format on */

#endif

#endif
