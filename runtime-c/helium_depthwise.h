/* SPDX-License-Identifier: 0BSD */
/* helium_depthwise.h - int8 depthwise convolutions for Arm cores with Helium, one line of the
 * result at a time: sums
 *
 *   bias[c] + x[column * step + ky * line + kx * tap + c] * weight of channel c for (ky, kx) ...
 *
 * for ky < height and kx < width, requantized to int8.
 *
 * Sixteen channels share a vector. VMULLB and VMULLT multiply its even and odd channels to 16 bits,
 * which hold two products; VMOVLB and VMOVLT widen them to the sums of every fourth channel. `w`
 * holds sixteen weights for each place of the window, `numbers` twenty-four int32 for the even and
 * for the odd channels: biases of channels 0, 4, 8 and 12, biases of 2, 6, 10 and 14, mantissas and
 * negative shifts of the former, those of the latter. For one rounding (once_result.h), factors
 * take the place of mantissas. The last channels are padded with zeros. */
#ifndef LATHE_HELIUM_DEPTHWISE_H
#define LATHE_HELIUM_DEPTHWISE_H

#include "naked.h"
#include "outlined.h"
#include "result_way.h"

#if defined(__ARM_FEATURE_MVE) && defined(__GNUC__) && !defined(__ARM_BIG_ENDIAN)
#include <arm_mve.h>
#define LATHE_HELIUM_DEPTHWISE 1

/* clang-format off */
#define LATHE_HELIUM_ADD    \
  "vmovlb.s16 q5, q4\n\t"   \
  "vadd.i32 q0, q0, q5\n\t" \
  "vmovlt.s16 q5, q4\n\t"   \
  "vadd.i32 q1, q1, q5\n\t"
/* Adds the products of two places of the window, of even or odd channels. */
#define LATHE_HELIUM_TWO(MULTIPLY, X, Y) \
  "vldrb.u8 q4, " X "\n\t"               \
  "vldrb.u8 q5, [r9], #16\n\t"           \
  MULTIPLY " q4, q4, q5\n\t"             \
  "vldrb.u8 q6, " Y "\n\t"               \
  "vldrb.u8 q5, [r9], #16\n\t"           \
  MULTIPLY " q5, q6, q5\n\t"             \
  "vadd.i16 q4, q4, q5\n\t"              \
  LATHE_HELIUM_ADD
#define LATHE_HELIUM_SCALE(SUM)           \
  "vldrw.u32 q4, [r12], #16\n\t"          \
  "vqrdmulh.s32 " SUM ", " SUM ", q4\n\t" \
  "vldrw.u32 q4, [r12], #16\n\t"          \
  "vshr.s32 q5, " SUM ", #31\n\t"         \
  "vadd.i32 " SUM ", " SUM ", q5\n\t"     \
  "vrshl.s32 " SUM ", " SUM ", q4\n\t"    \
  "vadd.i32 " SUM ", " SUM ", r11\n\t"
/* The same with one rounding; r11 is the start. */
#define LATHE_HELIUM_SCALE_ONCE(SUM)   \
  "vldrw.u32 q4, [r12], #16\n\t"       \
  "vmulh.s32 " SUM ", " SUM ", q4\n\t" \
  "vldrw.u32 q4, [r12], #16\n\t"       \
  "vadd.i32 " SUM ", " SUM ", r11\n\t" \
  "vshl.s32 " SUM ", " SUM ", q4\n\t"
#define LATHE_HELIUM_HALF(SCALE, MULTIPLY, R0, R1, R2, R3, R4, R5, R6, R7, R8) \
  "vldrw.u32 q0, [r12], #16\n\t"                                               \
  "vldrw.u32 q1, [r12], #16\n\t"                                               \
  LATHE_HELIUM_TWO(MULTIPLY, R0, R1)                                           \
  LATHE_HELIUM_TWO(MULTIPLY, R2, R3)                                           \
  LATHE_HELIUM_TWO(MULTIPLY, R4, R5)                                           \
  LATHE_HELIUM_TWO(MULTIPLY, R6, R7)                                           \
  "vldrb.u8 q4, " R8 "\n\t"                                                    \
  "vldrb.u8 q5, [r9], #16\n\t"                                                 \
  MULTIPLY " q4, q4, q5\n\t"                                                   \
  LATHE_HELIUM_ADD                                                             \
  SCALE("q0")                                                                  \
  SCALE("q1")                                                                  \
  "vqmovnb.s32 q0, q0\n\t"                                                     \
  "vqmovnt.s32 q0, q1\n\t"

/* One line of windows of 3 x 3, with a multiple of four channels. Four arguments that fill registers
 * come first, so that all others are on the stack, where the code finds them at these offsets. The
 * last leave room for registers of the caller: the function needs no stack of its own. r0 to r8 are
 * the places of the window, r9 the weights, r10 the result, r11 the zero point, r12 the numbers. */
#define LATHE_HELIUM_LINE_ARGUMENTS                                                  \
    LATHE_NAKED_ARGUMENT(int32_t, r0), LATHE_NAKED_ARGUMENT(int32_t, r1),            \
    LATHE_NAKED_ARGUMENT(int32_t, r2), LATHE_NAKED_ARGUMENT(int32_t, r3),            \
    LATHE_NAKED_ARGUMENT(const int8_t*, x),        /*  0 */                          \
    LATHE_NAKED_ARGUMENT(int32_t, line),           /*  4 */                          \
    LATHE_NAKED_ARGUMENT(int32_t, tap),            /*  8 */                          \
    LATHE_NAKED_ARGUMENT(int32_t, step),           /* 12 */                          \
    LATHE_NAKED_ARGUMENT(const int8_t*, w),        /* 16 */                          \
    LATHE_NAKED_ARGUMENT(const int32_t*, numbers), /* 20 */                          \
    LATHE_NAKED_ARGUMENT(int8_t*, out),            /* 24 */                          \
    LATHE_NAKED_ARGUMENT(int32_t, zero),           /* 28: or start */                \
    LATHE_NAKED_ARGUMENT(int32_t, channels),       /* 32 */                          \
    LATHE_NAKED_ARGUMENT(int32_t, columns),        /* 36 */                          \
    LATHE_NAKED_ARGUMENT(int32_t, lo),             /* 40 */                          \
    LATHE_NAKED_ARGUMENT(int32_t, hi),             /* 44 */                          \
    LATHE_NAKED_ARGUMENT(int32_t, r4), LATHE_NAKED_ARGUMENT(int32_t, r5), /* 48 */   \
    LATHE_NAKED_ARGUMENT(int32_t, r6), LATHE_NAKED_ARGUMENT(int32_t, r7),            \
    LATHE_NAKED_ARGUMENT(int32_t, r8), LATHE_NAKED_ARGUMENT(int32_t, r9),            \
    LATHE_NAKED_ARGUMENT(int32_t, r10), LATHE_NAKED_ARGUMENT(int32_t, r11),          \
    LATHE_NAKED_ARGUMENT(int32_t, lr),                                               \
    LATHE_NAKED_ARGUMENT(int32_t, s16), LATHE_NAKED_ARGUMENT(int32_t, s17), /* 84 */ \
    LATHE_NAKED_ARGUMENT(int32_t, s18), LATHE_NAKED_ARGUMENT(int32_t, s19),          \
    LATHE_NAKED_ARGUMENT(int32_t, s20), LATHE_NAKED_ARGUMENT(int32_t, s21),          \
    LATHE_NAKED_ARGUMENT(int32_t, s22), LATHE_NAKED_ARGUMENT(int32_t, s23),          \
    LATHE_NAKED_ARGUMENT(int32_t, s24), LATHE_NAKED_ARGUMENT(int32_t, s25),          \
    LATHE_NAKED_ARGUMENT(int32_t, s26), LATHE_NAKED_ARGUMENT(int32_t, s27),          \
    LATHE_NAKED_ARGUMENT(int32_t, s28), LATHE_NAKED_ARGUMENT(int32_t, s29),          \
    LATHE_NAKED_ARGUMENT(int32_t, s30), LATHE_NAKED_ARGUMENT(int32_t, s31)
#define LATHE_HELIUM_LINE(SCALE)                                                                    \
  __asm__(                                                                                          \
      "add r12, sp, #48\n\t"                                                                        \
      "stm r12, {r4-r11, lr}\n\t"                                                                   \
      "add r12, sp, #84\n\t"                                                                        \
      "vstm r12, {s16-s31}\n\t"                                                                     \
      "ldrd r1, r2, [sp, #40]\n\t"                                                                  \
      "vdup.8 q2, r1\n\t"                                                                           \
      "vdup.8 q3, r2\n\t"                                                                           \
      "ldr r10, [sp, #24]\n"                                                                        \
      "9:\n\t"                                                                                      \
      "ldrd r0, r12, [sp]\n\t"                                                                      \
      "ldrd r11, r9, [sp, #8]\n\t"                                                                  \
      "add r1, r0, r11\n\t"                                                                         \
      "add r2, r1, r11\n\t"                                                                         \
      "add r3, r0, r12\n\t"                                                                         \
      "add r4, r1, r12\n\t"                                                                         \
      "add r5, r2, r12\n\t"                                                                         \
      "add r6, r3, r12\n\t"                                                                         \
      "add r7, r4, r12\n\t"                                                                         \
      "add r8, r5, r12\n\t"                                                                         \
      "add r9, r9, r0\n\t"                                                                          \
      "str r9, [sp]\n\t"                                                                            \
      "ldrd r11, r12, [sp, #28]\n\t"                                                                \
      "dlstp.8 lr, r12\n\t"                                                                         \
      "ldrd r9, r12, [sp, #16]\n"                                                                   \
      "8:\n\t"                                                                                      \
      LATHE_HELIUM_HALF(SCALE, "vmullb.s8", "[r0]", "[r1]", "[r2]", "[r3]", "[r4]", "[r5]", "[r6]", \
                        "[r7]", "[r8]")                                                             \
      "vmov q7, q0\n\t"                                                                             \
      "sub r9, r9, #144\n\t"                                                                        \
      LATHE_HELIUM_HALF(SCALE, "vmullt.s8", "[r0], #16", "[r1], #16", "[r2], #16", "[r3], #16",     \
                        "[r4], #16", "[r5], #16", "[r6], #16", "[r7], #16", "[r8], #16")            \
      "vqmovnb.s16 q7, q7\n\t"                                                                      \
      "vqmovnt.s16 q7, q0\n\t"                                                                      \
      "vmax.s8 q7, q7, q2\n\t"                                                                      \
      "vmin.s8 q7, q7, q3\n\t"                                                                      \
      "vstrb.8 q7, [r10], #16\n\t"                                                                  \
      "letp lr, 8b\n\t"                                                                             \
      "ldr r12, [sp, #24]\n\t"                                                                      \
      "ldrd r8, r9, [sp, #32]\n\t"                                                                  \
      "add r10, r12, r8\n\t"                                                                        \
      "str r10, [sp, #24]\n\t"                                                                      \
      "subs r9, r9, #1\n\t"                                                                         \
      "str r9, [sp, #36]\n\t"                                                                       \
      "bne 9b\n\t"                                                                                  \
      "add r12, sp, #84\n\t"                                                                        \
      "vldm r12, {s16-s31}\n\t"                                                                     \
      "add r12, sp, #48\n\t"                                                                        \
      "ldm r12, {r4-r11, pc}\n\t")
LATHE_NAKED lathe_helium_line_3x3(LATHE_HELIUM_LINE_ARGUMENTS) {
  LATHE_HELIUM_LINE(LATHE_HELIUM_SCALE);
}
LATHE_NAKED lathe_helium_line_3x3_once(LATHE_HELIUM_LINE_ARGUMENTS) {
  LATHE_HELIUM_LINE(LATHE_HELIUM_SCALE_ONCE);
}
/* clang-format on */

LATHE_INLINED int32x4_t lathe_helium_scaled(int32x4_t sum, const int32_t* scale,
                                            const lathe_result_way way) {
  if (way.once != 0) {
    sum = vaddq_n_s32(vmulhq_s32(sum, vldrwq_s32(scale)), way.start);
    return vshlq_s32(sum, vldrwq_s32(&scale[4]));
  }
  sum = vqrdmulhq_s32(sum, vldrwq_s32(scale));
  sum = vaddq_s32(sum, vshrq_n_s32(sum, 31));
  return vaddq_n_s32(vrshlq_s32(sum, vldrwq_s32(&scale[4])), way.zero);
}

/* Other windows, sixteen channels at a time. */
LATHE_INLINED void lathe_helium_line_any(const int8_t* x, const int8_t* w, const int32_t* numbers,
                                         int32_t columns, int32_t channels, int32_t step,
                                         int32_t height, int32_t line, int32_t width, int32_t tap,
                                         const lathe_result_way way, int8_t* out) {
  int32_t c;
  for (c = 0; c < channels; c += 16) {
    const mve_pred16_t here = vctp8q((uint32_t)(channels - c));
    int32_t i;
    for (i = 0; i < columns; ++i) {
      const int8_t* weight = w;
      int32x4_t even_low = vldrwq_s32(numbers);
      int32x4_t even_high = vldrwq_s32(&numbers[4]);
      int32x4_t odd_low = vldrwq_s32(&numbers[24]);
      int32x4_t odd_high = vldrwq_s32(&numbers[28]);
      int16x8_t even = vdupq_n_s16(0);
      int16x8_t odd = vdupq_n_s16(0);
      int8x16_t all = vdupq_n_s8(0);
      int32_t ky;
      for (ky = 0; ky < height; ++ky) {
        const int8_t* from = &x[(i * step) + (ky * line) + c];
        int32_t kx;
        for (kx = 0; kx < width; ++kx) {
          const int8x16_t element = vldrbq_z_s8(from, here);
          const int8x16_t by = vldrbq_s8(weight);
          even = vmullbq_int_s8(element, by);
          odd = vmulltq_int_s8(element, by);
          even_low = vaddq_s32(even_low, vmovlbq_s16(even));
          even_high = vaddq_s32(even_high, vmovltq_s16(even));
          odd_low = vaddq_s32(odd_low, vmovlbq_s16(odd));
          odd_high = vaddq_s32(odd_high, vmovltq_s16(odd));
          from += tap;
          weight += 16;
        }
      }
      even = vqmovnbq_s32(even, lathe_helium_scaled(even_low, &numbers[8], way));
      even = vqmovntq_s32(even, lathe_helium_scaled(even_high, &numbers[16], way));
      odd = vqmovnbq_s32(odd, lathe_helium_scaled(odd_low, &numbers[32], way));
      odd = vqmovntq_s32(odd, lathe_helium_scaled(odd_high, &numbers[40], way));
      all = vqmovntq_s16(vqmovnbq_s16(all, even), odd);
      all = vminq_s8(vmaxq_s8(all, vdupq_n_s8((int8_t)way.lo)), vdupq_n_s8((int8_t)way.hi));
      vstrbq_p_s8(&out[(i * channels) + c], all, here);
    }
    w += 16 * height * width;
    numbers += 48;
  }
}

#endif

#define LATHE_HELIUM_CALL_LINE(FUNCTION, X, LINE, TAP, STEP, W, NUMBERS, OUT, ZERO, CHANNELS,    \
                               COLUMNS, LO, HI)                                                  \
  FUNCTION(0, 0, 0, 0, (X), (LINE), (TAP), (STEP), (W), (NUMBERS), (OUT), (ZERO), (CHANNELS),    \
           (COLUMNS), (LO), (HI), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
           0, 0, 0, 0)

LATHE_INLINED void lathe_helium_depthwise(const int8_t* x, const int8_t* w, const int32_t* numbers,
                                          int32_t columns, int32_t channels, int32_t step,
                                          int32_t height, int32_t line, int32_t width, int32_t tap,
                                          const lathe_result_way way, int8_t* out) {
#if defined(LATHE_HELIUM_DEPTHWISE)
  if ((height != 3) || (width != 3) || ((channels % 4) != 0)) {
    lathe_helium_line_any(x, w, numbers, columns, channels, step, height, line, width, tap, way,
                          out);
  } else if (way.once != 0) {
    LATHE_HELIUM_CALL_LINE(lathe_helium_line_3x3_once, x, line, tap, step, w, numbers, out,
                           way.start, channels, columns, way.lo, way.hi);
  } else {
    LATHE_HELIUM_CALL_LINE(lathe_helium_line_3x3, x, line, tap, step, w, numbers, out, way.zero,
                           channels, columns, way.lo, way.hi);
  }
#else
  int32_t i;
  int32_t c;
  int32_t ky;
  int32_t kx;
  for (c = 0; c < channels; ++c) {
    const int8_t* const weights = &w[((c / 16) * (16 * height * width)) + (c % 16)];
    const int32_t* const half = &numbers[(((c / 16) * 2) + (c % 2)) * 24];
    const int32_t lane = (c % 16) / 4;
    const int32_t upper = (c % 4) / 2;
    const int32_t* const scale = &half[8 + (8 * upper) + lane];
    for (i = 0; i < columns; ++i) {
      uint32_t sum = (uint32_t)half[(4 * upper) + lane];
      for (ky = 0; ky < height; ++ky) {
        for (kx = 0; kx < width; ++kx) {
          const int32_t element = x[(i * step) + (ky * line) + (kx * tap) + c];
          sum += (uint32_t)(element * weights[16 * ((ky * width) + kx)]);
        }
      }
      out[(i * channels) + c] = lathe_result_by((int32_t)sum, scale[0], -scale[4], way);
    }
  }
#endif
}

/* With two roundings, and with one. */
LATHE_OUTLINED void lathe_helium_depthwise_twice_i8(const int8_t* x, const int8_t* w,
                                                    const int32_t* numbers, int32_t columns,
                                                    int32_t channels, int32_t step, int32_t height,
                                                    int32_t line, int32_t width, int32_t tap,
                                                    int32_t zero, int32_t lo, int32_t hi,
                                                    int8_t* out) {
  const lathe_result_way way = {0, zero, 0, 0, lo, hi};
  lathe_helium_depthwise(x, w, numbers, columns, channels, step, height, line, width, tap, way,
                         out);
}
LATHE_OUTLINED void lathe_helium_depthwise_once_i8(const int8_t* x, const int8_t* w,
                                                   const int32_t* numbers, int32_t columns,
                                                   int32_t channels, int32_t step, int32_t height,
                                                   int32_t line, int32_t width, int32_t tap,
                                                   int32_t start, int32_t shift, int32_t lo,
                                                   int32_t hi, int8_t* out) {
  const lathe_result_way way = {1, 0, start, shift, lo, hi};
  lathe_helium_depthwise(x, w, numbers, columns, channels, step, height, line, width, tap, way,
                         out);
}

#endif
