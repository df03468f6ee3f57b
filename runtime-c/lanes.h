/* SPDX-License-Identifier: 0BSD */
/* lanes.h - int8 products with x86 vectors: elements are widened to LATHE_LANES 16-bit numbers,
 * whose products are added in pairs to 32-bit sums. Empty without such vectors. */
#ifndef LATHE_LANES_H
#define LATHE_LANES_H

#if defined(__SSE2__) && defined(__GNUC__)

#include <immintrin.h>
#include <stdint.h>

#define LATHE_LANES_INLINE static inline __attribute__((always_inline))

/* Pins sums to their registers: gcc 12 would move them between registers and memory, which takes
 * twice the time. */
#if defined(__AVX512BW__) && defined(__AVX512VL__)
#define LATHE_LANES 32
typedef __m512i lathe_lanes;
LATHE_LANES_INLINE lathe_lanes lathe_lanes_none(void) { return _mm512_setzero_si512(); }
LATHE_LANES_INLINE lathe_lanes lathe_lanes_sum(lathe_lanes a, lathe_lanes b) {
  return _mm512_add_epi32(a, b);
}
LATHE_LANES_INLINE lathe_lanes lathe_lanes_load(const int8_t* from) {
  return _mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i*)(const void*)from));
}
LATHE_LANES_INLINE lathe_lanes lathe_lanes_add(lathe_lanes a, lathe_lanes b, lathe_lanes sum) {
#if defined(__clang__)
  return _mm512_add_epi32(sum, _mm512_madd_epi16(a, b));
#else
  __asm__("vpaddd %1, %0, %0" : "+v"(sum) : "v"(_mm512_madd_epi16(a, b)));
  return sum;
#endif
}
#elif defined(__AVX2__)
#define LATHE_LANES 16
typedef __m256i lathe_lanes;
LATHE_LANES_INLINE lathe_lanes lathe_lanes_none(void) { return _mm256_setzero_si256(); }
LATHE_LANES_INLINE lathe_lanes lathe_lanes_sum(lathe_lanes a, lathe_lanes b) {
  return _mm256_add_epi32(a, b);
}
LATHE_LANES_INLINE lathe_lanes lathe_lanes_load(const int8_t* from) {
  return _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i*)(const void*)from));
}
LATHE_LANES_INLINE lathe_lanes lathe_lanes_add(lathe_lanes a, lathe_lanes b, lathe_lanes sum) {
#if defined(__clang__)
  return _mm256_add_epi32(sum, _mm256_madd_epi16(a, b));
#else
  __asm__("vpaddd %1, %0, %0" : "+x"(sum) : "x"(_mm256_madd_epi16(a, b)));
  return sum;
#endif
}
#else
#define LATHE_LANES 8
typedef __m128i lathe_lanes;
LATHE_LANES_INLINE lathe_lanes lathe_lanes_none(void) { return _mm_setzero_si128(); }
LATHE_LANES_INLINE lathe_lanes lathe_lanes_sum(lathe_lanes a, lathe_lanes b) {
  return _mm_add_epi32(a, b);
}
LATHE_LANES_INLINE lathe_lanes lathe_lanes_load(const int8_t* from) {
  const __m128i v = _mm_loadl_epi64((const __m128i*)(const void*)from);
  return _mm_srai_epi16(_mm_unpacklo_epi8(v, v), 8);
}
LATHE_LANES_INLINE lathe_lanes lathe_lanes_add(lathe_lanes a, lathe_lanes b, lathe_lanes sum) {
  return _mm_add_epi32(sum, _mm_madd_epi16(a, b));
}
#endif

#endif

#endif
