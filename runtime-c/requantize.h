/* SPDX-License-Identifier: 0BSD */
/* requantize.h - converts int32 sums to int8, for i < count:
 *
 *   out[i] = clamp((sums[i] * factors[i] + start) >> shift, lo, hi)
 *
 * Uses AVX-512 or AVX2 if enabled in the compiler, else scalar code. Sums have 32 bits, products
 * with `start` 64, shifted results 32. If `factors` is null, `factor` applies to all sums. */
#ifndef LATHE_REQUANTIZE_H
#define LATHE_REQUANTIZE_H

#include <string.h>

#include "requantize_one.h"

#if defined(__GNUC__) && (defined(__AVX2__) || (defined(__AVX512BW__) && defined(__AVX512VL__)))
#include <immintrin.h>
#define LATHE_REQUANTIZE_VECTORS 1
#endif

#if defined(LATHE_REQUANTIZE_VECTORS)
/* With vectors, if the shift discards the low half of each product and `start` does not affect
 * it: only the high halves are added and shifted. The full masks avoid warnings of gcc 12 about
 * its own header. */
#if defined(__AVX512BW__) && defined(__AVX512VL__)
#define LATHE_REQUANTIZE_LANES 16
typedef __m512i lathe_requantize_lanes;
LATHE_REQUANTIZE_INLINE lathe_requantize_lanes lathe_requantize_load(const int32_t* from) {
  return _mm512_loadu_si512((const void*)from);
}
LATHE_REQUANTIZE_INLINE lathe_requantize_lanes lathe_requantize_all(const int32_t value) {
  return _mm512_set1_epi32(value);
}
LATHE_REQUANTIZE_INLINE lathe_requantize_lanes lathe_requantize_sum(lathe_requantize_lanes a,
                                                                    lathe_requantize_lanes b) {
  return _mm512_add_epi32(a, b);
}
LATHE_REQUANTIZE_INLINE __m128i lathe_requantize_bytes(lathe_requantize_lanes sums,
                                                       lathe_requantize_lanes factors,
                                                       const lathe_requantize way) {
  const __m512i even = _mm512_maskz_mul_epi32((__mmask8)255, sums, factors);
  const __m512i odd = _mm512_maskz_mul_epi32((__mmask8)255, _mm512_srli_epi64(sums, 32),
                                             _mm512_srli_epi64(factors, 32));
  const __m512i high = _mm512_mask_shuffle_epi32(odd, (__mmask16)0x5555, even, _MM_PERM_DDBB);
  const __m512i sum = _mm512_add_epi32(high, _mm512_set1_epi32((int32_t)(way.start >> 32)));
  __m512i all = _mm512_srav_epi32(sum, _mm512_set1_epi32(way.shift - 32));
  if (way.lo > -128) {
    all = _mm512_max_epi32(all, _mm512_set1_epi32(way.lo));
  }
  if (way.hi < 127) {
    all = _mm512_min_epi32(all, _mm512_set1_epi32(way.hi));
  }
  return _mm512_maskz_cvtsepi32_epi8((__mmask16)0xffff, all);
}
/* Adjacent 16-bit elements of two lines in each lane; or of one. */
LATHE_REQUANTIZE_INLINE lathe_requantize_lanes lathe_requantize_widen(const int8_t* from) {
  return _mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i*)(const void*)from));
}
LATHE_REQUANTIZE_INLINE lathe_requantize_lanes
lathe_requantize_interleave(lathe_requantize_lanes a, lathe_requantize_lanes b) {
  return _mm512_ternarylogic_epi32(_mm512_set1_epi32(0xffff), a, _mm512_slli_epi32(b, 16), 0xca);
}
LATHE_REQUANTIZE_INLINE lathe_requantize_lanes lathe_requantize_low(lathe_requantize_lanes a) {
  return _mm512_and_si512(a, _mm512_set1_epi32(0xffff));
}
/* sum + a * b for both elements of a lane. */
LATHE_REQUANTIZE_INLINE lathe_requantize_lanes lathe_requantize_add(lathe_requantize_lanes a,
                                                                    lathe_requantize_lanes b,
                                                                    lathe_requantize_lanes sum) {
#if defined(__AVX512VNNI__)
  return _mm512_dpwssd_epi32(sum, a, b);
#else
  return _mm512_add_epi32(sum, _mm512_madd_epi16(a, b));
#endif
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
LATHE_REQUANTIZE_INLINE lathe_requantize_lanes lathe_requantize_sum(lathe_requantize_lanes a,
                                                                    lathe_requantize_lanes b) {
  return _mm256_add_epi32(a, b);
}
LATHE_REQUANTIZE_INLINE __m128i lathe_requantize_bytes(lathe_requantize_lanes sums,
                                                       lathe_requantize_lanes factors,
                                                       const lathe_requantize way) {
  const __m256i even = _mm256_mul_epi32(sums, factors);
  /* clang 14 turns shifts by 32 into 64-bit products. */
  const __m256i odd =
      _mm256_mul_epi32(_mm256_shuffle_epi32(sums, 0xf5), _mm256_shuffle_epi32(factors, 0xf5));
  const __m256i high = _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa);
  const __m256i sum = _mm256_add_epi32(high, _mm256_set1_epi32((int32_t)(way.start >> 32)));
  __m256i all = _mm256_srav_epi32(sum, _mm256_set1_epi32(way.shift - 32));
  __m128i halves;
  if (way.lo > -128) {
    all = _mm256_max_epi32(all, _mm256_set1_epi32(way.lo));
  }
  if (way.hi < 127) {
    all = _mm256_min_epi32(all, _mm256_set1_epi32(way.hi));
  }
  halves = _mm_packs_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
  return _mm_packs_epi16(halves, halves);
}
LATHE_REQUANTIZE_INLINE lathe_requantize_lanes lathe_requantize_widen(const int8_t* from) {
  return _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i*)(const void*)from));
}
LATHE_REQUANTIZE_INLINE lathe_requantize_lanes
lathe_requantize_interleave(lathe_requantize_lanes a, lathe_requantize_lanes b) {
  return _mm256_blend_epi16(a, _mm256_slli_epi32(b, 16), 0xaa);
}
LATHE_REQUANTIZE_INLINE lathe_requantize_lanes lathe_requantize_low(lathe_requantize_lanes a) {
  return _mm256_and_si256(a, _mm256_set1_epi32(0xffff));
}
LATHE_REQUANTIZE_INLINE lathe_requantize_lanes lathe_requantize_add(lathe_requantize_lanes a,
                                                                    lathe_requantize_lanes b,
                                                                    lathe_requantize_lanes sum) {
  return _mm256_add_epi32(sum, _mm256_madd_epi16(a, b));
}
#endif

/* Loads the first `count` elements of a vector, zero-filled. */
LATHE_REQUANTIZE_INLINE lathe_requantize_lanes lathe_requantize_some(const int32_t* from,
                                                                     const int32_t count) {
  int32_t some[LATHE_REQUANTIZE_LANES] = {0};
  if (count >= LATHE_REQUANTIZE_LANES) {
    return lathe_requantize_load(from);
  }
  memcpy(some, from, (size_t)count * sizeof some[0]);
  return lathe_requantize_load(some);
}

/* Requantizes the first `count` sums of a vector and stores them. */
LATHE_REQUANTIZE_INLINE void lathe_requantize_store(lathe_requantize_lanes sums,
                                                    lathe_requantize_lanes factors,
                                                    const lathe_requantize way, const int32_t count,
                                                    int8_t* out) {
  if ((way.shift > 32) && (((uint64_t)way.start & 0xffffffffu) == 0u)) {
    const __m128i bytes = lathe_requantize_bytes(sums, factors, way);
    memcpy(out, &bytes, (size_t)count);
  } else {
    int32_t sum[LATHE_REQUANTIZE_LANES];
    int32_t factor[LATHE_REQUANTIZE_LANES];
    int32_t i;
    memcpy(sum, &sums, sizeof sum);
    memcpy(factor, &factors, sizeof factor);
    for (i = 0; i < count; ++i) {
      out[i] = lathe_requantize_one(sum[i], factor[i], way);
    }
  }
}
#endif

LATHE_REQUANTIZE_INLINE void lathe_requantize_i8(const int32_t* sums, const int32_t* factors,
                                                 const int32_t factor, const int32_t count,
                                                 const int64_t start, const int32_t shift,
                                                 const int32_t lo, const int32_t hi, int8_t* out) {
  const lathe_requantize way = {start, shift, lo, hi};
  int32_t i = 0;
#if defined(LATHE_REQUANTIZE_LANES)
  const int32_t lanes = LATHE_REQUANTIZE_LANES;
  const int32_t rest = count % lanes;
  for (; i < (count - rest); i += lanes) {
    lathe_requantize_store(
        lathe_requantize_load(&sums[i]),
        (factors == NULL) ? lathe_requantize_all(factor) : lathe_requantize_load(&factors[i]), way,
        lanes, &out[i]);
  }
  if (rest > 0) {
    lathe_requantize_store(
        lathe_requantize_some(&sums[i], rest),
        (factors == NULL) ? lathe_requantize_all(factor) : lathe_requantize_some(&factors[i], rest),
        way, rest, &out[i]);
  }
#else
  for (; i < count; ++i) {
    out[i] = lathe_requantize_one(sums[i], (factors == NULL) ? factor : factors[i], way);
  }
#endif
}

#endif
