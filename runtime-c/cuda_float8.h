/* SPDX-License-Identifier: 0BSD */
/* cuda_float8.h - float8.h for host and GPU. */
#ifndef LATHE_CUDA_FLOAT8_H
#define LATHE_CUDA_FLOAT8_H

#include "cuda_half.h" /* before float8.h, which would include half.h for the host only */

#define inline __host__ __device__ inline
#include "float8.h"
#undef inline

#endif /* LATHE_CUDA_FLOAT8_H */
