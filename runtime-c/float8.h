/* SPDX-License-Identifier: 0BSD */
/* float8.h - conversions between float and formats of at most 8 bits, for models that store
 * them.
 *
 * As in half.h, conversion to float is exact, and conversion from float rounds to nearest, ties
 * to even. Overflow becomes infinity if the format has one, else NaN, else the largest number. */
#ifndef LATHE_FLOAT8_H
#define LATHE_FLOAT8_H

#include <stdint.h>

#include "half.h"

/* Kinds of formats, by the meaning of their extreme encodings. */
#define LATHE_FLOAT8_IEEE 0u   /* the highest exponent encodes infinity and NaN */
#define LATHE_FLOAT8_FN 1u     /* no infinity; all ones encode NaN */
#define LATHE_FLOAT8_FNUZ 2u   /* no infinity, no negative zero: its encoding is NaN */
#define LATHE_FLOAT8_FINITE 3u /* finite numbers only: NaN becomes negative zero */
#define LATHE_FLOAT8_SCALE \
  4u /* powers of two only; all ones encode NaN; zero and negative numbers become NaN */

/* The formats: bits of exponent and of mantissa, bias, and kind. */
#define LATHE_E3M4 3u, 4u, 3u, LATHE_FLOAT8_IEEE
#define LATHE_E4M3 4u, 3u, 7u, LATHE_FLOAT8_IEEE
#define LATHE_E4M3B11FNUZ 4u, 3u, 11u, LATHE_FLOAT8_FNUZ
#define LATHE_E4M3FN 4u, 3u, 7u, LATHE_FLOAT8_FN
#define LATHE_E4M3FNUZ 4u, 3u, 8u, LATHE_FLOAT8_FNUZ
#define LATHE_E5M2 5u, 2u, 15u, LATHE_FLOAT8_IEEE
#define LATHE_E5M2FNUZ 5u, 2u, 16u, LATHE_FLOAT8_FNUZ
#define LATHE_E8M0FNU 8u, 0u, 127u, LATHE_FLOAT8_SCALE
#define LATHE_E2M3FN 2u, 3u, 1u, LATHE_FLOAT8_FINITE
#define LATHE_E3M2FN 3u, 2u, 3u, LATHE_FLOAT8_FINITE
#define LATHE_E2M1FN 2u, 1u, 1u, LATHE_FLOAT8_FINITE

/* Decodes a finite number without its sign. */
static inline float lathe_number_of_float8(uint32_t code, uint32_t places, uint32_t bias) {
  const uint32_t exponent = code >> places;
  const uint32_t mantissa = code & (((uint32_t)1u << places) - 1u);
  float number;
  if (exponent == 0u) {
    number = (float)mantissa * lathe_float_of_bits((128u - bias - places) << 23);
  } else {
    number = lathe_float_of_bits(((exponent + 127u - bias) << 23) | (mantissa << (23u - places)));
  }
  return number;
}

/* 2^(code - 127); for code 0 this is subnormal in float. */
static inline float lathe_float_of_scale(uint32_t code) {
  uint32_t bits = code << 23;
  if (code == 0u) {
    bits = 0x00400000u;
  } else if (code == 0xffu) {
    bits = 0x7fc00000u;
  } else {
    /* the value from above */
  }
  return lathe_float_of_bits(bits);
}

static inline uint8_t lathe_scale_of_float(float value) {
  const uint32_t bits = lathe_bits_of_float(value);
  uint32_t code;
  if ((bits == 0u) || (bits >= 0x7f800000u)) {
    code = 0xffu; /* zero, infinity, NaN and negative numbers */
  } else if (bits < 0x00800000u) {
    code = 0u;
    if (bits >= 0x00600000u) {
      code = 1u; /* 1.5 times the smallest power is a tie */
    }
  } else {
    code = (bits + 0x00400000u) >> 23;
  }
  return (uint8_t)code;
}

/* Decodes an encoding of a format named above. */
static inline float lathe_float_from_code(uint32_t stored, uint32_t exponents, uint32_t places,
                                          uint32_t bias, uint32_t edge) {
  const uint32_t sign = (uint32_t)1u << (exponents + places);
  const uint32_t code = stored & (sign - 1u);
  const uint32_t infinity = ((sign - 1u) >> places) << places;
  float value;
  if (edge == LATHE_FLOAT8_SCALE) {
    value = lathe_float_of_scale(stored);
  } else {
    const uint32_t is_negative = ((stored & sign) != 0u) ? 0x80000000u : 0u;
    uint32_t bits;
    if (((edge == LATHE_FLOAT8_FNUZ) && (stored == sign)) ||
        ((edge == LATHE_FLOAT8_FN) && (code == (sign - 1u))) ||
        ((edge == LATHE_FLOAT8_IEEE) && (code > infinity))) {
      bits = 0x7fc00000u;
    } else if ((edge == LATHE_FLOAT8_IEEE) && (code == infinity)) {
      bits = 0x7f800000u;
    } else {
      bits = lathe_bits_of_float(lathe_number_of_float8(code, places, bias));
    }
    value = lathe_float_of_bits(is_negative | bits);
  }
  return value;
}

/* Encodes a float in a format other than SCALE, rounded to nearest. */
static inline uint8_t lathe_code_of_number(float value, uint32_t exponents, uint32_t places,
                                           uint32_t bias, uint32_t edge) {
  const uint32_t bits = lathe_bits_of_float(value);
  const uint32_t magnitude = bits & 0x7fffffffu;
  const uint32_t highest = (uint32_t)1u << (exponents + places);
  const uint32_t sign = (bits >> 31) * highest;
  const uint32_t ones = highest - 1u;
  const uint32_t infinity = (ones >> places) << places;
  const uint32_t first = 128u - bias; /* the exponent, in float, of the smallest normal number */
  uint32_t nan = sign | ones;
  uint32_t too_large = sign | ones;
  uint32_t largest = ones;
  uint32_t code = 0u;
  if (edge == LATHE_FLOAT8_IEEE) {
    nan = sign | infinity | ((uint32_t)1u << (places - 1u));
    too_large = sign | infinity;
    largest = infinity - 1u;
  } else if (edge == LATHE_FLOAT8_FN) {
    largest = ones - 1u;
  } else {
    nan = highest;
    too_large = (edge == LATHE_FLOAT8_FNUZ) ? highest : too_large;
  }
  if ((magnitude >> 23) >= first) {
    /* A carry increments the exponent. */
    code = lathe_shift_to_nearest(magnitude - ((first - 1u) << 23), 23u - places);
  } else if (((magnitude >> 23) + places + 1u) >= first) {
    code = lathe_shift_to_nearest((magnitude & 0x7fffffu) | 0x800000u,
                                  (first - (magnitude >> 23)) + (23u - places));
  } else {
    /* less than half of the smallest number */
  }
  if (magnitude > 0x7f800000u) {
    code = nan;
  } else if (code > largest) {
    code = too_large;
  } else if ((edge != LATHE_FLOAT8_FNUZ) || (code != 0u)) {
    code = sign | code;
  } else {
    /* zero has no sign */
  }
  return (uint8_t)code;
}

/* Encodes a float, rounded to nearest. */
static inline uint8_t lathe_code_from_float(float value, uint32_t exponents, uint32_t places,
                                            uint32_t bias, uint32_t edge) {
  return (edge == LATHE_FLOAT8_SCALE) ? lathe_scale_of_float(value)
                                      : lathe_code_of_number(value, exponents, places, bias, edge);
}

/* Rounds a float or a double to the format. */
static inline float lathe_round_to(float value, uint32_t exponents, uint32_t places, uint32_t bias,
                                   uint32_t edge) {
  return lathe_float_from_code(lathe_code_from_float(value, exponents, places, bias, edge),
                               exponents, places, bias, edge);
}

static inline float lathe_round_wide_to(double value, uint32_t exponents, uint32_t places,
                                        uint32_t bias, uint32_t edge) {
  return lathe_round_to(lathe_to_odd(value), exponents, places, bias, edge);
}

#endif /* LATHE_FLOAT8_H */
