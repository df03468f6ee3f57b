/* SPDX-License-Identifier: 0BSD */
/* dot.h - dot products of int8 rows: of one or two rows with four, for k < count:
 *
 *   sums[c] += x0[k] * w[c * step + k],  sums[4 + c] += x1[k] * w[c * step + k]
 *
 * Uses the instructions that are enabled in the compiler: two products at once on Arm cores with
 * the DSP extension, 8 to 32 on x86, else scalar code. The sums wrap around in 32 bits. */
#ifndef LATHE_DOT_H
#define LATHE_DOT_H

#include <stdint.h>
#include <string.h>

#include "lanes.h"
#include "outlined.h"

/* Constant counts and steps halve the code for loops and addresses. */
#if defined(__GNUC__)
#define LATHE_DOT_INLINE static inline __attribute__((always_inline))
#else
#define LATHE_DOT_INLINE static inline
#endif

LATHE_DOT_INLINE int32_t lathe_dot_add(int32_t a, int32_t b) {
  return (int32_t)((uint32_t)a + (uint32_t)b);
}

#if defined(__ARM_FEATURE_DSP) && defined(__GNUC__) && (__ARM_ARCH >= 6)

LATHE_DOT_INLINE uint32_t lathe_dot_word(const int8_t* from) {
  uint32_t word;
  memcpy(&word, from, sizeof word);
  return word;
}

/* Sign-extends bytes 0 and 2, or 1 and 3, to two 16-bit numbers. Compilers have no intrinsic for
 * the rotation. */
LATHE_DOT_INLINE uint32_t lathe_dot_even(uint32_t word) {
  uint32_t pair;
  __asm__("sxtb16 %0, %1" : "=r"(pair) : "r"(word));
  return pair;
}
LATHE_DOT_INLINE uint32_t lathe_dot_odd(uint32_t word) {
  uint32_t pair;
  __asm__("sxtb16 %0, %1, ror #8" : "=r"(pair) : "r"(word));
  return pair;
}
LATHE_DOT_INLINE int32_t lathe_dot_pair(uint32_t a, uint32_t b, int32_t sum) {
  int32_t result;
  __asm__("smlad %0, %1, %2, %3" : "=r"(result) : "r"(a), "r"(b), "r"(sum));
  return result;
}

/* As many sums as fit registers. A separate function, because the compiler allocates fewer
 * registers for them in a larger one. */
LATHE_OUTLINED void lathe_dots_i8_2x2(const int8_t* x0, const int8_t* x1, const int8_t* w0,
                                      const int8_t* w1, int32_t count, int32_t* sums) {
  int32_t a0 = sums[0], a1 = sums[1], b0 = sums[4], b1 = sums[5];
  int32_t k = 0;
  for (; k + 4 <= count; k += 4) {
    const uint32_t x = lathe_dot_word(x0 + k), y = lathe_dot_word(x1 + k);
    const uint32_t v = lathe_dot_word(w0 + k), u = lathe_dot_word(w1 + k);
    const uint32_t xe = lathe_dot_even(x), xo = lathe_dot_odd(x);
    const uint32_t ye = lathe_dot_even(y), yo = lathe_dot_odd(y);
    const uint32_t ve = lathe_dot_even(v), vo = lathe_dot_odd(v);
    const uint32_t ue = lathe_dot_even(u), uo = lathe_dot_odd(u);
    a0 = lathe_dot_pair(xo, vo, lathe_dot_pair(xe, ve, a0));
    a1 = lathe_dot_pair(xo, uo, lathe_dot_pair(xe, ue, a1));
    b0 = lathe_dot_pair(yo, vo, lathe_dot_pair(ye, ve, b0));
    b1 = lathe_dot_pair(yo, uo, lathe_dot_pair(ye, ue, b1));
  }
  for (; k < count; ++k) {
    a0 = lathe_dot_add(a0, x0[k] * w0[k]);
    a1 = lathe_dot_add(a1, x0[k] * w1[k]);
    b0 = lathe_dot_add(b0, x1[k] * w0[k]);
    b1 = lathe_dot_add(b1, x1[k] * w1[k]);
  }
  sums[0] = a0;
  sums[1] = a1;
  sums[4] = b0;
  sums[5] = b1;
}

LATHE_DOT_INLINE void lathe_dots_i8_2x4(const int8_t* x0, const int8_t* x1, const int8_t* w,
                                        int32_t step, int32_t count, int32_t* sums) {
  lathe_dots_i8_2x2(x0, x1, w, w + step, count, sums);
  lathe_dots_i8_2x2(x0, x1, w + 2 * step, w + 3 * step, count, sums + 2);
}

LATHE_OUTLINED void lathe_dots_i8_1x4(const int8_t* x, const int8_t* w, int32_t step, int32_t count,
                                      int32_t* sums) {
  const int8_t *const w1 = w + step, *const w2 = w1 + step, *const w3 = w2 + step;
  int32_t a0 = sums[0], a1 = sums[1], a2 = sums[2], a3 = sums[3];
  int32_t k = 0;
  for (; k + 4 <= count; k += 4) {
    const uint32_t word = lathe_dot_word(x + k);
    const uint32_t xe = lathe_dot_even(word), xo = lathe_dot_odd(word);
    uint32_t v = lathe_dot_word(w + k);
    a0 = lathe_dot_pair(xo, lathe_dot_odd(v), lathe_dot_pair(xe, lathe_dot_even(v), a0));
    v = lathe_dot_word(w1 + k);
    a1 = lathe_dot_pair(xo, lathe_dot_odd(v), lathe_dot_pair(xe, lathe_dot_even(v), a1));
    v = lathe_dot_word(w2 + k);
    a2 = lathe_dot_pair(xo, lathe_dot_odd(v), lathe_dot_pair(xe, lathe_dot_even(v), a2));
    v = lathe_dot_word(w3 + k);
    a3 = lathe_dot_pair(xo, lathe_dot_odd(v), lathe_dot_pair(xe, lathe_dot_even(v), a3));
  }
  for (; k < count; ++k) {
    a0 = lathe_dot_add(a0, x[k] * w[k]);
    a1 = lathe_dot_add(a1, x[k] * w1[k]);
    a2 = lathe_dot_add(a2, x[k] * w2[k]);
    a3 = lathe_dot_add(a3, x[k] * w3[k]);
  }
  sums[0] = a0;
  sums[1] = a1;
  sums[2] = a2;
  sums[3] = a3;
}

#elif defined(LATHE_LANES)

LATHE_DOT_INLINE int32_t lathe_dot_sum(lathe_lanes v) {
#if LATHE_LANES == 32
  /* Uses a mask, because gcc 12 warns about its own header without one. */
  const __m256i high = _mm512_maskz_extracti64x4_epi64((__mmask8)15, v, 1);
  const __m256i both = _mm256_add_epi32(_mm512_maskz_extracti64x4_epi64((__mmask8)15, v, 0), high);
  __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
#elif LATHE_LANES == 16
  __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
#else
  __m128i sum = v;
#endif
  sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
  return _mm_cvtsi128_si32(_mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1)));
}

LATHE_DOT_INLINE void lathe_dots_i8_2x4(const int8_t* x0, const int8_t* x1, const int8_t* w,
                                        int32_t step, int32_t count, int32_t* sums) {
  lathe_lanes a0 = lathe_lanes_none(), a1 = a0, a2 = a0, a3 = a0;
  lathe_lanes b0 = a0, b1 = a0, b2 = a0, b3 = a0;
  int32_t k = 0;
  for (; k + LATHE_LANES <= count; k += LATHE_LANES) {
    const lathe_lanes x = lathe_lanes_load(x0 + k), y = lathe_lanes_load(x1 + k);
    const lathe_lanes w0 = lathe_lanes_load(w + k), w1 = lathe_lanes_load(w + step + k);
    const lathe_lanes w2 = lathe_lanes_load(w + 2 * step + k);
    const lathe_lanes w3 = lathe_lanes_load(w + 3 * step + k);
    a0 = lathe_lanes_add(x, w0, a0);
    a1 = lathe_lanes_add(x, w1, a1);
    a2 = lathe_lanes_add(x, w2, a2);
    a3 = lathe_lanes_add(x, w3, a3);
    b0 = lathe_lanes_add(y, w0, b0);
    b1 = lathe_lanes_add(y, w1, b1);
    b2 = lathe_lanes_add(y, w2, b2);
    b3 = lathe_lanes_add(y, w3, b3);
  }
  sums[0] = lathe_dot_add(sums[0], lathe_dot_sum(a0));
  sums[1] = lathe_dot_add(sums[1], lathe_dot_sum(a1));
  sums[2] = lathe_dot_add(sums[2], lathe_dot_sum(a2));
  sums[3] = lathe_dot_add(sums[3], lathe_dot_sum(a3));
  sums[4] = lathe_dot_add(sums[4], lathe_dot_sum(b0));
  sums[5] = lathe_dot_add(sums[5], lathe_dot_sum(b1));
  sums[6] = lathe_dot_add(sums[6], lathe_dot_sum(b2));
  sums[7] = lathe_dot_add(sums[7], lathe_dot_sum(b3));
  for (; k < count; ++k) {
    int32_t c;
    for (c = 0; c < 4; ++c) {
      sums[c] = lathe_dot_add(sums[c], x0[k] * w[c * step + k]);
      sums[4 + c] = lathe_dot_add(sums[4 + c], x1[k] * w[c * step + k]);
    }
  }
}

LATHE_DOT_INLINE void lathe_dots_i8_1x4(const int8_t* x, const int8_t* w, int32_t step,
                                        int32_t count, int32_t* sums) {
  int32_t c;
  for (c = 0; c < 4; ++c) {
    const int8_t* const row = &w[c * step];
    lathe_lanes sum = lathe_lanes_none();
    int32_t k = 0;
    for (; k + LATHE_LANES <= count; k += LATHE_LANES) {
      sum = lathe_lanes_add(lathe_lanes_load(x + k), lathe_lanes_load(row + k), sum);
    }
    sums[c] = lathe_dot_add(sums[c], lathe_dot_sum(sum));
    for (; k < count; ++k) {
      sums[c] = lathe_dot_add(sums[c], x[k] * row[k]);
    }
  }
}

#else

LATHE_DOT_INLINE void lathe_dots_i8_1x4(const int8_t* x, const int8_t* w, int32_t step,
                                        int32_t count, int32_t* sums) {
  int32_t c;
  int32_t k;
  for (c = 0; c < 4; ++c) {
    const int8_t* const row = &w[c * step];
    for (k = 0; k < count; ++k) {
      sums[c] = lathe_dot_add(sums[c], x[k] * row[k]);
    }
  }
}

LATHE_DOT_INLINE void lathe_dots_i8_2x4(const int8_t* x0, const int8_t* x1, const int8_t* w,
                                        int32_t step, int32_t count, int32_t* sums) {
  lathe_dots_i8_1x4(x0, w, step, count, sums);
  lathe_dots_i8_1x4(x1, w, step, count, &sums[4]);
}

#endif

#endif
