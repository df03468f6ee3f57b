/* SPDX-License-Identifier: 0BSD */
/* cuda_half.h - half.h for host and GPU. GPUs have instructions for the conversions, with equal
 * results, except that NaNs have no payload. */
#ifndef LATHE_CUDA_HALF_H
#define LATHE_CUDA_HALF_H

#include "cuda_device.h"

#define inline __host__ __device__ inline
#define lathe_float_from_f16 lathe_float_from_f16_bits
#define lathe_f16_from_float lathe_f16_bits_from_float
#define lathe_bf16_from_float lathe_bf16_bits_from_float
#define lathe_round_f16 lathe_round_f16_bits
#define lathe_round_bf16 lathe_round_bf16_bits
#include "half.h"
#undef lathe_float_from_f16
#undef lathe_f16_from_float
#undef lathe_bf16_from_float
#undef lathe_round_f16
#undef lathe_round_bf16
#undef inline

static __host__ __device__ inline float lathe_float_from_f16(uint16_t half) {
#ifdef __CUDA_ARCH__
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(half));
  return value;
#else
  return lathe_float_from_f16_bits(half);
#endif
}

static __host__ __device__ inline uint16_t lathe_f16_from_float(float value) {
#ifdef __CUDA_ARCH__
  uint16_t half;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(value));
  return half;
#else
  return lathe_f16_bits_from_float(value);
#endif
}

static __host__ __device__ inline uint16_t lathe_bf16_from_float(float value) {
#ifdef __CUDA_ARCH__
  uint16_t half;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(half) : "f"(value));
  return half;
#else
  return lathe_bf16_bits_from_float(value);
#endif
}

static __host__ __device__ inline float lathe_round_f16(float value) {
  return lathe_float_from_f16(lathe_f16_from_float(value));
}

static __host__ __device__ inline float lathe_round_bf16(float value) {
  return lathe_float_from_bf16(lathe_bf16_from_float(value));
}

#endif /* LATHE_CUDA_HALF_H */
