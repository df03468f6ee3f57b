/* SPDX-License-Identifier: 0BSD */
/* float8.h - floats of 8 bits as float and back, for models that store them.
 *
 * As in half.h: to float nothing is lost; from float to nearest, ties to even. What is too large
 * becomes infinity where the format has one, else NaN. */
#ifndef LATHE_FLOAT8_H
#define LATHE_FLOAT8_H

#include <stdint.h>

#include "half.h"

/* What a format's codes at the edge mean. */
#define LATHE_FLOAT8_IEEE 0u /* the highest exponent is that of infinity and NaN */
#define LATHE_FLOAT8_FN 1u   /* no infinity; NaN is all ones */
#define LATHE_FLOAT8_FNUZ 2u /* no infinity, no negative zero: its code is NaN */

/* A code without its sign, of a number: 7 - `places` bits of exponent, `places` of mantissa. */
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

static inline float lathe_float_from_float8(uint8_t stored, uint32_t places, uint32_t bias,
                                            uint32_t kind) {
  const uint32_t all = stored;
  const uint32_t code = all & 0x7fu;
  const uint32_t infinity = (0x7fu >> places) << places;
  uint32_t bits;
  if (((kind == LATHE_FLOAT8_FNUZ) && (all == 0x80u)) ||
      ((kind == LATHE_FLOAT8_FN) && (code == 0x7fu)) ||
      ((kind == LATHE_FLOAT8_IEEE) && (code > infinity))) {
    bits = 0x7fc00000u;
  } else if ((kind == LATHE_FLOAT8_IEEE) && (code == infinity)) {
    bits = 0x7f800000u;
  } else {
    bits = lathe_bits_of_float(lathe_number_of_float8(code, places, bias));
  }
  return lathe_float_of_bits(((all & 0x80u) << 24) | bits);
}

static inline uint8_t lathe_float8_from_float(float value, uint32_t places, uint32_t bias,
                                              uint32_t kind) {
  const uint32_t bits = lathe_bits_of_float(value);
  const uint32_t magnitude = bits & 0x7fffffffu;
  const uint32_t sign = (bits >> 24) & 0x80u;
  const uint32_t infinity = (0x7fu >> places) << places;
  const uint32_t first = 128u - bias; /* the exponent, in float, of the smallest normal number */
  uint32_t nan = sign | 0x7fu;
  uint32_t too_large = nan;
  uint32_t largest = 0x7eu;
  uint32_t code = 0u;
  if (kind == LATHE_FLOAT8_IEEE) {
    nan = sign | infinity | ((uint32_t)1u << (places - 1u));
    too_large = sign | infinity;
    largest = infinity - 1u;
  } else if (kind == LATHE_FLOAT8_FNUZ) {
    nan = 0x80u;
    too_large = nan;
    largest = 0x7fu;
  } else {
    /* as said */
  }
  if ((magnitude >> 23) >= first) {
    /* A carry goes into the exponent. */
    code = lathe_shift_to_nearest(magnitude - ((first - 1u) << 23), 23u - places);
  } else if ((magnitude >> 23) + places + 1u >= first) {
    code = lathe_shift_to_nearest((magnitude & 0x7fffffu) | 0x800000u,
                                  (first - (magnitude >> 23)) + (23u - places));
  } else {
    /* less than half of the smallest number */
  }
  if (magnitude > 0x7f800000u) {
    code = nan;
  } else if (code > largest) {
    code = too_large;
  } else if ((kind != LATHE_FLOAT8_FNUZ) || (code != 0u)) {
    code = sign | code;
  } else {
    /* zero has no sign */
  }
  return (uint8_t)code;
}

static inline float lathe_float_from_e3m4(uint8_t stored) {
  return lathe_float_from_float8(stored, 4u, 3u, LATHE_FLOAT8_IEEE);
}

static inline uint8_t lathe_e3m4_from_float(float value) {
  return lathe_float8_from_float(value, 4u, 3u, LATHE_FLOAT8_IEEE);
}

static inline float lathe_round_e3m4(float value) {
  return lathe_float_from_e3m4(lathe_e3m4_from_float(value));
}

static inline float lathe_round_e3m4_wide(double value) {
  return lathe_round_e3m4(lathe_to_odd(value));
}

static inline float lathe_float_from_e4m3(uint8_t stored) {
  return lathe_float_from_float8(stored, 3u, 7u, LATHE_FLOAT8_IEEE);
}

static inline uint8_t lathe_e4m3_from_float(float value) {
  return lathe_float8_from_float(value, 3u, 7u, LATHE_FLOAT8_IEEE);
}

static inline float lathe_round_e4m3(float value) {
  return lathe_float_from_e4m3(lathe_e4m3_from_float(value));
}

static inline float lathe_round_e4m3_wide(double value) {
  return lathe_round_e4m3(lathe_to_odd(value));
}

static inline float lathe_float_from_e4m3b11fnuz(uint8_t stored) {
  return lathe_float_from_float8(stored, 3u, 11u, LATHE_FLOAT8_FNUZ);
}

static inline uint8_t lathe_e4m3b11fnuz_from_float(float value) {
  return lathe_float8_from_float(value, 3u, 11u, LATHE_FLOAT8_FNUZ);
}

static inline float lathe_round_e4m3b11fnuz(float value) {
  return lathe_float_from_e4m3b11fnuz(lathe_e4m3b11fnuz_from_float(value));
}

static inline float lathe_round_e4m3b11fnuz_wide(double value) {
  return lathe_round_e4m3b11fnuz(lathe_to_odd(value));
}

static inline float lathe_float_from_e4m3fn(uint8_t stored) {
  return lathe_float_from_float8(stored, 3u, 7u, LATHE_FLOAT8_FN);
}

static inline uint8_t lathe_e4m3fn_from_float(float value) {
  return lathe_float8_from_float(value, 3u, 7u, LATHE_FLOAT8_FN);
}

static inline float lathe_round_e4m3fn(float value) {
  return lathe_float_from_e4m3fn(lathe_e4m3fn_from_float(value));
}

static inline float lathe_round_e4m3fn_wide(double value) {
  return lathe_round_e4m3fn(lathe_to_odd(value));
}

static inline float lathe_float_from_e4m3fnuz(uint8_t stored) {
  return lathe_float_from_float8(stored, 3u, 8u, LATHE_FLOAT8_FNUZ);
}

static inline uint8_t lathe_e4m3fnuz_from_float(float value) {
  return lathe_float8_from_float(value, 3u, 8u, LATHE_FLOAT8_FNUZ);
}

static inline float lathe_round_e4m3fnuz(float value) {
  return lathe_float_from_e4m3fnuz(lathe_e4m3fnuz_from_float(value));
}

static inline float lathe_round_e4m3fnuz_wide(double value) {
  return lathe_round_e4m3fnuz(lathe_to_odd(value));
}

static inline float lathe_float_from_e5m2(uint8_t stored) {
  return lathe_float_from_float8(stored, 2u, 15u, LATHE_FLOAT8_IEEE);
}

static inline uint8_t lathe_e5m2_from_float(float value) {
  return lathe_float8_from_float(value, 2u, 15u, LATHE_FLOAT8_IEEE);
}

static inline float lathe_round_e5m2(float value) {
  return lathe_float_from_e5m2(lathe_e5m2_from_float(value));
}

static inline float lathe_round_e5m2_wide(double value) {
  return lathe_round_e5m2(lathe_to_odd(value));
}

static inline float lathe_float_from_e5m2fnuz(uint8_t stored) {
  return lathe_float_from_float8(stored, 2u, 16u, LATHE_FLOAT8_FNUZ);
}

static inline uint8_t lathe_e5m2fnuz_from_float(float value) {
  return lathe_float8_from_float(value, 2u, 16u, LATHE_FLOAT8_FNUZ);
}

static inline float lathe_round_e5m2fnuz(float value) {
  return lathe_float_from_e5m2fnuz(lathe_e5m2fnuz_from_float(value));
}

static inline float lathe_round_e5m2fnuz_wide(double value) {
  return lathe_round_e5m2fnuz(lathe_to_odd(value));
}

#endif /* LATHE_FLOAT8_H */
