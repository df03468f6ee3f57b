/* SPDX-License-Identifier: 0BSD */
/* cuda_bits.h - bits.h for host and GPU. Different threads must not write elements that share a
 * byte. */
#ifndef LATHE_CUDA_BITS_H
#define LATHE_CUDA_BITS_H

#include "cuda_device.h"
#include "cuda_launch.h"

#define inline __host__ __device__ inline
#include "bits.h"
#undef inline

template <typename Byte>
__global__ void lathe_clear_last(Byte* data, size_t count, uint32_t width) {
  lathe_clear_after(data, count, width);
}

/* Zeroes the bits after the last of `count` elements before kernels write them. */
static inline int lathe_enqueue_clear(uint8_t* data, int64_t count, uint32_t width,
                                      cudaStream_t stream) {
  if (((uint32_t)(count % 8) * width) % 8u == 0u) {
    return LATHE_OK;
  }
  return lathe_launch(lathe_clear_last<uint8_t>, 1, 1, stream, data, (size_t)count, width);
}

#endif /* LATHE_CUDA_BITS_H */
