/* SPDX-License-Identifier: 0BSD */
/* helium_depthwise.h - int8 depthwise convolutions for Arm cores with Helium, one line of the
 * result at a time: sums
 *
 *   bias[c] + x[column * step + ky * line + kx * tap + c] * w[(ky * width + kx) * channels + c] ...
 *
 * for ky < height and kx < width, requantized to int8. Four channels share a vector. Scales are
 * those of helium_products.h, one of each channel. */
#ifndef LATHE_HELIUM_DEPTHWISE_H
#define LATHE_HELIUM_DEPTHWISE_H

#include "fixed_point.h"

#if defined(__ARM_FEATURE_MVE) && defined(__GNUC__)
#include <arm_mve.h>
#endif

#if defined(__GNUC__)
__attribute__((noinline, unused))
#endif
static void
lathe_helium_depthwise_twice_i8(const int8_t* x, const int8_t* w, const int32_t* bias,
                                const int32_t* scales, int32_t columns, int32_t channels,
                                int32_t step, int32_t height, int32_t line, int32_t width,
                                int32_t tap, int32_t zero, int32_t lo, int32_t hi, int8_t* out) {
  const int32_t* const shifts = &scales[(channels + 3) / 4 * 4];
  int32_t i;
  int32_t c;
  int32_t ky;
  int32_t kx;
#if defined(__ARM_FEATURE_MVE) && defined(__GNUC__)
  for (c = 0; c < channels; c += 4) {
    const mve_pred16_t here = vctp32q((uint32_t)(channels - c));
    const int32x4_t start = vldrwq_s32(&bias[c]);
    const int32x4_t mantissa = vldrwq_s32(&scales[c]);
    const int32x4_t shift = vldrwq_s32(&shifts[c]);
    for (i = 0; i < columns; ++i) {
      const int8_t* weight = &w[c];
      int32x4_t sum = start;
      for (ky = 0; ky < height; ++ky) {
        const int8_t* from = &x[(i * step) + (ky * line) + c];
        for (kx = 0; kx < width; ++kx) {
          sum = vaddq_s32(sum, vmulq_s32(vldrbq_z_s32(from, here), vldrbq_z_s32(weight, here)));
          from += tap;
          weight += channels;
        }
      }
      sum = vqrdmulhq_s32(sum, mantissa);
      sum = vaddq_s32(sum, vshrq_n_s32(sum, 31));
      sum = vaddq_n_s32(vrshlq_s32(sum, shift), zero);
      sum = vminq_s32(vmaxq_s32(sum, vdupq_n_s32(lo)), vdupq_n_s32(hi));
      vstrbq_p_s32(&out[(i * channels) + c], sum, here);
    }
  }
#else
  for (c = 0; c < channels; ++c) {
    for (i = 0; i < columns; ++i) {
      uint32_t sum = (uint32_t)bias[c];
      int32_t value;
      int32_t raised;
      for (ky = 0; ky < height; ++ky) {
        for (kx = 0; kx < width; ++kx) {
          const int32_t element = x[(i * step) + (ky * line) + (kx * tap) + c];
          sum += (uint32_t)(element * w[(((ky * width) + kx) * channels) + c]);
        }
      }
      value = lathe_scaled_right((int32_t)sum, scales[c], -shifts[c]) + zero;
      raised = (value > lo) ? value : lo;
      out[(i * channels) + c] = (int8_t)((raised < hi) ? raised : hi);
    }
  }
#endif
}

#endif
