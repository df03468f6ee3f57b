/* SPDX-License-Identifier: 0BSD */
/* cuda_ordered.h - acquire loads and release stores for the threads of a block (cta), of the GPU
 * (gpu), or of the system (sys). PTX, for nvcc. */
#ifndef LATHE_CUDA_ORDERED_H
#define LATHE_CUDA_ORDERED_H

#include <string.h>

#include "cuda_device.h"

/* Atomic accesses of 4 or 8 bytes. */
#define LATHE_ORDERED_LOAD(name, words)                                       \
  template <typename T>                                                       \
  static __device__ inline T name(const T* at) {                              \
    T value;                                                                  \
    if constexpr (sizeof(T) == 8) {                                           \
      uint64_t bits;                                                          \
      asm volatile(words ".b64 %0, [%1];" : "=l"(bits) : "l"(at) : "memory"); \
      memcpy(&value, &bits, sizeof value);                                    \
    } else {                                                                  \
      uint32_t bits;                                                          \
      static_assert(sizeof(T) == sizeof bits, "4 or 8 bytes");                \
      asm volatile(words ".b32 %0, [%1];" : "=r"(bits) : "l"(at) : "memory"); \
      memcpy(&value, &bits, sizeof value);                                    \
    }                                                                         \
    return value;                                                             \
  }
#define LATHE_ORDERED_STORE(name, words)                                    \
  template <typename T, typename V>                                         \
  static __device__ inline void name(T* at, V given) {                      \
    const T value = (T)given;                                               \
    if constexpr (sizeof(T) == 8) {                                         \
      uint64_t bits;                                                        \
      memcpy(&bits, &value, sizeof bits);                                   \
      asm volatile(words ".b64 [%0], %1;" ::"l"(at), "l"(bits) : "memory"); \
    } else {                                                                \
      uint32_t bits;                                                        \
      static_assert(sizeof(T) == sizeof bits, "4 or 8 bytes");              \
      memcpy(&bits, &value, sizeof bits);                                   \
      asm volatile(words ".b32 [%0], %1;" ::"l"(at), "r"(bits) : "memory"); \
    }                                                                       \
  }

/* A load that acquires the value of a release sees all earlier stores of the releasing thread. */
LATHE_ORDERED_LOAD(lathe_load_acquire_cta, "ld.acquire.cta")
LATHE_ORDERED_LOAD(lathe_load_acquire_gpu, "ld.acquire.gpu")
LATHE_ORDERED_LOAD(lathe_load_acquire_sys, "ld.acquire.sys")
LATHE_ORDERED_STORE(lathe_store_release_cta, "st.release.cta")
LATHE_ORDERED_STORE(lathe_store_release_gpu, "st.release.gpu")
LATHE_ORDERED_STORE(lathe_store_release_sys, "st.release.sys")

/* Relaxed accesses: they are no data races but order nothing. With a fence after the load and
 * before the store they are equivalent to acquire and release. */
LATHE_ORDERED_LOAD(lathe_load_relaxed_cta, "ld.relaxed.cta")
LATHE_ORDERED_LOAD(lathe_load_relaxed_gpu, "ld.relaxed.gpu")
LATHE_ORDERED_LOAD(lathe_load_relaxed_sys, "ld.relaxed.sys")
LATHE_ORDERED_LOAD(lathe_load_volatile, "ld.volatile")
LATHE_ORDERED_STORE(lathe_store_relaxed_cta, "st.relaxed.cta")
LATHE_ORDERED_STORE(lathe_store_relaxed_gpu, "st.relaxed.gpu")
LATHE_ORDERED_STORE(lathe_store_relaxed_sys, "st.relaxed.sys")
LATHE_ORDERED_STORE(lathe_store_volatile, "st.volatile")

#undef LATHE_ORDERED_LOAD
#undef LATHE_ORDERED_STORE

#endif /* LATHE_CUDA_ORDERED_H */
