/* SPDX-License-Identifier: 0BSD */
/* scalar.h - arithmetic that C leaves open, settled: a division by zero gives 0, the one quotient
 * that does not fit wraps around, shifts by too much shift everything out, floats become integers
 * by truncation within the integer's range, NaN becomes 0. */
#ifndef LATHE_SCALAR_H
#define LATHE_SCALAR_H

#include <stddef.h>
#include <stdint.h>

static inline int32_t lathe_div_i32(int32_t a, int32_t b) {
  if (b == 0) {
    return 0;
  }
  return b == -1 ? (int32_t)(0u - (uint32_t)a) : a / b;
}

static inline int32_t lathe_mod_i32(int32_t a, int32_t b) { return b == 0 || b == -1 ? 0 : a % b; }

static inline int32_t lathe_floordiv_i32(int32_t a, int32_t b) {
  const int32_t q = lathe_div_i32(a, b);
  const int32_t r = lathe_mod_i32(a, b);
  return r != 0 && (r < 0) != (b < 0) ? q - 1 : q;
}

static inline int32_t lathe_floormod_i32(int32_t a, int32_t b) {
  const int32_t r = lathe_mod_i32(a, b);
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

static inline int64_t lathe_div_i64(int64_t a, int64_t b) {
  if (b == 0) {
    return 0;
  }
  return b == -1 ? (int64_t)(0u - (uint64_t)a) : a / b;
}

static inline int64_t lathe_mod_i64(int64_t a, int64_t b) { return b == 0 || b == -1 ? 0 : a % b; }

static inline int64_t lathe_floordiv_i64(int64_t a, int64_t b) {
  const int64_t q = lathe_div_i64(a, b);
  const int64_t r = lathe_mod_i64(a, b);
  return r != 0 && (r < 0) != (b < 0) ? q - 1 : q;
}

static inline int64_t lathe_floormod_i64(int64_t a, int64_t b) {
  const int64_t r = lathe_mod_i64(a, b);
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

static inline uint32_t lathe_div_u32(uint32_t a, uint32_t b) { return b == 0u ? 0u : a / b; }

static inline uint32_t lathe_mod_u32(uint32_t a, uint32_t b) { return b == 0u ? 0u : a % b; }

static inline uint64_t lathe_div_u64(uint64_t a, uint64_t b) { return b == 0u ? 0u : a / b; }

static inline uint64_t lathe_mod_u64(uint64_t a, uint64_t b) { return b == 0u ? 0u : a % b; }

/* Of an integer of `bits`. */
static inline int64_t lathe_shl_i64(int64_t a, uint64_t count, unsigned bits) {
  return count >= bits ? 0 : (int64_t)((uint64_t)a << count);
}

static inline int64_t lathe_shr_i64(int64_t a, uint64_t count, unsigned bits) {
  return count >= bits ? (a < 0 ? -1 : 0) : a >> count;
}

static inline uint64_t lathe_shl_u64(uint64_t a, uint64_t count, unsigned bits) {
  return count >= bits ? 0u : a << count;
}

static inline uint64_t lathe_shr_u64(uint64_t a, uint64_t count, unsigned bits) {
  return count >= bits ? 0u : a >> count;
}

/* low is -high - 1. */
static inline int32_t lathe_to_i32(double v, int32_t low, int32_t high) {
  if (v >= (double)high) {
    return high;
  }
  if (v > (double)low) {
    return (int32_t)v;
  }
  return v <= (double)low ? low : 0;
}

static inline int64_t lathe_to_i64(double v) {
  if (v >= 9223372036854775808.0) {
    return INT64_MAX;
  }
  if (v > -9223372036854775808.0) {
    return (int64_t)v;
  }
  return v < 0.0 ? INT64_MIN : 0;
}

static inline uint64_t lathe_to_u64(double v, uint64_t high) {
  if (!(v > 0.0)) {
    return 0u;
  }
  return v >= (double)high ? high : (uint64_t)v;
}

static inline int32_t lathe_abs_i32(int32_t a) { return a < 0 ? (int32_t)(0u - (uint32_t)a) : a; }

static inline int64_t lathe_abs_i64(int64_t a) { return a < 0 ? (int64_t)(0u - (uint64_t)a) : a; }

/* base to a power of at least 0, modulo 2^64; one below 0 gives 0 but for the bases 1 and -1. */
static inline uint64_t lathe_pow_u64(uint64_t base, int64_t power) {
  uint64_t result = 1u;
  if (power < 0) {
    const uint64_t minus_one = ~(uint64_t)0;
    return base == 1u ? 1u : base == minus_one ? ((power & 1) != 0 ? minus_one : 1u) : 0u;
  }
  while (power > 0) {
    if ((power & 1) != 0) {
      result *= base;
    }
    base *= base;
    power >>= 1;
  }
  return result;
}

static inline int lathe_popcount(uint64_t a) {
  int count = 0;
  while (a != 0u) {
    a &= a - 1u;
    ++count;
  }
  return count;
}

/* Of the lowest `bits`. */
static inline int lathe_clz(uint64_t a, int bits) {
  int count = 0;
  while (count < bits && (a >> (bits - 1 - count) & 1u) == 0u) {
    ++count;
  }
  return count;
}

/* The bits of a float as an integer and back. */
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

/* Bytes of a number of things, SIZE_MAX when there are too many. */
static inline size_t lathe_scaled(size_t bytes, int64_t count) {
  if (count <= 0) {
    return 0u;
  }
  return (uint64_t)count > SIZE_MAX / (bytes == 0u ? 1u : bytes) ? SIZE_MAX : bytes * (size_t)count;
}

static inline size_t lathe_sum(size_t a, size_t b) { return a > SIZE_MAX - b ? SIZE_MAX : a + b; }

/* `align` is a power of two. */
static inline size_t lathe_aligned(size_t bytes, size_t align) {
  return bytes > SIZE_MAX - (align - 1u) ? SIZE_MAX : (bytes + (align - 1u)) & ~(align - 1u);
}

#endif /* LATHE_SCALAR_H */
