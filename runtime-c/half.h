/* SPDX-License-Identifier: 0BSD */
/* half.h - conversions between float and float16 or bfloat16, for models that store them.
 *
 * Computed with integers, independent of the rounding mode: conversion to float is exact;
 * conversion from float rounds to nearest, ties to even, overflow becomes infinity, NaN stays
 * NaN. */
#ifndef LATHE_HALF_H
#define LATHE_HALF_H

#include <stdint.h>

#include "scalar.h"

/* bits >> shift, rounded to nearest, ties to even; 1 <= shift <= 31. */
static inline uint32_t lathe_shift_to_nearest(uint32_t bits, uint32_t shift) {
  const uint32_t kept = bits >> shift;
  const uint32_t gone = bits & (((uint32_t)1u << shift) - 1u);
  const uint32_t tie = (uint32_t)1u << (shift - 1u);
  uint32_t nearest = kept;
  if ((gone > tie) || ((gone == tie) && ((kept & 1u) != 0u))) {
    nearest = kept + 1u;
  }
  return nearest;
}

static inline float lathe_float_from_f16(uint16_t half) {
  const uint32_t bits = half;
  const uint32_t sign = (bits & 0x8000u) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1fu;
  uint32_t mantissa = bits & 0x3ffu;
  uint32_t magnitude;
  if (exponent == 0x1fu) {
    magnitude = 0x7f800000u | (mantissa << 13);
  } else if (exponent != 0u) {
    magnitude = ((exponent + 112u) << 23) | (mantissa << 13);
  } else if (mantissa == 0u) {
    magnitude = 0u;
  } else {
    uint32_t power = 113u; /* 127 - 15 + 1: subnormal in float16, normal in float */
    while ((mantissa & 0x400u) == 0u) {
      mantissa = mantissa << 1;
      --power;
    }
    magnitude = (power << 23) | ((mantissa & 0x3ffu) << 13);
  }
  return lathe_float_of_bits(sign | magnitude);
}

static inline uint16_t lathe_f16_from_float(float value) {
  const uint32_t bits = lathe_bits_of_float(value);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7fffffffu;
  uint32_t half;
  if (magnitude > 0x7f800000u) {
    half = 0x7e00u | ((magnitude >> 13) & 0x3ffu); /* NaN: quiet, with the bits that fit */
  } else if (magnitude >= 0x477ff000u) {
    half = 0x7c00u; /* 65520 and more round to infinity */
  } else if (magnitude >= 0x38800000u) {
    /* A carry increments the exponent. */
    half = lathe_shift_to_nearest(magnitude - 0x38000000u, 13u);
  } else if (magnitude >= 0x33000000u) {
    half = lathe_shift_to_nearest((magnitude & 0x7fffffu) | 0x800000u, 126u - (magnitude >> 23));
  } else {
    half = 0u; /* at most half of the smallest subnormal */
  }
  half = sign | half;
  return (uint16_t)half;
}

static inline float lathe_float_from_bf16(uint16_t half) {
  const uint32_t bits = half;
  return lathe_float_of_bits(bits << 16);
}

static inline uint16_t lathe_bf16_from_float(float value) {
  const uint32_t bits = lathe_bits_of_float(value);
  const uint32_t half = ((bits & 0x7fffffffu) > 0x7f800000u) ? ((bits >> 16) | 0x40u)
                                                             : lathe_shift_to_nearest(bits, 16u);
  return (uint16_t)half;
}

/* Rounds to the format. A double is rounded once, not to float first. */
static inline float lathe_round_f16(float value) {
  return lathe_float_from_f16(lathe_f16_from_float(value));
}

static inline float lathe_round_bf16(float value) {
  return lathe_float_from_bf16(lathe_bf16_from_float(value));
}

/* Rounds a double to float so that a second rounding to fewer bits is correct: an inexact result
 * gets an odd last bit (round to odd). */
static inline float lathe_to_odd(double value) {
  const float near = (float)value;
  uint32_t bits = lathe_bits_of_float(near);
  if (((bits & 1u) == 0u) && (((double)near > value) || ((double)near < value))) {
    /* towards `value`: increments or decrements the magnitude */
    const double away = ((bits >> 31) != 0u) ? ((double)near - value) : (value - (double)near);
    if (away > 0.0) {
      bits = bits + 1u;
    } else {
      bits = bits - 1u;
    }
  }
  return lathe_float_of_bits(bits);
}

static inline float lathe_round_f16_wide(double value) {
  return lathe_round_f16(lathe_to_odd(value));
}

static inline float lathe_round_bf16_wide(double value) {
  return lathe_round_bf16(lathe_to_odd(value));
}

#endif /* LATHE_HALF_H */
