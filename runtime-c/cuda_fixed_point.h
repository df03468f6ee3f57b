/* SPDX-License-Identifier: 0BSD */
/* cuda_fixed_point.h - the arithmetic of fixed_point.h, for host and GPU. */
#ifndef LATHE_CUDA_FIXED_POINT_H
#define LATHE_CUDA_FIXED_POINT_H

#include <cuda_runtime.h>

#define inline __host__ __device__ inline
#include "fixed_point.h"
#undef inline

#endif /* LATHE_CUDA_FIXED_POINT_H */
