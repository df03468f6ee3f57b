/* SPDX-License-Identifier: 0BSD */
/* paired_depthwise.h - int8 depthwise convolutions for Arm cores with the DSP extension, one line
 * of the result at a time: sums
 *
 *   bias[c] + x[column * step + ky * line + kx * tap + c] * weight of channel c for (ky, kx) ...
 *
 * for ky < height and kx < width, requantized to int8.
 *
 * SXTB16 extends four channels of x to 16 bits, in two words; SMLABB and SMLATT multiply their
 * halves. `w` holds, for each four channels and each place of the window, weights of 16 bits in
 * the same order: c, c + 2, c + 1, c + 3. Every channel has a bias and a scale as in
 * paired_tiles.h. All of them are padded to four channels. The assembly loads words from any
 * address, as that of paired_tiles.h. */
#ifndef LATHE_PAIRED_DEPTHWISE_H
#define LATHE_PAIRED_DEPTHWISE_H

#include "naked.h"
#include "outlined.h"
#include "paired_tiles.h"
#include "result_way.h"

#if defined(LATHE_PAIRED_ASM)

/* The arguments of the functions below: four channels of a line. Four that fill registers come
 * first, so that all others are on the stack, where the code finds them at these offsets. The last
 * nine leave room for registers of the caller: the functions need no stack of their own. */
#define LATHE_PAIRED_CHANNEL_ARGUMENTS                                               \
  LATHE_NAKED_ARGUMENT(int32_t, r0), LATHE_NAKED_ARGUMENT(int32_t, r1),              \
      LATHE_NAKED_ARGUMENT(int32_t, r2), LATHE_NAKED_ARGUMENT(int32_t, r3),          \
      LATHE_NAKED_ARGUMENT(const int8_t*, x),       /*  0: at the first column */    \
      LATHE_NAKED_ARGUMENT(int32_t, line),          /*  4 */                         \
      LATHE_NAKED_ARGUMENT(int32_t, tap),           /*  8 */                         \
      LATHE_NAKED_ARGUMENT(int32_t, step),          /* 12 */                         \
      LATHE_NAKED_ARGUMENT(const int16_t*, w),      /* 16 */                         \
      LATHE_NAKED_ARGUMENT(const int32_t*, bias),   /* 20 */                         \
      LATHE_NAKED_ARGUMENT(const int32_t*, scales), /* 24 */                         \
      LATHE_NAKED_ARGUMENT(int32_t, round),         /* 28: 2 * zero + 1, or start */ \
      LATHE_NAKED_ARGUMENT(int32_t, channels),      /* 32 */                         \
      LATHE_NAKED_ARGUMENT(int8_t*, out_last),      /* 36: of the last column */     \
      LATHE_NAKED_ARGUMENT(int8_t*, out),           /* 40 */                         \
      LATHE_NAKED_ARGUMENT(int32_t, width),         /* 44 */                         \
      LATHE_NAKED_ARGUMENT(int32_t, height),        /* 48 */                         \
      LATHE_NAKED_ARGUMENT(int32_t, shift),         /* 52: with one rounding */      \
      LATHE_NAKED_ARGUMENT(int32_t, r4), LATHE_NAKED_ARGUMENT(int32_t, r5),          \
      LATHE_NAKED_ARGUMENT(int32_t, r6), LATHE_NAKED_ARGUMENT(int32_t, r7),          \
      LATHE_NAKED_ARGUMENT(int32_t, r8), LATHE_NAKED_ARGUMENT(int32_t, r9),          \
      LATHE_NAKED_ARGUMENT(int32_t, r10), LATHE_NAKED_ARGUMENT(int32_t, r11),        \
      LATHE_NAKED_ARGUMENT(int32_t, lr)

/* clang-format off */
/* Multiplies the four channels at X by the next weights. */
#define LATHE_PAIRED_TAP(X)     \
  "ldr lr, [" X "]\n\t"         \
  "ldrd r9, r10, [r12], #8\n\t" \
  "sxtb16 r8, lr\n\t"           \
  "sxtb16 lr, lr, ror #8\n\t"   \
  "smlabb r4, r8, r9, r4\n\t"   \
  "smlatt r6, r8, r9, r6\n\t"   \
  "smlabb r5, lr, r10, r5\n\t"  \
  "smlatt r7, lr, r10, r7\n\t"
#define LATHE_PAIRED_LINE_OF_3(X) \
  LATHE_PAIRED_TAP(X)             \
  LATHE_PAIRED_TAP(X ", r3")      \
  LATHE_PAIRED_TAP(X ", r3, lsl #1")

/* Results as in paired_twice.h. The scale is in r9 and r10, the zero point, doubled and rounded, in
 * lr, the place of the result in r11. */
#define LATHE_PAIRED_CHANNEL_SCALE "ldrd r9, r10, [r8]\n\t"
#define LATHE_PAIRED_NEXT_CHANNEL_SCALE(CHANNEL) \
  "ldr r9, [r8, #4 + 4 * " CHANNEL "]\n\t"       \
  "lsr r10, r10, #8\n\t"
#define LATHE_PAIRED_CHANNEL(SUM, AT)          \
  "smmlar " SUM ", " SUM ", r9, " SUM "\n\t"   \
  "add " SUM ", " SUM ", " SUM ", asr #31\n\t" \
  "asr " SUM ", " SUM ", r10\n\t"              \
  "add " SUM ", " SUM ", lr\n\t"               \
  "ssat " SUM ", #8, " SUM ", asr #1\n\t"      \
  "strb " SUM ", [r11, #" AT "]\n\t"
/* The same with one rounding; lr is the start, r10 the shift. */
#define LATHE_PAIRED_CHANNEL_FACTOR "ldr r9, [r8]\n\t"
#define LATHE_PAIRED_NEXT_CHANNEL_FACTOR(CHANNEL) "ldr r9, [r8, #4 * " CHANNEL "]\n\t"
#define LATHE_PAIRED_CHANNEL_ONCE(SUM, AT) \
  "smmla " SUM ", " SUM ", r9, lr\n\t"     \
  "asr " SUM ", " SUM ", r10\n\t"          \
  "ssat " SUM ", #8, " SUM "\n\t"          \
  "strb " SUM ", [r11, #" AT "]\n\t"
#define LATHE_PAIRED_CHANNEL_SHIFT "ldr r10, [sp, #52]\n\t"
/* Compares the place in the result with the last one, for a branch that follows, and leaves the step
 * in r8. */
#define LATHE_PAIRED_CHANNELS(SHIFT, FIRST, NEXT, CHANNEL) \
  "ldrd r8, lr, [sp, #24]\n\t"                             \
  SHIFT                                                    \
  FIRST                                                    \
  CHANNEL("r4", "0")                                       \
  NEXT("1")                                                \
  CHANNEL("r5", "1")                                       \
  NEXT("2")                                                \
  CHANNEL("r6", "2")                                       \
  NEXT("3")                                                \
  CHANNEL("r7", "3")                                       \
  "ldrd r8, r9, [sp, #32]\n\t"                             \
  "cmp r11, r9\n\t"                                        \
  "add r11, r11, r8\n\t"                                   \
  "ldr r8, [sp, #12]\n\t"
#define LATHE_PAIRED_SAVE \
  "add r12, sp, #56\n\t"  \
  "stm r12, {r4-r11, lr}\n\t"
#define LATHE_PAIRED_RESTORE \
  "add r12, sp, #56\n\t"     \
  "ldm r12, {r4-r11, pc}\n\t"

/* Windows of 3 x 3, and others. */
#define LATHE_PAIRED_3X3(SHIFT, FIRST, NEXT, CHANNEL)        \
  __asm__(LATHE_PAIRED_SAVE                                  \
          "ldm sp, {r0, r1, r3}\n\t"                         \
          "ldr r11, [sp, #40]\n\t"                           \
          "add r2, r0, r1, lsl #1\n\t"                       \
          "add r1, r0, r1\n"                                 \
          "9:\n\t"                                           \
          "ldrd r12, r8, [sp, #16]\n\t"                      \
          "ldm r8, {r4-r7}\n\t"                              \
          LATHE_PAIRED_LINE_OF_3("r0")                       \
          LATHE_PAIRED_LINE_OF_3("r1")                       \
          LATHE_PAIRED_LINE_OF_3("r2")                       \
          LATHE_PAIRED_CHANNELS(SHIFT, FIRST, NEXT, CHANNEL) \
          "add r0, r0, r8\n\t"                               \
          "add r1, r1, r8\n\t"                               \
          "add r2, r2, r8\n\t"                               \
          "bne 9b\n\t"                                       \
          LATHE_PAIRED_RESTORE)
#define LATHE_PAIRED_ANY(SHIFT, FIRST, NEXT, CHANNEL)        \
  __asm__(LATHE_PAIRED_SAVE                                  \
          "ldr r3, [sp, #8]\n"                               \
          "9:\n\t"                                           \
          "ldrd r12, r8, [sp, #16]\n\t"                      \
          "ldm r8, {r4-r7}\n\t"                              \
          "ldr r11, [sp, #48]\n\t"                           \
          "ldr r0, [sp]\n"                                   \
          "8:\n\t"                                           \
          "ldr r2, [sp, #44]\n\t"                            \
          "mov r1, r0\n"                                     \
          "7:\n\t"                                           \
          LATHE_PAIRED_TAP("r1")                             \
          "add r1, r1, r3\n\t"                               \
          "subs r2, r2, #1\n\t"                              \
          "bne 7b\n\t"                                       \
          "ldr r8, [sp, #4]\n\t"                             \
          "add r0, r0, r8\n\t"                               \
          "subs r11, r11, #1\n\t"                            \
          "bne 8b\n\t"                                       \
          "ldr r11, [sp, #40]\n\t"                           \
          LATHE_PAIRED_CHANNELS(SHIFT, FIRST, NEXT, CHANNEL) \
          "str r11, [sp, #40]\n\t"                           \
          "ldr r0, [sp]\n\t"                                 \
          "add r0, r0, r8\n\t"                               \
          "str r0, [sp]\n\t"                                 \
          "bne 9b\n\t"                                       \
          LATHE_PAIRED_RESTORE)
/* clang-format on */
LATHE_NAKED lathe_paired_depthwise_3x3(LATHE_PAIRED_CHANNEL_ARGUMENTS) {
  LATHE_PAIRED_3X3("", LATHE_PAIRED_CHANNEL_SCALE, LATHE_PAIRED_NEXT_CHANNEL_SCALE,
                   LATHE_PAIRED_CHANNEL);
}
LATHE_NAKED lathe_paired_depthwise_any(LATHE_PAIRED_CHANNEL_ARGUMENTS) {
  LATHE_PAIRED_ANY("", LATHE_PAIRED_CHANNEL_SCALE, LATHE_PAIRED_NEXT_CHANNEL_SCALE,
                   LATHE_PAIRED_CHANNEL);
}
LATHE_NAKED lathe_paired_depthwise_3x3_once(LATHE_PAIRED_CHANNEL_ARGUMENTS) {
  LATHE_PAIRED_3X3(LATHE_PAIRED_CHANNEL_SHIFT, LATHE_PAIRED_CHANNEL_FACTOR,
                   LATHE_PAIRED_NEXT_CHANNEL_FACTOR, LATHE_PAIRED_CHANNEL_ONCE);
}
LATHE_NAKED lathe_paired_depthwise_any_once(LATHE_PAIRED_CHANNEL_ARGUMENTS) {
  LATHE_PAIRED_ANY(LATHE_PAIRED_CHANNEL_SHIFT, LATHE_PAIRED_CHANNEL_FACTOR,
                   LATHE_PAIRED_NEXT_CHANNEL_FACTOR, LATHE_PAIRED_CHANNEL_ONCE);
}

#define LATHE_PAIRED_CALL_CHANNELS(FUNCTION, X, LINE, TAP, STEP, W, BIAS, SCALES, OUT, ROUND,    \
                                   CHANNELS, COLUMNS, WIDTH, HEIGHT, SHIFT)                      \
  FUNCTION(0, 0, 0, 0, (X), (LINE), (TAP), (STEP), (W), (BIAS), (SCALES), (ROUND), (CHANNELS),   \
           &(OUT)[((COLUMNS)-1) * (CHANNELS)], (OUT), (WIDTH), (HEIGHT), (SHIFT), 0, 0, 0, 0, 0, \
           0, 0, 0, 0)

#endif

/* Computes the channels from `first` on, one at a time. */
LATHE_INLINED void lathe_paired_depthwise_rest(const int8_t* x, const int16_t* w,
                                               const int32_t* bias, const int32_t* scales,
                                               int32_t columns, int32_t channels, int32_t step,
                                               int32_t height, int32_t line, int32_t width,
                                               int32_t tap, int32_t first,
                                               const lathe_result_way way, int8_t* out) {
  int32_t c;
  int32_t i;
  int32_t y;
  int32_t k;
  for (c = first; c < channels; ++c) {
    const int16_t* const weights =
        &w[((c / 4) * (4 * height * width)) + ((c % 2) * 2) + ((c % 4) / 2)];
    const int32_t* const four = lathe_paired_scales(scales, 1, c - (c % 4), &way);
    for (i = 0; i < columns; ++i) {
      const int16_t* weight = weights;
      uint32_t sum = (uint32_t)bias[c];
      for (y = 0; y < height; ++y) {
        for (k = 0; k < width; ++k) {
          const int32_t element = x[(i * step) + (y * line) + (k * tap) + c];
          sum += (uint32_t)(element * *weight);
          weight = &weight[4];
        }
      }
      out[(i * channels) + c] = lathe_paired_result((int32_t)sum, four, c % 4, way);
    }
  }
}

LATHE_INLINED void lathe_paired_depthwise(const int8_t* x, const int16_t* w, const int32_t* bias,
                                          const int32_t* scales, int32_t columns, int32_t channels,
                                          int32_t step, int32_t height, int32_t line, int32_t width,
                                          int32_t tap, const lathe_result_way way, int8_t* out) {
  int32_t first = 0;
#if defined(LATHE_PAIRED_ASM)
  const int32_t fours = ((way.lo == -128) && (way.hi == 127)) ? (channels - (channels % 4)) : 0;
  const int16_t* weights = w;
  const int32_t* scale = scales;
  for (first = 0; first < fours; first += 4) {
    const int8_t* const from = &x[first];
    int8_t* const to = &out[first];
    if (way.once != 0) {
      if ((height == 3) && (width == 3)) {
        LATHE_PAIRED_CALL_CHANNELS(lathe_paired_depthwise_3x3_once, from, line, tap, step, weights,
                                   &bias[first], scale, to, way.start, channels, columns, width,
                                   height, way.shift);
      } else {
        LATHE_PAIRED_CALL_CHANNELS(lathe_paired_depthwise_any_once, from, line, tap, step, weights,
                                   &bias[first], scale, to, way.start, channels, columns, width,
                                   height, way.shift);
      }
    } else if ((height == 3) && (width == 3)) {
      LATHE_PAIRED_CALL_CHANNELS(lathe_paired_depthwise_3x3, from, line, tap, step, weights,
                                 &bias[first], scale, to, (2 * way.zero) + 1, channels, columns,
                                 width, height, 0);
    } else {
      LATHE_PAIRED_CALL_CHANNELS(lathe_paired_depthwise_any, from, line, tap, step, weights,
                                 &bias[first], scale, to, (2 * way.zero) + 1, channels, columns,
                                 width, height, 0);
    }
    weights = &weights[4 * height * width];
    scale = lathe_paired_scales(scale, 1, 4, &way);
  }
#endif
  if (first < channels) {
    lathe_paired_depthwise_rest(x, w, bias, scales, columns, channels, step, height, line, width,
                                tap, first, way, out);
  }
}

/* With two roundings, and with one. Results are between lo and hi. */
LATHE_OUTLINED void lathe_paired_depthwise_twice_i8(const int8_t* x, const int16_t* w,
                                                    const int32_t* bias, const int32_t* scales,
                                                    int32_t columns, int32_t channels, int32_t step,
                                                    int32_t height, int32_t line, int32_t width,
                                                    int32_t tap, int32_t zero, int32_t lo,
                                                    int32_t hi, int8_t* out) {
  const lathe_result_way way = {0, zero, 0, 0, lo, hi};
  lathe_paired_depthwise(x, w, bias, scales, columns, channels, step, height, line, width, tap, way,
                         out);
}
LATHE_OUTLINED void lathe_paired_depthwise_once_i8(const int8_t* x, const int16_t* w,
                                                   const int32_t* bias, const int32_t* factors,
                                                   int32_t columns, int32_t channels, int32_t step,
                                                   int32_t height, int32_t line, int32_t width,
                                                   int32_t tap, int32_t start, int32_t shift,
                                                   int32_t lo, int32_t hi, int8_t* out) {
  const lathe_result_way way = {1, 0, start, shift, lo, hi};
  lathe_paired_depthwise(x, w, bias, factors, columns, channels, step, height, line, width, tap,
                         way, out);
}

#endif
