/* SPDX-License-Identifier: 0BSD */
/* cuda_places.h - the devices of one run of a model on several devices. Work on different
 * streams is ordered only where one waits for another. For the host with the CUDA runtime. */
#ifndef LATHE_CUDA_PLACES_H
#define LATHE_CUDA_PLACES_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cuda_launch.h"
#include "lathe/rt.h"

typedef struct lathe_place {
  int ordinal; /* the GPU; for the host, the GPU whose stream its steps use */
  int is_host;
  cudaStream_t stream;
  cudaEvent_t event; /* waited for right after it is recorded, so that one suffices */
  const uint8_t* weights;
  int32_t* failed; /* where its kernels report failures */
  void* given;     /* host only: the arguments of the next call in its stream */
} lathe_place;

/* Makes this device current for the following launches. */
static inline int lathe_use(const lathe_place* place) { return (int)cudaSetDevice(place->ordinal); }

/* Orders all work that is enqueued on `waits` from now on after all work that was enqueued on
 * `on`. */
static inline int lathe_wait(const lathe_place* waits, const lathe_place* on) {
  if (waits->stream == on->stream) {
    return LATHE_OK;
  }
  cudaError_t error = cudaEventRecord(on->event, on->stream);
  if (error == cudaSuccess) {
    error = cudaStreamWaitEvent(waits->stream, on->event, 0);
  }
  return (int)error;
}

/* Makes all devices wait for the first. */
static inline int lathe_fork(const lathe_place* places, int count) {
  int status = LATHE_OK;
  for (int i = 1; i < count && status == LATHE_OK; ++i) {
    status = lathe_wait(&places[i], &places[0]);
  }
  return status;
}

/* Makes the first device wait for all, also if a run ends early, and restores CUDA's current
 * device. */
static inline int lathe_join(const lathe_place* places, int count, int before) {
  int status = LATHE_OK;
  for (int i = 1; i < count; ++i) {
    const int joined = lathe_wait(&places[0], &places[i]);
    status = status == LATHE_OK ? joined : status;
  }
  const int restored = (int)cudaSetDevice(before);
  return status == LATHE_OK ? restored : status;
}

/* Copies between devices, on the stream of the destination. */
static inline int lathe_copy_across(const lathe_place* to_place, void* to,
                                    const lathe_place* from_place, const void* from, size_t bytes) {
  if (bytes == 0u) {
    return LATHE_OK;
  }
  if (to_place->is_host != 0) {
    return (int)cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, to_place->stream);
  }
  if (from_place->is_host != 0) {
    return (int)cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, to_place->stream);
  }
  if (to_place->ordinal == from_place->ordinal) {
    return (int)cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, to_place->stream);
  }
  return (int)cudaMemcpyPeerAsync(to, to_place->ordinal, from, from_place->ordinal, bytes,
                                  to_place->stream);
}

/* Reads the value at `from` on the device after its stream has reached this point. */
static inline int lathe_read(const lathe_place* place, void* to, const void* from, size_t bytes) {
  if (place->is_host == 0) {
    return lathe_read_back(to, from, bytes, place->stream);
  }
  const cudaError_t error = cudaStreamSynchronize(place->stream);
  if (error == cudaSuccess) {
    memcpy(to, from, bytes);
  }
  return (int)error;
}

#endif /* LATHE_CUDA_PLACES_H */
