/* SPDX-License-Identifier: 0BSD */
/* cuda_places.h - the devices of a model that runs on several, as one run has them: streams, whose
 * work comes in an order only where one waits for another. C++ for the host, with the CUDA runtime.
 */
#ifndef LATHE_CUDA_PLACES_H
#define LATHE_CUDA_PLACES_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cuda_launch.h"
#include "lathe/rt.h"

typedef struct lathe_place {
  int ordinal; /* the GPU that it is; of the host, the one whose stream its steps wait in */
  int is_host;
  cudaStream_t stream;
  cudaEvent_t event; /* recorded and waited for at once, so that one is enough */
  const uint8_t* weights;
  int32_t* failed; /* where its kernels say that they failed */
  void* given;     /* of the host: what the next call of its stream is given */
} lathe_place;

/* Kernels are enqueued for this one from here on. */
static inline int lathe_use(const lathe_place* place) { return (int)cudaSetDevice(place->ordinal); }

/* What is enqueued on `waits` from here on comes after all that was enqueued on `on`. */
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

/* All wait for the first. */
static inline int lathe_fork(const lathe_place* places, int count) {
  int status = LATHE_OK;
  for (int i = 1; i < count && status == LATHE_OK; ++i) {
    status = lathe_wait(&places[i], &places[0]);
  }
  return status;
}

/* The first waits for all, also where a run ends early; CUDA's current device is that of before. */
static inline int lathe_join(const lathe_place* places, int count, int before) {
  int status = LATHE_OK;
  for (int i = 1; i < count; ++i) {
    const int joined = lathe_wait(&places[0], &places[i]);
    status = status == LATHE_OK ? joined : status;
  }
  const int restored = (int)cudaSetDevice(before);
  return status == LATHE_OK ? restored : status;
}

/* A copy from one device to another, on the stream of the one that gets it. */
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

/* What is at `from` on the device once its stream has come so far. */
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
