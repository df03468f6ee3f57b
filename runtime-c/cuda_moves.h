/* SPDX-License-Identifier: 0BSD */
/* cuda_moves.h - copies and fills beside kernels, for the host. */
#ifndef LATHE_CUDA_MOVES_H
#define LATHE_CUDA_MOVES_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#include "bits.h"
#include "lathe/rt.h"

/* Copies to the beginning of an arena of `room` bytes, which is free from `top` on. An
 * overlapping copy uses the free part as an intermediate buffer. */
static inline int lathe_enqueue_to_front(uint8_t* arena, size_t top, size_t room, const void* from,
                                         size_t bytes, cudaStream_t stream) {
  const uintptr_t begin = (uintptr_t)arena;
  const uintptr_t at = (uintptr_t)from;
  if (bytes > room) {
    return LATHE_E_MEMORY;
  }
  if (at == begin || bytes == 0u) {
    return LATHE_OK;
  }
  if (at > begin && at - begin < bytes) {
    const size_t offset = top > bytes ? top : bytes;
    if (offset > room || bytes > room - offset) {
      return LATHE_E_MEMORY;
    }
    const cudaError_t error =
        cudaMemcpyAsync(&arena[offset], from, bytes, cudaMemcpyDeviceToDevice, stream);
    if (error != cudaSuccess) {
      return (int)error;
    }
    from = &arena[offset];
  }
  return (int)cudaMemcpyAsync(arena, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

/* Sets `count` elements of `width` bits to all ones, and the bits after them to 0. */
static inline int lathe_enqueue_ones(uint8_t* data, size_t count, uint32_t width,
                                     cudaStream_t stream) {
  const size_t bytes = lathe_packed_bytes(count, width);
  const uint32_t over = ((uint32_t)(count % 8u) * width) % 8u;
  const cudaError_t error = cudaMemsetAsync(data, 0xff, bytes, stream);
  if (error != cudaSuccess || over == 0u) {
    return (int)error;
  }
  return (int)cudaMemsetAsync(&data[bytes - 1u], (1 << over) - 1, 1u, stream);
}

#endif /* LATHE_CUDA_MOVES_H */
