/* SPDX-License-Identifier: 0BSD */
/* half.h - float16 and bfloat16 as float and back, for models that store them.
 *
 * Exact in integers, whatever the machine's rounding mode: to float nothing is lost; from float to
 * nearest, ties to even, too large becomes infinity, NaN stays NaN. */
#ifndef LATHE_HALF_H
#define LATHE_HALF_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

float lathe_float_from_f16(uint16_t half);
uint16_t lathe_f16_from_float(float value);
float lathe_float_from_bf16(uint16_t half);
uint16_t lathe_bf16_from_float(float value);

/* The nearest number of the format, as what computations go on with. From double it is rounded
 * once, not first to float. */
float lathe_round_f16(float value);
float lathe_round_bf16(float value);
float lathe_round_f16_wide(double value);
float lathe_round_bf16_wide(double value);

#ifdef __cplusplus
}
#endif

#endif /* LATHE_HALF_H */
