/* SPDX-License-Identifier: 0BSD */
/* scalar.h - defines arithmetic that C leaves undefined: division by zero gives 0, the
 * overflowing quotient wraps around, shifts by too much shift everything out, conversion of
 * floats to integers truncates and saturates, NaN becomes 0. */
#ifndef LATHE_SCALAR_H
#define LATHE_SCALAR_H

#include <stddef.h>
#include <stdint.h>

static inline int32_t lathe_div_i32(int32_t a, int32_t b) {
  if (b == 0) {
    return 0;
  }
  return (b == -1) ? (int32_t)(0u - (uint32_t)a) : (a / b);
}

static inline int32_t lathe_mod_i32(int32_t a, int32_t b) {
  return ((b == 0) || (b == -1)) ? 0 : (a % b);
}

static inline int32_t lathe_floordiv_i32(int32_t a, int32_t b) {
  const int32_t q = lathe_div_i32(a, b);
  const int32_t r = lathe_mod_i32(a, b);
  return ((r != 0) && ((r < 0) != (b < 0))) ? (q - 1) : q;
}

static inline int32_t lathe_floormod_i32(int32_t a, int32_t b) {
  const int32_t r = lathe_mod_i32(a, b);
  return ((r != 0) && ((r < 0) != (b < 0))) ? (r + b) : r;
}

static inline int64_t lathe_div_i64(int64_t a, int64_t b) {
  if (b == 0) {
    return 0;
  }
  return (b == -1) ? (int64_t)(0u - (uint64_t)a) : (a / b);
}

static inline int64_t lathe_mod_i64(int64_t a, int64_t b) {
  return ((b == 0) || (b == -1)) ? 0 : (a % b);
}

static inline int64_t lathe_floordiv_i64(int64_t a, int64_t b) {
  const int64_t q = lathe_div_i64(a, b);
  const int64_t r = lathe_mod_i64(a, b);
  return ((r != 0) && ((r < 0) != (b < 0))) ? (q - 1) : q;
}

static inline int64_t lathe_floormod_i64(int64_t a, int64_t b) {
  const int64_t r = lathe_mod_i64(a, b);
  return ((r != 0) && ((r < 0) != (b < 0))) ? (r + b) : r;
}

static inline uint32_t lathe_div_u32(uint32_t a, uint32_t b) { return (b == 0u) ? 0u : (a / b); }

static inline uint32_t lathe_mod_u32(uint32_t a, uint32_t b) { return (b == 0u) ? 0u : (a % b); }

static inline uint64_t lathe_div_u64(uint64_t a, uint64_t b) { return (b == 0u) ? 0u : (a / b); }

static inline uint64_t lathe_mod_u64(uint64_t a, uint64_t b) { return (b == 0u) ? 0u : (a % b); }

/* Shifts an integer of `bits`. Right shifts are arithmetic. */
static inline int64_t lathe_shl_i64(int64_t a, uint64_t count, uint32_t bits) {
  return (count >= bits) ? 0 : (int64_t)((uint64_t)a << count);
}

static inline int64_t lathe_shr_i64(int64_t a, uint64_t count, uint32_t bits) {
  const uint64_t by = (count >= bits) ? 63u : count;
  const uint64_t signs = (a < 0) ? UINT64_MAX : 0u;
  return (int64_t)((((uint64_t)a ^ signs) >> by) ^ signs);
}

/* Arithmetic shifts by less than the width. C leaves >> of negative numbers to the
 * implementation, so their complement is shifted. On processors with vectors gcc and clang
 * guarantee the arithmetic shift, and vectorize it. */
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__))
static inline int32_t lathe_asr_i32(int32_t a, uint32_t count) { return a >> count; }
static inline int64_t lathe_asr_i64(int64_t a, uint32_t count) { return a >> count; }
#else
static inline int32_t lathe_asr_i32(int32_t a, uint32_t count) {
  const uint32_t signs = 0u - ((uint32_t)a >> 31u);
  return (int32_t)((((uint32_t)a ^ signs) >> count) ^ signs);
}

static inline int64_t lathe_asr_i64(int64_t a, uint32_t count) {
  const uint64_t signs = 0u - ((uint64_t)a >> 63u);
  return (int64_t)((((uint64_t)a ^ signs) >> count) ^ signs);
}
#endif

static inline uint64_t lathe_shl_u64(uint64_t a, uint64_t count, uint32_t bits) {
  return (count >= bits) ? 0u : (a << count);
}

static inline uint64_t lathe_shr_u64(uint64_t a, uint64_t count, uint32_t bits) {
  return (count >= bits) ? 0u : (a >> count);
}

/* a == b for computed numbers: zeros of both signs are equal, NaN is not equal to itself. */
static inline int lathe_equal(double a, double b) { return ((a <= b) && (a >= b)) ? 1 : 0; }

static inline int lathe_equalf(float a, float b) { return ((a <= b) && (a >= b)) ? 1 : 0; }

/* low is -high - 1. */
static inline int32_t lathe_to_i32(double v, int32_t low, int32_t high) {
  int32_t result = 0; /* for NaN */
  if (v >= (double)high) {
    result = high;
  } else if (v <= (double)low) {
    result = low;
  } else {
    result = (lathe_equal(v, v) != 0) ? (int32_t)v : 0;
  }
  return result;
}

/* For processors with floats but no doubles. Floats near the limits of 32 bits are integers. */
#if defined(__SSE2__) || defined(__ARM_NEON)
/* Branches would prevent gcc from vectorizing. */
static inline int32_t lathe_to_i32f(float v, int32_t low, int32_t high) {
  const float least = (float)low;
  const float most = ((float)high < 2147483520.0f) ? (float)high : 2147483520.0f;
  const float raised = (v > least) ? v : least; /* for NaN too */
  const int32_t inside = (int32_t)((raised < most) ? raised : most);
  const int32_t known = (lathe_equalf(v, v) != 0) ? inside : 0;
  return (v >= (float)high) ? high : ((v <= least) ? low : known);
}
#else
static inline int32_t lathe_to_i32f(float v, int32_t low, int32_t high) {
  int32_t result = 0; /* for NaN */
  if (v >= (float)high) {
    result = high;
  } else if (v <= (float)low) {
    result = low;
  } else {
    result = (lathe_equalf(v, v) != 0) ? (int32_t)v : 0;
  }
  return result;
}
#endif

static inline int64_t lathe_to_i64(double v) {
  int64_t result = 0; /* for NaN */
  if (v >= 9223372036854775808.0) {
    result = INT64_MAX;
  } else if (v <= -9223372036854775808.0) {
    result = INT64_MIN;
  } else {
    result = (lathe_equal(v, v) != 0) ? (int64_t)v : 0;
  }
  return result;
}

static inline uint64_t lathe_to_u64(double v, uint64_t high) {
  uint64_t result = 0u; /* for NaN */
  if (v >= (double)high) {
    result = high;
  } else {
    result = (v > 0.0) ? (uint64_t)v : 0u;
  }
  return result;
}

static inline int32_t lathe_abs_i32(int32_t a) { return (a < 0) ? (int32_t)(0u - (uint32_t)a) : a; }

static inline int64_t lathe_abs_i64(int64_t a) { return (a < 0) ? (int64_t)(0u - (uint64_t)a) : a; }

/* base^power modulo 2^64. Negative powers give 0, except for the bases 1 and -1. */
static inline uint64_t lathe_pow_u64(uint64_t base, int64_t power) {
  const uint64_t minus_one = ~(uint64_t)0;
  uint64_t result = 1u;
  if (power < 0) {
    if (base == minus_one) {
      result = ((power % 2) == 0) ? 1u : minus_one;
    } else {
      result = (base == 1u) ? base : 0u;
    }
  } else {
    uint64_t square = base;
    uint64_t left = (uint64_t)power;
    while (left > 0u) {
      if ((left & 1u) != 0u) {
        result = result * square;
      }
      square = square * square;
      left = left >> 1;
    }
  }
  return result;
}

static inline int32_t lathe_popcount(uint64_t a) {
  uint64_t left = a;
  int32_t count = 0;
  while (left != 0u) {
    left = left & (left - 1u);
    ++count;
  }
  return count;
}

/* Uses the lowest `bits`. */
static inline int32_t lathe_clz(uint64_t a, int32_t bits) {
  uint64_t bit = (uint64_t)1 << (uint32_t)(bits - 1);
  int32_t count = 0;
  while ((count < bits) && ((a & bit) == 0u)) {
    bit = bit >> 1;
    ++count;
  }
  return count;
}

/* Converts between a float and its bit pattern. */
static inline uint32_t lathe_bits_of_float(float value) {
  union {
    float f;
    uint32_t u;
  } both;
  both.f = value;
  return both.u;
}

static inline float lathe_float_of_bits(uint32_t bits) {
  union {
    float f;
    uint32_t u;
  } both;
  both.u = bits;
  return both.f;
}

/* Returns the size in bytes of `count` items; SIZE_MAX on overflow. */
static inline size_t lathe_scaled(size_t bytes, int64_t count) {
  if (count <= 0) {
    return 0u;
  }
  return ((uint64_t)count > (SIZE_MAX / ((bytes == 0u) ? 1u : bytes))) ? SIZE_MAX
                                                                       : (bytes * (size_t)count);
}

static inline size_t lathe_sum(size_t a, size_t b) {
  return (a > (SIZE_MAX - b)) ? SIZE_MAX : (a + b);
}

static inline size_t lathe_larger(size_t a, size_t b) { return a > b ? a : b; }

/* `align` is a power of two. */
static inline size_t lathe_aligned(size_t bytes, size_t align) {
  const size_t past = align - 1u;
  return (bytes > (SIZE_MAX - past)) ? SIZE_MAX : ((bytes + past) & ~past);
}

#endif /* LATHE_SCALAR_H */
