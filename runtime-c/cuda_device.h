/* SPDX-License-Identifier: 0BSD */
/* cuda_device.h - what kernels on GPUs call: C++ for nvcc. */
#ifndef LATHE_CUDA_DEVICE_H
#define LATHE_CUDA_DEVICE_H

#include <cuda_runtime.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "lathe/rt.h"

/* The arithmetic of scalar.h, for the host and for the GPU. */
#define inline __host__ __device__ inline
#include "scalar.h"
#undef inline

/* Before a loop whose turns are written out, so that arrays it goes through stay in registers. */
#ifdef __CUDACC__
#define LATHE_UNROLL _Pragma("unroll")
#else
#define LATHE_UNROLL
#endif

/* This thread among all of the grid, and how many there are. */
static __device__ inline int64_t lathe_thread(void) {
  return (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
}
static __device__ inline int64_t lathe_threads(void) { return (int64_t)gridDim.x * blockDim.x; }

/* The first failure of a run stays. */
static __device__ inline void lathe_fail(int32_t* failed, int32_t status) {
  (void)atomicCAS(failed, LATHE_OK, status);
}
/* Read from memory, beside threads that write: no atomic, which all threads would queue for. */
static __device__ inline bool lathe_has_failed(const int32_t* failed) {
  return __ldcv(failed) != LATHE_OK;
}

#endif /* LATHE_CUDA_DEVICE_H */
