/* SPDX-License-Identifier: 0BSD */
/* cuda_host.h - steps of a model that the host computes, in the order of a stream: C++ for nvcc.
 *
 * The stream calls a function with one pointer. What it points to is written by a kernel, in the
 * stream's order too: so the next run may be enqueued before, and a graph has its own. */
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
static __global__ void lathe_hand_over(Value* to, Value value) {
  *to = value;
}

/* Memory of the host becomes `value`, in the order of its stream. */
template <typename Value>
static inline int lathe_store_on_host(const lathe_place* place, Value* to, Value value) {
  int status = lathe_use(place);
  if (status == LATHE_OK) {
    status = lathe_launch(lathe_hand_over<Value>, INT64_C(1), 1, place->stream, to, value);
  }
  return status;
}

/* Enqueues now(&given). */
template <typename Given>
static inline int lathe_on_host(const lathe_place* place, cudaHostFn_t now, const Given& given) {
  int status = lathe_store_on_host(place, (Given*)place->given, given);
  if (status == LATHE_OK) {
    status = (int)cudaLaunchHostFunc(place->stream, now, place->given);
  }
  return status;
}

/* The first error of a run stays. */
static inline void lathe_note(int32_t* failed, int status) {
  if (status != LATHE_OK && *failed == LATHE_OK) {
    *failed = (int32_t)status;
  }
}

#endif /* LATHE_CUDA_HOST_H */
