/* SPDX-License-Identifier: 0BSD */
/* panels.h - sums of products of up to four rows of int8 with panels of 16 columns, whose weights
 * lie as vectors of many columns want them:
 *
 *   sums[(r * panels + p) * 16 + c] += xr[k] * w[(p * fours + k / 4) * 64 + 4 * c + k % 4]
 *
 * for k < count, rows r, panels p, columns c, fours = (count + 3) / 4, and weights of 0 behind the
 * last k. With SSE2, AVX2, AVX-512 or AVX-512 VNNI where the compiler is told to use them, else one
 * by one. The sums fit 32 bits. */
#ifndef LATHE_PANELS_H
#define LATHE_PANELS_H

#include <stdint.h>
#include <string.h>

/* With the counts of each call known, loops and addresses are half as long. */
#if defined(__GNUC__)
#define LATHE_PANEL_INLINE static inline __attribute__((always_inline))
#else
#define LATHE_PANEL_INLINE static inline
#endif

#if defined(__SSE2__) && defined(__GNUC__)

#include <immintrin.h>

/* A vector has four k of SPAN columns; MOST of them are summed up at once for each row. gcc 12
 * moves sums from register to register, and to memory, unless it is told that they stay where they
 * are: twice the time. */
#if defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__AVX512VNNI__)
#define LATHE_PANEL_SPAN 16
#define LATHE_PANEL_MOST 4
typedef __m512i lathe_panel_lanes;
typedef uint8_t lathe_panel_item;
LATHE_PANEL_INLINE lathe_panel_lanes lathe_panel_none(void) { return _mm512_setzero_si512(); }
LATHE_PANEL_INLINE lathe_panel_lanes lathe_panel_load(const int8_t* from) {
  return _mm512_loadu_si512((const void*)from);
}
LATHE_PANEL_INLINE lathe_panel_lanes lathe_panel_four(const lathe_panel_item* from) {
  int32_t four;
  memcpy(&four, from, sizeof four);
  return _mm512_set1_epi32(four);
}
LATHE_PANEL_INLINE lathe_panel_lanes lathe_panel_add(lathe_panel_lanes x, lathe_panel_lanes w,
                                                     lathe_panel_lanes sum) {
#if defined(__clang__)
  return _mm512_dpbusd_epi32(sum, x, w);
#else
  __asm__("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(x), "v"(w));
  return sum;
#endif
}
#elif defined(__AVX512BW__) && defined(__AVX512VL__)
#define LATHE_PANEL_SPAN 8
#define LATHE_PANEL_MOST 4
typedef __m512i lathe_panel_lanes;
typedef int16_t lathe_panel_item;
LATHE_PANEL_INLINE lathe_panel_lanes lathe_panel_none(void) { return _mm512_setzero_si512(); }
LATHE_PANEL_INLINE lathe_panel_lanes lathe_panel_load(const int8_t* from) {
  return _mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i*)(const void*)from));
}
LATHE_PANEL_INLINE lathe_panel_lanes lathe_panel_four(const lathe_panel_item* from) {
  int64_t four;
  memcpy(&four, from, sizeof four);
  return _mm512_set1_epi64(four);
}
LATHE_PANEL_INLINE lathe_panel_lanes lathe_panel_add(lathe_panel_lanes x, lathe_panel_lanes w,
                                                     lathe_panel_lanes sum) {
#if defined(__clang__)
  return _mm512_add_epi32(sum, _mm512_madd_epi16(x, w));
#else
  __asm__("vpaddd %1, %0, %0" : "+v"(sum) : "v"(_mm512_madd_epi16(x, w)));
  return sum;
#endif
}
LATHE_PANEL_INLINE lathe_panel_lanes lathe_panel_sum(lathe_panel_lanes a, lathe_panel_lanes b) {
  return _mm512_add_epi32(a, b);
}
/* The sums of neighbours, those of a before those of b. */
LATHE_PANEL_INLINE lathe_panel_lanes lathe_panel_pairs(lathe_panel_lanes a, lathe_panel_lanes b) {
  const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  const __m512i odd = _mm512_set_epi32(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);
  return _mm512_add_epi32(_mm512_permutex2var_epi32(a, even, b),
                          _mm512_permutex2var_epi32(a, odd, b));
}
#elif defined(__AVX2__)
#define LATHE_PANEL_SPAN 4
#define LATHE_PANEL_MOST 2
typedef __m256i lathe_panel_lanes;
typedef int16_t lathe_panel_item;
LATHE_PANEL_INLINE lathe_panel_lanes lathe_panel_none(void) { return _mm256_setzero_si256(); }
LATHE_PANEL_INLINE lathe_panel_lanes lathe_panel_load(const int8_t* from) {
  return _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i*)(const void*)from));
}
LATHE_PANEL_INLINE lathe_panel_lanes lathe_panel_four(const lathe_panel_item* from) {
  int64_t four;
  memcpy(&four, from, sizeof four);
  return _mm256_set1_epi64x(four);
}
LATHE_PANEL_INLINE lathe_panel_lanes lathe_panel_add(lathe_panel_lanes x, lathe_panel_lanes w,
                                                     lathe_panel_lanes sum) {
#if defined(__clang__)
  return _mm256_add_epi32(sum, _mm256_madd_epi16(x, w));
#else
  __asm__("vpaddd %1, %0, %0" : "+x"(sum) : "x"(_mm256_madd_epi16(x, w)));
  return sum;
#endif
}
LATHE_PANEL_INLINE lathe_panel_lanes lathe_panel_sum(lathe_panel_lanes a, lathe_panel_lanes b) {
  return _mm256_add_epi32(a, b);
}
LATHE_PANEL_INLINE lathe_panel_lanes lathe_panel_pairs(lathe_panel_lanes a, lathe_panel_lanes b) {
  return _mm256_permute4x64_epi64(_mm256_hadd_epi32(a, b), 0xd8);
}
#else
#define LATHE_PANEL_SPAN 2
#define LATHE_PANEL_MOST 2
typedef __m128i lathe_panel_lanes;
typedef int16_t lathe_panel_item;
LATHE_PANEL_INLINE lathe_panel_lanes lathe_panel_none(void) { return _mm_setzero_si128(); }
LATHE_PANEL_INLINE lathe_panel_lanes lathe_panel_load(const int8_t* from) {
  const __m128i v = _mm_loadl_epi64((const __m128i*)(const void*)from);
  return _mm_srai_epi16(_mm_unpacklo_epi8(v, v), 8);
}
LATHE_PANEL_INLINE lathe_panel_lanes lathe_panel_four(const lathe_panel_item* from) {
  int64_t four;
  memcpy(&four, from, sizeof four);
  return _mm_set1_epi64x(four);
}
LATHE_PANEL_INLINE lathe_panel_lanes lathe_panel_add(lathe_panel_lanes x, lathe_panel_lanes w,
                                                     lathe_panel_lanes sum) {
  return _mm_add_epi32(sum, _mm_madd_epi16(x, w));
}
LATHE_PANEL_INLINE lathe_panel_lanes lathe_panel_sum(lathe_panel_lanes a, lathe_panel_lanes b) {
  return _mm_add_epi32(a, b);
}
LATHE_PANEL_INLINE lathe_panel_lanes lathe_panel_pairs(lathe_panel_lanes a, lathe_panel_lanes b) {
  const __m128i low = _mm_unpacklo_epi32(a, b);       /* a0 b0 a1 b1 */
  const __m128i high = _mm_unpackhi_epi32(a, b);      /* a2 b2 a3 b3 */
  const __m128i even = _mm_unpacklo_epi64(low, high); /* a0 b0 a2 b2 */
  const __m128i odd = _mm_unpackhi_epi64(low, high);
  return _mm_shuffle_epi32(_mm_add_epi32(even, odd), 0xd8);
}
#endif

#if defined(__clang__)
#define LATHE_PANEL_UNROLL _Pragma("clang loop unroll(full)")
#else
#define LATHE_PANEL_UNROLL _Pragma("GCC unroll 4")
#endif
/* Elements of a row that are made ready at a time. */
#define LATHE_PANEL_CHUNK 128

/* Elements of a row as numbers that vectors multiply; 0 behind the last, up to four. */
LATHE_PANEL_INLINE void lathe_panel_widen(const int8_t* x, int32_t count, lathe_panel_item* items) {
  int32_t k = 0;
#if LATHE_PANEL_SPAN == 16
  /* 128 too large: one of the factors has to be unsigned. */
  for (; (k + 64) <= count; k += 64) {
    const __m512i here = _mm512_loadu_si512((const void*)&x[k]);
    _mm512_storeu_si512((void*)&items[k], _mm512_xor_si512(here, _mm512_set1_epi8(-128)));
  }
  for (; k < count; ++k) {
    items[k] = (uint8_t)((uint8_t)x[k] ^ 0x80u);
  }
#else
  for (; (k + (4 * LATHE_PANEL_SPAN)) <= count; k += 4 * LATHE_PANEL_SPAN) {
    const lathe_panel_lanes here = lathe_panel_load(&x[k]);
    memcpy(&items[k], &here, sizeof here);
  }
  for (; k < count; ++k) {
    items[k] = x[k];
  }
#endif
  for (; (k % 4) != 0; ++k) {
    items[k] = 0;
  }
}

/* Vectors of a row's sums, from `first` on, `row` sums for each row; panels of weights are `panel`
 * apart. */
LATHE_PANEL_INLINE void lathe_panel_tile(lathe_panel_item x[4][LATHE_PANEL_CHUNK],
                                         const int32_t rows, const int32_t vectors, int32_t first,
                                         const int8_t* w, int32_t panel, int32_t fours, int32_t row,
                                         int32_t* sums) {
  const int32_t parts = 16 / LATHE_PANEL_SPAN;
  lathe_panel_lanes acc[4][LATHE_PANEL_MOST];
#if LATHE_PANEL_SPAN == 16
  const lathe_panel_lanes half = _mm512_set1_epi8(-128);
  lathe_panel_lanes too_much[LATHE_PANEL_MOST];
#endif
  int32_t k;
  int32_t r;
  int32_t v;
  LATHE_PANEL_UNROLL
  for (v = 0; v < vectors; ++v) {
    LATHE_PANEL_UNROLL
    for (r = 0; r < rows; ++r) {
      acc[r][v] = lathe_panel_none();
    }
#if LATHE_PANEL_SPAN == 16
    too_much[v] = lathe_panel_none();
#endif
  }
  for (k = 0; k < fours; ++k) {
    lathe_panel_lanes here[LATHE_PANEL_MOST];
    LATHE_PANEL_UNROLL
    for (v = 0; v < vectors; ++v) {
      const int32_t at = first + v;
      here[v] = lathe_panel_load(
          &w[((at / parts) * panel) + (k * 64) + ((at % parts) * 4 * LATHE_PANEL_SPAN)]);
#if LATHE_PANEL_SPAN == 16
      too_much[v] = lathe_panel_add(half, here[v], too_much[v]);
#endif
    }
    LATHE_PANEL_UNROLL
    for (r = 0; r < rows; ++r) {
      const lathe_panel_lanes four = lathe_panel_four(&x[r][4 * k]);
      LATHE_PANEL_UNROLL
      for (v = 0; v < vectors; ++v) {
        acc[r][v] = lathe_panel_add(four, here[v], acc[r][v]);
      }
    }
  }
  LATHE_PANEL_UNROLL
  for (r = 0; r < rows; ++r) {
    int32_t* const to = &sums[(r * row) + (first * LATHE_PANEL_SPAN)];
#if LATHE_PANEL_SPAN == 16
    LATHE_PANEL_UNROLL
    for (v = 0; v < vectors; ++v) {
      const __m512i all = _mm512_sub_epi32(acc[r][v], too_much[v]);
      const __m512i had = _mm512_loadu_si512((const void*)&to[v * 16]);
      _mm512_storeu_si512((void*)&to[v * 16], _mm512_add_epi32(had, all));
    }
#else
    LATHE_PANEL_UNROLL
    for (v = 0; v < vectors; v += 2) {
      lathe_panel_lanes had;
      memcpy(&had, &to[v * LATHE_PANEL_SPAN], sizeof had);
      had = lathe_panel_sum(had, lathe_panel_pairs(acc[r][v], acc[r][v + 1]));
      memcpy(&to[v * LATHE_PANEL_SPAN], &had, sizeof had);
    }
#endif
  }
}

/* The last row stands for those that are not there. */
LATHE_PANEL_INLINE void lathe_dot_panels_i8(const int8_t* x0, const int8_t* x1, const int8_t* x2,
                                            const int8_t* x3, const int32_t rows, const int8_t* w,
                                            const int32_t panels, const int32_t count,
                                            int32_t* sums) {
  const int8_t* const x[4] = {x0, x1, x2, x3};
  const int32_t all = panels * (16 / LATHE_PANEL_SPAN);
  const int32_t rest = all % LATHE_PANEL_MOST;
  const int32_t panel = ((count + 3) / 4) * 64;
  lathe_panel_item items[4][LATHE_PANEL_CHUNK];
  int32_t k;
  for (k = 0; k < count; k += LATHE_PANEL_CHUNK) {
    const int32_t left = count - k;
    const int32_t here = (left < LATHE_PANEL_CHUNK) ? left : LATHE_PANEL_CHUNK;
    const int32_t fours = (here + 3) / 4;
    int32_t r;
    int32_t first;
    LATHE_PANEL_UNROLL
    for (r = 0; r < rows; ++r) {
      lathe_panel_widen(&x[r][k], here, items[r]);
    }
    for (first = 0; first < (all - rest); first += LATHE_PANEL_MOST) {
      lathe_panel_tile(items, rows, LATHE_PANEL_MOST, first, &w[k * 16], panel, fours, panels * 16,
                       sums);
    }
    if ((rest & 2) != 0) {
      lathe_panel_tile(items, rows, 2, first, &w[k * 16], panel, fours, panels * 16, sums);
      first += 2;
    }
#if LATHE_PANEL_SPAN == 16
    if ((rest & 1) != 0) {
      lathe_panel_tile(items, rows, 1, first, &w[k * 16], panel, fours, panels * 16, sums);
    }
#endif
  }
}

#undef LATHE_PANEL_CHUNK
#undef LATHE_PANEL_UNROLL
#undef LATHE_PANEL_SPAN
#undef LATHE_PANEL_MOST

#else

LATHE_PANEL_INLINE void lathe_dot_panels_i8(const int8_t* x0, const int8_t* x1, const int8_t* x2,
                                            const int8_t* x3, int32_t rows, const int8_t* w,
                                            int32_t panels, int32_t count, int32_t* sums) {
  const int8_t* const x[4] = {x0, x1, x2, x3};
  const int32_t fours = (count + 3) / 4;
  int32_t r;
  int32_t p;
  int32_t k;
  int32_t c;
  for (r = 0; r < rows; ++r) {
    for (p = 0; p < panels; ++p) {
      int32_t* const to = &sums[((r * panels) + p) * 16];
      for (k = 0; k < count; ++k) {
        const int8_t* const from = &w[(((p * fours) + (k / 4)) * 64) + (k % 4)];
        for (c = 0; c < 16; ++c) {
          to[c] += (int32_t)x[r][k] * (int32_t)from[4 * c];
        }
      }
    }
  }
}

#endif

#undef LATHE_PANEL_INLINE

#endif
