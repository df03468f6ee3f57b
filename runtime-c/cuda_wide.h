/* SPDX-License-Identifier: 0BSD */
/* cuda_wide.h - accesses to several adjacent elements of up to 16 bytes, for nvcc. */
#ifndef LATHE_CUDA_WIDE_H
#define LATHE_CUDA_WIDE_H

#include <string.h>

#include "cuda_device.h"

/* A word of kBytes bytes: the unit of one access. */
template <int kBytes>
struct alignas(kBytes) lathe_word {
  uint32_t part[kBytes / 4];
};
template <>
struct alignas(2) lathe_word<2> {
  uint16_t part[1];
};

/* The size of the words of an access of kBytes bytes. */
template <int kBytes>
constexpr int lathe_word_bytes = kBytes % 16 == 0 ? 16 : kBytes;

/* Returns true if `kCount` elements from there on are aligned words. */
template <int kCount, typename T>
static __device__ inline bool lathe_is_aligned(const T* memory) {
  return (uintptr_t)memory % lathe_word_bytes<kCount*(int)sizeof(T)> == 0u;
}

template <typename T, int kCount>
static __device__ inline void lathe_read(T (&to)[kCount], const T* from) {
  constexpr int kWord = lathe_word_bytes<(int)sizeof to>;
  LATHE_UNROLL
  for (int i = 0; i < (int)sizeof to / kWord; ++i) {
    const lathe_word<kWord> word = ((const lathe_word<kWord>*)from)[i];
    memcpy(&to[i * (kWord / (int)sizeof(T))], &word, kWord);
  }
}

template <typename T, int kCount>
static __device__ inline void lathe_write(T* to, const T (&from)[kCount]) {
  constexpr int kWord = lathe_word_bytes<(int)sizeof from>;
  LATHE_UNROLL
  for (int i = 0; i < (int)sizeof from / kWord; ++i) {
    lathe_word<kWord> word;
    memcpy(&word, &from[i * (kWord / (int)sizeof(T))], kWord);
    ((lathe_word<kWord>*)to)[i] = word;
  }
}

#endif /* LATHE_CUDA_WIDE_H */
