/* SPDX-License-Identifier: 0BSD */
#include "half.h"

#include <string.h>

static float float_of_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint32_t bits_of_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* bits >> shift to nearest, ties to even; 1 <= shift <= 31. */
static uint32_t shift_to_nearest(uint32_t bits, unsigned shift) {
  const uint32_t kept = bits >> shift;
  const uint32_t gone = bits & ((UINT32_C(1) << shift) - 1u);
  const uint32_t tie = UINT32_C(1) << (shift - 1u);
  const uint32_t up = gone > tie || (gone == tie && (kept & 1u) != 0u) ? 1u : 0u;
  return kept + up;
}

float lathe_float_from_f16(uint16_t half) {
  const uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
  const uint32_t exponent = (half >> 10) & 0x1fu;
  uint32_t mantissa = half & 0x3ffu;
  uint32_t power = 113u; /* 127 - 15 + 1 */
  if (exponent == 0x1fu) return float_of_bits(sign | 0x7f800000u | (mantissa << 13));
  if (exponent != 0u) return float_of_bits(sign | ((exponent + 112u) << 23) | (mantissa << 13));
  if (mantissa == 0u) return float_of_bits(sign);
  /* Subnormal in float16, normal in float. */
  while ((mantissa & 0x400u) == 0u) {
    mantissa <<= 1;
    --power;
  }
  return float_of_bits(sign | (power << 23) | ((mantissa & 0x3ffu) << 13));
}

uint16_t lathe_f16_from_float(float value) {
  const uint32_t bits = bits_of_float(value);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7fffffffu;
  uint32_t half;
  if (magnitude > 0x7f800000u) {
    half = 0x7e00u | ((magnitude >> 13) & 0x3ffu); /* NaN: quiet, with the bits that fit */
  } else if (magnitude >= 0x477ff000u) {
    half = 0x7c00u; /* 65520 and more round to infinity */
  } else if (magnitude >= 0x38800000u) {
    half = shift_to_nearest(magnitude - 0x38000000u, 13u); /* a carry goes into the exponent */
  } else if (magnitude >= 0x33000000u) {
    half = shift_to_nearest((magnitude & 0x7fffffu) | 0x800000u, 126u - (magnitude >> 23));
  } else {
    half = 0u; /* at most half of the smallest subnormal */
  }
  return (uint16_t)(sign | half);
}

float lathe_float_from_bf16(uint16_t half) { return float_of_bits((uint32_t)half << 16); }

uint16_t lathe_bf16_from_float(float value) {
  const uint32_t bits = bits_of_float(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return (uint16_t)((bits >> 16) | 0x40u);
  return (uint16_t)shift_to_nearest(bits, 16u);
}

float lathe_round_f16(float value) { return lathe_float_from_f16(lathe_f16_from_float(value)); }

float lathe_round_bf16(float value) { return lathe_float_from_bf16(lathe_bf16_from_float(value)); }

/* The float next to `value` whose last bit is odd, unless it is exact: what is cut off still counts
 * when that is rounded to fewer bits. */
static float to_odd(double value) {
  const float near = (float)value;
  uint32_t bits;
  const int above = (double)near > value;
  const int below = (double)near < value;
  if (!above && !below) {
    return near;
  }
  bits = bits_of_float(near);
  if ((bits & 1u) == 0u) {
    /* towards `value`: one up in magnitude, or one down */
    const int up = (bits >> 31) != 0u ? above : below;
    bits = up ? bits + 1u : bits - 1u;
  }
  return float_of_bits(bits);
}

float lathe_round_f16_wide(double value) { return lathe_round_f16(to_odd(value)); }

float lathe_round_bf16_wide(double value) { return lathe_round_bf16(to_odd(value)); }
