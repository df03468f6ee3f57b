/* SPDX-License-Identifier: 0BSD */
/* cuda_device.h - functions that all kernels use, for nvcc. */
#ifndef LATHE_CUDA_DEVICE_H
#define LATHE_CUDA_DEVICE_H

#include <cuda_runtime.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "lathe/rt.h"

/* The arithmetic of scalar.h, for host and GPU. */
#define inline __host__ __device__ inline
#include "scalar.h"
#undef inline

/* Unrolls the following loop, so that arrays that it indexes stay in registers. */
#ifdef __CUDACC__
#define LATHE_UNROLL _Pragma("unroll")
#else
#define LATHE_UNROLL
#endif

/* The index of this thread in the grid, and the number of threads. */
static __device__ inline int64_t lathe_thread(void) {
  return (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
}
static __device__ inline int64_t lathe_threads(void) { return (int64_t)gridDim.x * blockDim.x; }

/* Records a failure; the first one of a run is kept. */
static __device__ inline void lathe_fail(int32_t* failed, int32_t status) {
  (void)atomicCAS(failed, LATHE_OK, status);
}
/* Reads memory that other threads may write. No atomic, on which all threads would serialize. */
static __device__ inline bool lathe_has_failed(const int32_t* failed) {
  return __ldcv(failed) != LATHE_OK;
}

#endif /* LATHE_CUDA_DEVICE_H */
