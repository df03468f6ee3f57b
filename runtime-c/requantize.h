/* SPDX-License-Identifier: 0BSD */
/* requantize.h - sums of products as int8 again, and depthwise convolutions, whose sums are made
 * and used in registers:
 *
 *   out[i] = clamp((sums[i] * factors[i] + start) >> shift, lo, hi)
 *
 * With vectors of AVX-512 or AVX2 where the compiler is told to use them, else one by one. Sums
 * are int32, products int64, and start + product fits them. */
#ifndef LATHE_REQUANTIZE_H
#define LATHE_REQUANTIZE_H

#include <stdint.h>
#include <string.h>

#if defined(__GNUC__)
#define LATHE_REQUANTIZE_INLINE static inline __attribute__((always_inline))
#else
#define LATHE_REQUANTIZE_INLINE static inline
#endif

/* How a sum becomes an int8. */
typedef struct {
  int64_t start;
  int32_t shift;
  int32_t lo;
  int32_t hi;
} lathe_requantize;

LATHE_REQUANTIZE_INLINE int8_t lathe_requantize_one(const int32_t sum, const int32_t factor,
                                                    const lathe_requantize way) {
  const int64_t product = (int64_t)sum * factor + way.start;
  const int64_t half = product < 0 ? ~(~product >> way.shift) : product >> way.shift;
  const int32_t raised = half > way.lo ? (int32_t)half : way.lo;
  return (int8_t)(raised < way.hi ? raised : way.hi);
}

#if defined(__GNUC__) && (defined(__AVX2__) || (defined(__AVX512BW__) && defined(__AVX512VL__)))
#include <immintrin.h>

#if defined(__AVX512BW__) && defined(__AVX512VL__)
#define LATHE_REQUANTIZE_LANES 16
typedef __m512i lathe_requantize_lanes;
LATHE_REQUANTIZE_INLINE lathe_requantize_lanes lathe_requantize_load(const int32_t* from) {
  return _mm512_loadu_si512((const void*)from);
}
LATHE_REQUANTIZE_INLINE lathe_requantize_lanes lathe_requantize_all(const int32_t value) {
  return _mm512_set1_epi32(value);
}
LATHE_REQUANTIZE_INLINE lathe_requantize_lanes lathe_requantize_widen(const int8_t* from) {
  return _mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i*)(const void*)from));
}
/* sum + a * b of numbers that fit 16 bits; the upper halves of b are 0. */
LATHE_REQUANTIZE_INLINE lathe_requantize_lanes lathe_requantize_add(lathe_requantize_lanes a,
                                                                    lathe_requantize_lanes b,
                                                                    lathe_requantize_lanes sum) {
  return _mm512_add_epi32(sum, _mm512_madd_epi16(a, b));
}
LATHE_REQUANTIZE_INLINE lathe_requantize_lanes lathe_requantize_low(lathe_requantize_lanes a) {
  return _mm512_and_si512(a, _mm512_set1_epi32(0xffff));
}
LATHE_REQUANTIZE_INLINE void lathe_requantize_store(lathe_requantize_lanes sums,
                                                    lathe_requantize_lanes factors,
                                                    const lathe_requantize way, int8_t* out) {
  const __m128i by = _mm_cvtsi32_si128(way.shift);
  const __m512i start = _mm512_set1_epi64(way.start);
  const __m512i even = _mm512_sra_epi64(
      _mm512_add_epi64(_mm512_maskz_mul_epi32((__mmask8)255, sums, factors), start), by);
  const __m512i odd = _mm512_sra_epi64(
      _mm512_add_epi64(_mm512_maskz_mul_epi32((__mmask8)255, _mm512_srli_epi64(sums, 32),
                                              _mm512_srli_epi64(factors, 32)),
                       start),
      by);
  const __m512i all = _mm512_mask_mov_epi32(even, (__mmask16)0xaaaa, _mm512_slli_epi64(odd, 32));
  const __m512i raised = _mm512_max_epi32(all, _mm512_set1_epi32(way.lo));
  _mm_storeu_si128((__m128i*)(void*)out,
                   _mm512_maskz_cvtepi32_epi8((__mmask16)0xffff,
                                              _mm512_min_epi32(raised, _mm512_set1_epi32(way.hi))));
}
#else
#define LATHE_REQUANTIZE_LANES 8
typedef __m256i lathe_requantize_lanes;
LATHE_REQUANTIZE_INLINE lathe_requantize_lanes lathe_requantize_load(const int32_t* from) {
  return _mm256_loadu_si256((const __m256i*)(const void*)from);
}
LATHE_REQUANTIZE_INLINE lathe_requantize_lanes lathe_requantize_all(const int32_t value) {
  return _mm256_set1_epi32(value);
}
LATHE_REQUANTIZE_INLINE lathe_requantize_lanes lathe_requantize_widen(const int8_t* from) {
  return _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i*)(const void*)from));
}
LATHE_REQUANTIZE_INLINE lathe_requantize_lanes lathe_requantize_add(lathe_requantize_lanes a,
                                                                    lathe_requantize_lanes b,
                                                                    lathe_requantize_lanes sum) {
  return _mm256_add_epi32(sum, _mm256_madd_epi16(a, b));
}
LATHE_REQUANTIZE_INLINE lathe_requantize_lanes lathe_requantize_low(lathe_requantize_lanes a) {
  return _mm256_and_si256(a, _mm256_set1_epi32(0xffff));
}
/* There is no arithmetic shift of 64 bits: numbers are made positive before and less after it. */
LATHE_REQUANTIZE_INLINE __m256i lathe_requantize_shift(__m256i products,
                                                       const lathe_requantize way) {
  const uint64_t sign = (uint64_t)1 << 63;
  const __m256i start = _mm256_set1_epi64x((long long)((uint64_t)way.start + sign));
  const __m256i less = _mm256_set1_epi64x((long long)(sign >> way.shift));
  const __m256i moved =
      _mm256_srl_epi64(_mm256_add_epi64(products, start), _mm_cvtsi32_si128(way.shift));
  return _mm256_sub_epi64(moved, less);
}
LATHE_REQUANTIZE_INLINE void lathe_requantize_store(lathe_requantize_lanes sums,
                                                    lathe_requantize_lanes factors,
                                                    const lathe_requantize way, int8_t* out) {
  const __m256i even = lathe_requantize_shift(_mm256_mul_epi32(sums, factors), way);
  const __m256i odd = lathe_requantize_shift(
      _mm256_mul_epi32(_mm256_srli_epi64(sums, 32), _mm256_srli_epi64(factors, 32)), way);
  const __m256i all = _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xaa);
  const __m256i raised = _mm256_max_epi32(all, _mm256_set1_epi32(way.lo));
  const __m256i least = _mm256_min_epi32(raised, _mm256_set1_epi32(way.hi));
  const __m128i halves =
      _mm_packs_epi32(_mm256_castsi256_si128(least), _mm256_extracti128_si256(least, 1));
  _mm_storel_epi64((__m128i*)(void*)out, _mm_packs_epi16(halves, halves));
}
#endif
#endif

/* `factors` is one for each, or `one` is 1 and it is one for all. */
LATHE_REQUANTIZE_INLINE void lathe_requantize_i8(const int32_t* sums, const int32_t* factors,
                                                 const int32_t one, int32_t count,
                                                 const lathe_requantize way, int8_t* out) {
  int32_t i = 0;
#if defined(LATHE_REQUANTIZE_LANES)
  for (; i + LATHE_REQUANTIZE_LANES <= count; i += LATHE_REQUANTIZE_LANES) {
    lathe_requantize_store(
        lathe_requantize_load(sums + i),
        one != 0 ? lathe_requantize_all(factors[0]) : lathe_requantize_load(factors + i), way,
        out + i);
  }
#endif
  for (; i < count; ++i) {
    out[i] = lathe_requantize_one(sums[i], factors[one != 0 ? 0 : i], way);
  }
}

#endif
