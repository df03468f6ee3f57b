/* SPDX-License-Identifier: 0BSD */
/* panels.h - products of up to four int8 rows with panels of 16 columns, whose weights are stored
 * in the order of vectors:
 *
 *   sums[(r * panels + p) * 16 + c] += xr[k] * w[(p * fours + k / 4) * 64 + 4 * c + k % 4]
 *
 * for k < count, rows r, panels p, columns c, fours = (count + 3) / 4, and zero weights after the
 * last k. Uses SSE2, AVX2, AVX-512 or AVX-512 VNNI if enabled in the compiler, else scalar code.
 * The sums wrap around in 32 bits. */
#ifndef LATHE_PANELS_H
#define LATHE_PANELS_H

#include <stdint.h>
#include <string.h>

#include "lanes.h"

/* Constant counts halve the code for loops and addresses. */
#if defined(__GNUC__)
#define LATHE_PANEL_INLINE static inline __attribute__((always_inline))
#else
#define LATHE_PANEL_INLINE static inline
#endif

#if defined(LATHE_LANES)

/* A vector has four k of SPAN columns. MOST vectors are accumulated at once for each row; DONE
 * columns have adjacent sums at the end. */
#if (LATHE_LANES == 32) && defined(__AVX512VNNI__)
#define LATHE_PANEL_SPAN 16
#define LATHE_PANEL_MOST 4
#define LATHE_PANEL_DONE 16
typedef uint8_t lathe_panel_item;
LATHE_PANEL_INLINE lathe_lanes lathe_panel_load(const int8_t* from) {
  return _mm512_loadu_si512((const void*)from);
}
LATHE_PANEL_INLINE lathe_lanes lathe_panel_four(const lathe_panel_item* from) {
  int32_t four;
  memcpy(&four, from, sizeof four);
  return _mm512_set1_epi32(four);
}
LATHE_PANEL_INLINE lathe_lanes lathe_panel_add(lathe_lanes x, lathe_lanes w, lathe_lanes sum) {
#if defined(__clang__)
  return _mm512_dpbusd_epi32(sum, x, w);
#else
  __asm__("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(x), "v"(w));
  return sum;
#endif
}
#else
#define LATHE_PANEL_SPAN (LATHE_LANES / 4)
#define LATHE_PANEL_DONE (LATHE_LANES / 2)
typedef int16_t lathe_panel_item;
LATHE_PANEL_INLINE lathe_lanes lathe_panel_load(const int8_t* from) {
  return lathe_lanes_load(from);
}
LATHE_PANEL_INLINE lathe_lanes lathe_panel_add(lathe_lanes x, lathe_lanes w, lathe_lanes sum) {
  return lathe_lanes_add(x, w, sum);
}
/* Adds adjacent sums: those of a, then those of b. */
#if LATHE_LANES == 32
#define LATHE_PANEL_MOST 4
LATHE_PANEL_INLINE lathe_lanes lathe_panel_four(const lathe_panel_item* from) {
  int64_t four;
  memcpy(&four, from, sizeof four);
  return _mm512_set1_epi64(four);
}
LATHE_PANEL_INLINE lathe_lanes lathe_panel_pairs(lathe_lanes a, lathe_lanes b) {
  const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  const __m512i odd = _mm512_set_epi32(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);
  return _mm512_add_epi32(_mm512_permutex2var_epi32(a, even, b),
                          _mm512_permutex2var_epi32(a, odd, b));
}
#elif LATHE_LANES == 16
#define LATHE_PANEL_MOST 2
LATHE_PANEL_INLINE lathe_lanes lathe_panel_four(const lathe_panel_item* from) {
  int64_t four;
  memcpy(&four, from, sizeof four);
  return _mm256_set1_epi64x(four);
}
LATHE_PANEL_INLINE lathe_lanes lathe_panel_pairs(lathe_lanes a, lathe_lanes b) {
  return _mm256_permute4x64_epi64(_mm256_hadd_epi32(a, b), 0xd8);
}
#else
#define LATHE_PANEL_MOST 2
LATHE_PANEL_INLINE lathe_lanes lathe_panel_four(const lathe_panel_item* from) {
  int64_t four;
  memcpy(&four, from, sizeof four);
  return _mm_set1_epi64x(four);
}
LATHE_PANEL_INLINE lathe_lanes lathe_panel_pairs(lathe_lanes a, lathe_lanes b) {
  const __m128i low = _mm_unpacklo_epi32(a, b);       /* a0 b0 a1 b1 */
  const __m128i high = _mm_unpackhi_epi32(a, b);      /* a2 b2 a3 b3 */
  const __m128i even = _mm_unpacklo_epi64(low, high); /* a0 b0 a2 b2 */
  const __m128i odd = _mm_unpackhi_epi64(low, high);
  return _mm_shuffle_epi32(_mm_add_epi32(even, odd), 0xd8);
}
#endif
#endif

#if defined(__clang__)
#define LATHE_PANEL_UNROLL _Pragma("clang loop unroll(full)")
#else
#define LATHE_PANEL_UNROLL _Pragma("GCC unroll 5")
#endif
/* The maximum number of rows at once, and of elements of a row that are prepared at a time. */
#define LATHE_PANEL_ROWS 5
#define LATHE_PANEL_CHUNK 256

/* Converts elements of a row for the products, padded to a multiple of four with arbitrary
 * values. With VNNI 128 is added to them, because one operand has to be unsigned. */
LATHE_PANEL_INLINE void lathe_panel_widen(const int8_t* x, const int32_t count,
                                          lathe_panel_item* items) {
  int32_t k = 0;
#if LATHE_PANEL_SPAN == 16
  const __m512i half = _mm512_set1_epi8(-128);
  for (; (k + 64) <= count; k += 64) {
    const __m512i here = _mm512_loadu_si512((const void*)&x[k]);
    _mm512_storeu_si512((void*)&items[k], _mm512_xor_si512(here, half));
  }
  if (k < count) {
    const __mmask64 those = (__mmask64)((UINT64_C(1) << (uint32_t)(count - k)) - 1u);
    const __m512i here = _mm512_maskz_loadu_epi8(those, (const void*)&x[k]);
    _mm512_storeu_si512((void*)&items[k], _mm512_xor_si512(here, half));
  }
#elif LATHE_LANES == 32
  for (; (k + 32) <= count; k += 32) {
    _mm512_storeu_si512((void*)&items[k], lathe_lanes_load(&x[k]));
  }
  if (k < count) {
    const __mmask32 those = (__mmask32)((1u << (uint32_t)(count - k)) - 1u);
    const __m256i here = _mm256_maskz_loadu_epi8(those, (const void*)&x[k]);
    _mm512_storeu_si512((void*)&items[k], _mm512_cvtepi8_epi16(here));
  }
#else
  for (; (k + LATHE_LANES) <= count; k += LATHE_LANES) {
    const lathe_lanes here = lathe_lanes_load(&x[k]);
    memcpy(&items[k], &here, sizeof here);
  }
#if LATHE_LANES == 16
  for (; (k + 8) <= count; k += 8) {
    const __m128i here = _mm_loadl_epi64((const __m128i*)(const void*)&x[k]);
    _mm_storeu_si128((__m128i*)(void*)&items[k], _mm_cvtepi8_epi16(here));
  }
#endif
  for (; k < count; k += 4) {
    const int32_t left = count - k;
    int32_t four = 0;
    __m128i here;
    memcpy(&four, &x[k], (left < 4) ? (size_t)left : sizeof four);
    here = _mm_cvtsi32_si128(four);
    _mm_storel_epi64((__m128i*)(void*)&items[k], _mm_srai_epi16(_mm_unpacklo_epi8(here, here), 8));
  }
#endif
}

LATHE_PANEL_INLINE void lathe_panel_clear(lathe_lanes acc[LATHE_PANEL_ROWS][LATHE_PANEL_MOST]) {
  int32_t r;
  int32_t v;
  LATHE_PANEL_UNROLL
  for (r = 0; r < LATHE_PANEL_ROWS; ++r) {
    LATHE_PANEL_UNROLL
    for (v = 0; v < LATHE_PANEL_MOST; ++v) {
      acc[r][v] = lathe_lanes_none();
    }
  }
}

/* The weights of a vector of columns; panels are `panel` bytes apart. */
LATHE_PANEL_INLINE const int8_t* lathe_panel_vector(const int8_t* w, const int32_t panel,
                                                    const int32_t vector) {
  const int32_t parts = 16 / LATHE_PANEL_SPAN;
  return &w[((vector / parts) * panel) + ((vector % parts) * 4 * LATHE_PANEL_SPAN)];
}

/* Adds the products of rows with vectors of columns, from `first` on. */
LATHE_PANEL_INLINE void lathe_panel_products(
    lathe_panel_item x[LATHE_PANEL_ROWS][LATHE_PANEL_CHUNK], const int32_t rows,
    const int32_t vectors, const int32_t first, const int8_t* w, const int32_t panel,
    const int32_t fours, lathe_lanes acc[LATHE_PANEL_ROWS][LATHE_PANEL_MOST]) {
  const int8_t* from[LATHE_PANEL_MOST];
  int32_t k;
  int32_t r;
  int32_t v;
  LATHE_PANEL_UNROLL
  for (v = 0; v < vectors; ++v) {
    from[v] = lathe_panel_vector(w, panel, first + v);
  }
  for (k = 0; k < fours; ++k) {
    lathe_lanes here[LATHE_PANEL_MOST];
    LATHE_PANEL_UNROLL
    for (v = 0; v < vectors; ++v) {
      here[v] = lathe_panel_load(&from[v][k * 64]);
    }
    LATHE_PANEL_UNROLL
    for (r = 0; r < rows; ++r) {
      const lathe_lanes four = lathe_panel_four(&x[r][4 * k]);
      LATHE_PANEL_UNROLL
      for (v = 0; v < vectors; ++v) {
        acc[r][v] = lathe_panel_add(four, here[v], acc[r][v]);
      }
    }
  }
}

/* Returns the sums of DONE columns, from vector v on. */
LATHE_PANEL_INLINE lathe_lanes lathe_panel_done(const lathe_lanes acc[LATHE_PANEL_MOST],
                                                const int32_t v, const int32_t vectors) {
#if LATHE_PANEL_SPAN == 16
  (void)vectors;
  return acc[v];
#else
  return lathe_panel_pairs(acc[v], ((v + 1) < vectors) ? acc[v + 1] : lathe_lanes_none());
#endif
}

/* Computes for each column what the added 128 contributes to its sums. */
LATHE_PANEL_INLINE void lathe_panel_excess(const int32_t vectors, const int32_t first,
                                           const int8_t* w, const int32_t panel,
                                           const int32_t fours,
                                           lathe_lanes excess[LATHE_PANEL_MOST]) {
#if LATHE_PANEL_SPAN == 16
  const __m512i half = _mm512_set1_epi8(-128);
  int32_t k;
  int32_t v;
  for (v = 0; v < LATHE_PANEL_MOST; ++v) {
    excess[v] = lathe_lanes_none();
  }
  for (k = 0; k < fours; ++k) {
    LATHE_PANEL_UNROLL
    for (v = 0; v < vectors; ++v) {
      const int8_t* const from = lathe_panel_vector(w, panel, first + v);
      excess[v] = lathe_panel_add(half, lathe_panel_load(&from[k * 64]), excess[v]);
    }
  }
#else
  (void)vectors;
  (void)first;
  (void)w;
  (void)panel;
  (void)fours;
  (void)excess;
#endif
}

/* Processes vectors of columns from `first` on for all rows. */
LATHE_PANEL_INLINE void lathe_panel_sums(const int8_t* const x[4], const int32_t rows,
                                         const int8_t* w, const int32_t panels, const int32_t count,
                                         const int32_t first, const int32_t vectors,
                                         int32_t* sums) {
  const int32_t panel = ((count + 3) / 4) * 64;
  lathe_panel_item items[LATHE_PANEL_ROWS][LATHE_PANEL_CHUNK];
  lathe_lanes acc[LATHE_PANEL_ROWS][LATHE_PANEL_MOST];
  lathe_lanes excess[LATHE_PANEL_MOST];
  int32_t k;
  int32_t r;
  int32_t v;
  lathe_panel_clear(acc);
  for (k = 0; k < count; k += LATHE_PANEL_CHUNK) {
    const int32_t left = count - k;
    const int32_t here = (left < LATHE_PANEL_CHUNK) ? left : LATHE_PANEL_CHUNK;
    LATHE_PANEL_UNROLL
    for (r = 0; r < rows; ++r) {
      lathe_panel_widen(&x[r][k], here, items[r]);
    }
    lathe_panel_products(items, rows, vectors, first, &w[k * 16], panel, (here + 3) / 4, acc);
  }
  lathe_panel_excess(vectors, first, w, panel, (count + 3) / 4, excess);
  LATHE_PANEL_UNROLL
  for (r = 0; r < rows; ++r) {
    int32_t* const to = &sums[(r * panels * 16) + (first * LATHE_PANEL_SPAN)];
    LATHE_PANEL_UNROLL
    for (v = 0; v < vectors; v += LATHE_PANEL_DONE / LATHE_PANEL_SPAN) {
      lathe_lanes had;
      memcpy(&had, &to[v * LATHE_PANEL_SPAN], sizeof had);
      had = lathe_lanes_sum(had, lathe_panel_done(acc[r], v, vectors));
#if LATHE_PANEL_SPAN == 16
      had = _mm512_sub_epi32(had, excess[v]);
#endif
      memcpy(&to[v * LATHE_PANEL_SPAN], &had, sizeof had);
    }
  }
}

/* Adds to the sums of the first `rows` of x0 to x3. */
LATHE_PANEL_INLINE void lathe_dot_panels_i8(const int8_t* x0, const int8_t* x1, const int8_t* x2,
                                            const int8_t* x3, const int32_t rows, const int8_t* w,
                                            const int32_t panels, const int32_t count,
                                            int32_t* sums) {
  const int8_t* const x[4] = {x0, x1, x2, x3};
  const int32_t all = panels * (16 / LATHE_PANEL_SPAN);
  const int32_t rest = all % LATHE_PANEL_MOST;
  int32_t first;
  for (first = 0; first < (all - rest); first += LATHE_PANEL_MOST) {
    lathe_panel_sums(x, rows, w, panels, count, first, LATHE_PANEL_MOST, sums);
  }
  if ((rest & 2) != 0) {
    lathe_panel_sums(x, rows, w, panels, count, first, 2, sums);
    first += 2;
  }
  if ((rest & 1) != 0) {
    lathe_panel_sums(x, rows, w, panels, count, first, 1, sums);
  }
}

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
          const int32_t product = (int32_t)x[r][k] * (int32_t)from[4 * c];
          to[c] = (int32_t)((uint32_t)to[c] + (uint32_t)product);
        }
      }
    }
  }
}

#endif

#endif
