/* SPDX-License-Identifier: 0BSD */
/* fixed_point.h - multiplies the integers of quantized operators by real factors, which are
 * held as mantissa / 2^31 * 2^shift with 2^30 <= mantissa < 2^31. The definitions are those
 * of TensorFlow Lite, bit for bit. */
#ifndef LATHE_FIXED_POINT_H
#define LATHE_FIXED_POINT_H

#include <stdint.h>

#if (-1 >> 1) != -1
#error "shifts to the right must keep the sign"
#endif

/* The high half of 2 * a * b, rounded to nearest, halves up. */
static inline int32_t lathe_high_product(int32_t a, int32_t b) {
  return (int32_t)((((int64_t)a * b) + 0x40000000) >> 31);
}

/* The same for a mantissa, which is not negative. */
static inline int32_t lathe_mantissa_product(int32_t a, int32_t mantissa) {
#if defined(__ARM_FEATURE_DSP) && defined(__GNUC__) && (__ARM_ARCH >= 6)
  /* SMMLAR adds the high half of a product to a number. 2 * mantissa is 2^32 more than its value as
   * an int32, which is `a` more in the high half. */
  int32_t high;
  if (mantissa >= 0x40000000) {
    __asm__("smmlar %0, %1, %2, %1" : "=r"(high) : "r"(a), "r"((int32_t)((uint32_t)mantissa << 1)));
    return high;
  }
#endif
#if defined(__riscv_mul) && (__riscv_xlen == 32)
  /* MULHSU multiplies with an unsigned number: a mantissa twice as large. */
  const int64_t product = (int64_t)a * (int64_t)((uint32_t)mantissa << 1);
  return (int32_t)(product >> 32) + (int32_t)((uint32_t)product >> 31);
#else
  return lathe_high_product(a, mantissa);
#endif
}

/* x / 2^n, rounded to nearest, halves away from zero; 0 for n > 31. */
static inline int32_t lathe_rounded_shift(int32_t x, int32_t n) {
  const uint32_t mask = (n > 31) ? 0u : (((uint32_t)1 << (uint32_t)n) - 1u);
  const uint32_t rest = (uint32_t)x & mask;
  const uint32_t half = (mask >> 1) + ((x < 0) ? 1u : 0u);
  const int32_t shift = (n > 31) ? 31 : n;
  return (n > 31) ? 0 : ((x >> shift) + ((rest > half) ? 1 : 0));
}

/* x * factor, rounded twice: to 31 bits of the product, then by the shift. A shift to the left
 * comes first and wraps around. */
static inline int32_t lathe_scaled_twice(int32_t x, int32_t mantissa, int32_t shift) {
  if (shift > 0) {
    return lathe_mantissa_product((int32_t)((uint32_t)x << (uint32_t)shift), mantissa);
  }
  return lathe_rounded_shift(lathe_mantissa_product(x, mantissa), -shift);
}

/* The same for a shift to the right by n, 1 to 31. */
static inline int32_t lathe_scaled_right(int32_t x, int32_t mantissa, int32_t n) {
  const int32_t high = lathe_mantissa_product(x, mantissa);
  /* Negative values go down by one, so that their halves are rounded away from zero. */
  const int32_t away = high + ((high < 0) ? -1 : 0);
  return ((away >> (n - 1)) + 1) >> 1;
}

/* The same as an int8 result: plus `zero`, between lo and hi. */
static inline int8_t lathe_result_right(int32_t x, int32_t mantissa, int32_t n, int32_t zero,
                                        int32_t lo, int32_t hi) {
  const int32_t value = lathe_scaled_right(x, mantissa, n) + zero;
  const int32_t raised = (value > lo) ? value : lo;
  return (int8_t)((raised < hi) ? raised : hi);
}

/* x * factor, rounded once, for a sum x with at most 48 bits; the mantissa is first rounded to 16
 * bits. */
static inline int32_t lathe_scaled_once(int64_t x, int32_t mantissa, int32_t shift) {
  const int32_t short_mantissa = (mantissa < 0x7FFF0000) ? ((mantissa + 0x8000) >> 16) : 0x7FFF;
  const int32_t down = 15 - shift;
  return (int32_t)(((x * short_mantissa) + ((int64_t)1 << (down - 1))) >> down);
}

#endif /* LATHE_FIXED_POINT_H */
