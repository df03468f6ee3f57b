/* SPDX-License-Identifier: 0BSD */
/* cuda_host.h - model steps that the host computes in stream order, for nvcc.
 *
 * The stream calls a host function with one pointer. A kernel writes the arguments that it
 * points to, in stream order too. So the next run may be enqueued before this one ends, and a
 * graph has its own arguments. */
#ifndef LATHE_CUDA_HOST_H
#define LATHE_CUDA_HOST_H

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lathe/cuda_launch.h"
#include "lathe/cuda_places.h"
#include "lathe/rt.h"

template <typename Value>
static __global__ void lathe_store_value(Value* to, Value value) {
  *to = value;
}

/* Sets host memory to `value` in stream order. */
template <typename Value>
static inline int lathe_store_on_host(const lathe_place* place, Value* to, Value value) {
  int status = lathe_use(place);
  if (status == LATHE_OK) {
    status = lathe_launch(lathe_store_value<Value>, INT64_C(1), 1, place->stream, to, value);
  }
  return status;
}

/* Enqueues a call of now(&given). */
template <typename Given>
static inline int lathe_on_host(const lathe_place* place, cudaHostFn_t now, const Given& given) {
  int status = lathe_store_on_host(place, (Given*)place->given, given);
  if (status == LATHE_OK) {
    status = (int)cudaLaunchHostFunc(place->stream, now, place->given);
  }
  return status;
}

/* Records an error; the first one of a run is kept. */
static inline void lathe_note(int32_t* failed, int status) {
  if (status != LATHE_OK && *failed == LATHE_OK) {
    *failed = (int32_t)status;
  }
}

#endif /* LATHE_CUDA_HOST_H */
