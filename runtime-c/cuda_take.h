/* SPDX-License-Identifier: 0BSD */
/* cuda_take.h - takes results of external functions for GPU models, for the host. */
#ifndef LATHE_CUDA_TAKE_H
#define LATHE_CUDA_TAKE_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#include "value.h"

/* As lathe_take_tensor, for elements in GPU memory: enqueues the copy. */
static inline int lathe_enqueue_take(const lathe_value* value, void* to, uint8_t code, uint8_t bits,
                                     const int64_t* shape, int32_t ndim, cudaStream_t stream) {
  const lathe_tensor* const tensor = &value->as.tensor;
  const int status = lathe_check_sizes(value, code, bits, shape, ndim);
  if (status != LATHE_OK) {
    return status;
  }
  const size_t bytes = lathe_tensor_bytes(tensor->dtype, shape, ndim);
  if (bytes == 0u || tensor->data == to) {
    return LATHE_OK;
  }
  return (int)cudaMemcpyAsync(to, tensor->data, bytes, cudaMemcpyDeviceToDevice, stream);
}

#endif /* LATHE_CUDA_TAKE_H */
