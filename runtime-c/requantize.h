/* SPDX-License-Identifier: 0BSD */
/* requantize.h - sums of products as int8 again, for i < count,
 *
 *   out[i] = clamp((sums[i] * factors[i] + start) >> shift, lo, hi)
 *
 * and depthwise convolutions of int8, a line of the result at a time, whose sums
 *
 *   bias[c] + x[column * step + ky * line + kx * tap + c] * w[(ky * width + kx) * channels + c] ...
 *
 * for ky < height and kx < width stay in registers. With vectors of AVX-512 or AVX2 where the
 * compiler is told to use them, else one by one. Sums fit 32 bits, products with `start` 64, and
 * what is shifted 32. Where `factors` is null, `factor` is that of all. */
#ifndef LATHE_REQUANTIZE_H
#define LATHE_REQUANTIZE_H

#include "scalar.h"

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

LATHE_REQUANTIZE_INLINE int8_t lathe_requantize_one(int32_t sum, int32_t factor,
                                                    const lathe_requantize way) {
  const int64_t product = (int64_t)sum * (int64_t)factor;
  const int32_t scaled = (int32_t)lathe_asr_i64(product + way.start, (uint32_t)way.shift);
  const int32_t raised = (scaled > way.lo) ? scaled : way.lo;
  return (int8_t)((raised < way.hi) ? raised : way.hi);
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
LATHE_REQUANTIZE_INLINE void lathe_requantize_those(const __mmask16 those,
                                                    lathe_requantize_lanes sums,
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
  const __m512i least = _mm512_min_epi32(raised, _mm512_set1_epi32(way.hi));
  _mm512_mask_cvtepi32_storeu_epi8((void*)out, those, least);
}
LATHE_REQUANTIZE_INLINE void lathe_requantize_store(lathe_requantize_lanes sums,
                                                    lathe_requantize_lanes factors,
                                                    const lathe_requantize way, int8_t* out) {
  lathe_requantize_those((__mmask16)0xffff, sums, factors, way, out);
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

LATHE_REQUANTIZE_INLINE void lathe_requantize_i8(const int32_t* sums, const int32_t* factors,
                                                 const int32_t factor, int32_t count,
                                                 const int64_t start, const int32_t shift,
                                                 const int32_t lo, const int32_t hi, int8_t* out) {
  const lathe_requantize way = {start, shift, lo, hi};
  int32_t i = 0;
#if defined(LATHE_REQUANTIZE_LANES)
  for (; (i + LATHE_REQUANTIZE_LANES) <= count; i += LATHE_REQUANTIZE_LANES) {
    const lathe_requantize_lanes by =
        (factors == NULL) ? lathe_requantize_all(factor) : lathe_requantize_load(&factors[i]);
    lathe_requantize_store(lathe_requantize_load(&sums[i]), by, way, &out[i]);
  }
#endif
#if defined(LATHE_REQUANTIZE_LANES) && (LATHE_REQUANTIZE_LANES == 16)
  if (i < count) {
    const __mmask16 those = (__mmask16)((1u << (uint32_t)(count - i)) - 1u);
    const lathe_requantize_lanes by =
        (factors == NULL) ? lathe_requantize_all(factor)
                          : _mm512_maskz_loadu_epi32(those, (const void*)&factors[i]);
    lathe_requantize_those(those, _mm512_maskz_loadu_epi32(those, (const void*)&sums[i]), by, way,
                           &out[i]);
    i = count;
  }
#endif
  for (; i < count; ++i) {
    out[i] = lathe_requantize_one(sums[i], (factors == NULL) ? factor : factors[i], way);
  }
}

#if defined(LATHE_REQUANTIZE_LANES)
/* Places of a window that are written out, and kept in registers. */
#define LATHE_REQUANTIZE_PLACES 25
#if defined(__clang__)
#define LATHE_REQUANTIZE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define LATHE_REQUANTIZE_UNROLL _Pragma("GCC unroll 25")
#endif

/* A vector of channels from all columns, with weights, biases and factors that lie behind each
 * other; the last vector may begin before `count` is a whole number of them. */
LATHE_REQUANTIZE_INLINE void lathe_depthwise_lanes(
    const int8_t* x, const int8_t* w, const int32_t pitch, const int32_t* bias,
    lathe_requantize_lanes by, int32_t columns, int32_t step, int32_t to_step, const int32_t height,
    int32_t line, const int32_t width, int32_t tap, const lathe_requantize way, int8_t* out) {
  lathe_requantize_lanes weights[LATHE_REQUANTIZE_PLACES];
  const lathe_requantize_lanes first = lathe_requantize_load(bias);
  int32_t column;
  int32_t k;
  LATHE_REQUANTIZE_UNROLL
  for (k = 0; k < (height * width); ++k) {
    weights[k] = lathe_requantize_low(lathe_requantize_widen(&w[k * pitch]));
  }
  for (column = 0; column < columns; ++column) {
    const int8_t* const from = &x[column * step];
    lathe_requantize_lanes sum = first;
    LATHE_REQUANTIZE_UNROLL
    for (k = 0; k < (height * width); ++k) {
      const lathe_requantize_lanes here =
          lathe_requantize_widen(&from[((k / width) * line) + ((k % width) * tap)]);
      sum = lathe_requantize_add(here, weights[k], sum);
    }
    lathe_requantize_store(sum, by, way, &out[column * to_step]);
  }
}
#endif

LATHE_REQUANTIZE_INLINE void lathe_depthwise_i8(
    const int8_t* x, const int8_t* w, const int32_t* bias, const int32_t* factors,
    const int32_t factor, const int32_t columns, const int32_t channels, const int32_t step,
    const int32_t height, const int32_t line, const int32_t width, const int32_t tap,
    const int64_t start, const int32_t shift, const int32_t lo, const int32_t hi, int8_t* out) {
  const lathe_requantize way = {start, shift, lo, hi};
  int32_t column;
  int32_t c = 0;
#if defined(LATHE_REQUANTIZE_LANES)
  const int32_t lanes = LATHE_REQUANTIZE_LANES;
  if (((height * width) <= LATHE_REQUANTIZE_PLACES) && (channels >= lanes)) {
    /* The last vector may have channels of the one before it: they come out the same again. */
    for (; c < channels; c += lanes) {
      const int32_t at = ((c + lanes) <= channels) ? c : (channels - lanes);
      lathe_depthwise_lanes(
          &x[at], &w[at], channels, &bias[at],
          (factors == NULL) ? lathe_requantize_all(factor) : lathe_requantize_load(&factors[at]),
          columns, step, channels, height, line, width, tap, way, &out[at]);
    }
    return;
  }
  if (((height * width) <= LATHE_REQUANTIZE_PLACES) && (step == channels) &&
      ((lanes % channels) == 0) && ((columns * channels) >= lanes)) {
    /* Columns of few channels that lie side by side: as many as fill a vector. */
    int8_t weights[LATHE_REQUANTIZE_PLACES * LATHE_REQUANTIZE_LANES];
    int32_t biases[LATHE_REQUANTIZE_LANES];
    int32_t each[LATHE_REQUANTIZE_LANES];
    const int32_t count = columns * channels;
    const int32_t whole = count - (count % lanes);
    int32_t k;
    for (c = 0; c < lanes; ++c) {
      biases[c] = bias[c % channels];
      each[c] = (factors == NULL) ? factor : factors[c % channels];
      for (k = 0; k < (height * width); ++k) {
        weights[(k * lanes) + c] = w[(k * channels) + (c % channels)];
      }
    }
    lathe_depthwise_lanes(x, weights, lanes, biases, lathe_requantize_load(each), whole / lanes,
                          lanes, lanes, height, line, width, tap, way, out);
    if (whole < count) {
      lathe_depthwise_lanes(&x[count - lanes], weights, lanes, biases, lathe_requantize_load(each),
                            1, lanes, lanes, height, line, width, tap, way, &out[count - lanes]);
    }
    return;
  }
#endif
  for (column = 0; column < columns; ++column) {
    for (c = 0; c < channels; ++c) {
      const int8_t* const from = &x[(column * step) + c];
      int32_t sum = bias[c];
      int32_t k;
      for (k = 0; k < (height * width); ++k) {
        sum += (int32_t)from[((k / width) * line) + ((k % width) * tap)] *
               (int32_t)w[(k * channels) + c];
      }
      out[(column * channels) + c] =
          lathe_requantize_one(sum, (factors == NULL) ? factor : factors[c], way);
    }
  }
}

#undef LATHE_REQUANTIZE_INLINE
#if defined(LATHE_REQUANTIZE_LANES)
#undef LATHE_REQUANTIZE_UNROLL
#undef LATHE_REQUANTIZE_PLACES
#undef LATHE_REQUANTIZE_LANES
#endif

#endif
