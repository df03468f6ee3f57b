/* SPDX-License-Identifier: 0BSD */
/* cuda_half.h - half.h for the GPU too. */
#ifndef LATHE_CUDA_HALF_H
#define LATHE_CUDA_HALF_H

#include "cuda_device.h"

#define inline __host__ __device__ inline
#include "half.h"
#undef inline

#endif /* LATHE_CUDA_HALF_H */
