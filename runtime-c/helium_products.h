/* SPDX-License-Identifier: 0BSD */
/* helium_products.h - int8 products of rows with weights, requantized, for Arm cores with Helium:
 *
 *   out[r * columns + c] = requantize(bias[c] + the sum over p < pieces and k < count of
 *       x[r * step + p * pitch + k] * weight of column c for (p, k))
 *
 * for r < rows and c < columns. For a convolution, rows are the windows of an image line, and
 * pieces the lines of a window.
 *
 * VMLADAVA adds sixteen products to a sum. Three rows and two columns share their loads. `w` holds,
 * for each pair of columns, sixteen weights of the first and sixteen of the second in turns; those
 * after the end of a piece are 0, and a last column is alone with zeros. Short pieces are gathered
 * to one first (`gathered`). `scales` holds the mantissas of all columns, then the shifts as
 * negative numbers, both padded to four; or, if `each` is 0, one of each. */
#ifndef LATHE_HELIUM_PRODUCTS_H
#define LATHE_HELIUM_PRODUCTS_H

#include <stddef.h>
#include <string.h>

#include "fixed_point.h"

#if defined(__ARM_FEATURE_MVE) && defined(__GNUC__)
#include <arm_mve.h>
#define LATHE_HELIUM 1
#endif

/* Requantizes one row of sums (fixed_point.h: lathe_scaled_right). `sums` is padded to four. */
static inline void lathe_helium_requantize(const int32_t* sums, const int32_t* scales,
                                           int32_t columns, int32_t each, int32_t zero, int32_t lo,
                                           int32_t hi, int8_t* out) {
  const int32_t* const shifts = &scales[(each != 0) ? ((columns + 3) / 4 * 4) : 1];
  int32_t c;
#if defined(LATHE_HELIUM)
  int32x4_t mantissa = vdupq_n_s32(scales[0]);
  int32x4_t shift = vdupq_n_s32(shifts[0]);
  for (c = 0; c < columns; c += 4) {
    int32x4_t sum = vldrwq_s32(&sums[c]);
    if (each != 0) {
      mantissa = vldrwq_s32(&scales[c]);
      shift = vldrwq_s32(&shifts[c]);
    }
    sum = vqrdmulhq_s32(sum, mantissa);
    /* Negative values go down by one, so that their halves are rounded away from zero. */
    sum = vaddq_s32(sum, vshrq_n_s32(sum, 31));
    sum = vaddq_n_s32(vrshlq_s32(sum, shift), zero);
    sum = vminq_s32(vmaxq_s32(sum, vdupq_n_s32(lo)), vdupq_n_s32(hi));
    vstrbq_p_s32(&out[c], sum, vctp32q((uint32_t)(columns - c)));
  }
#else
  for (c = 0; c < columns; ++c) {
    const int32_t at = c * each;
    const int32_t value = lathe_scaled_right(sums[c], scales[at], -shifts[at]) + zero;
    const int32_t raised = (value > lo) ? value : lo;
    out[c] = (int8_t)((raised < hi) ? raised : hi);
  }
#endif
}

/* Adds the products of three rows with the two columns at `w`, or of one row, to sums. Returns the
 * end of the weights. */
static inline const int8_t* lathe_helium_add_3(const int8_t* x, int32_t step, const int8_t* w,
                                               int32_t count, int32_t sums[6]) {
#if defined(LATHE_HELIUM)
  const int8_t* y = &x[step];
  const int8_t* z = &x[2 * step];
  int32_t a = sums[0];
  int32_t b = sums[1];
  int32_t c = sums[2];
  int32_t d = sums[3];
  int32_t e = sums[4];
  int32_t f = sums[5];
  __asm__(
      "dlstp.8 lr, %[count]\n"
      "1:\n\t"
      "vldrb.u8 q3, [%[w]], #16\n\t"
      "vldrb.u8 q0, [%[x]], #16\n\t"
      "vldrb.u8 q1, [%[y]], #16\n\t"
      "vldrb.u8 q2, [%[z]], #16\n\t"
      "vmladava.s8 %[a], q0, q3\n\t"
      "vmladava.s8 %[c], q1, q3\n\t"
      "vmladava.s8 %[e], q2, q3\n\t"
      "vldrb.u8 q3, [%[w]], #16\n\t"
      "vmladava.s8 %[b], q0, q3\n\t"
      "vmladava.s8 %[d], q1, q3\n\t"
      "vmladava.s8 %[f], q2, q3\n\t"
      "letp lr, 1b\n\t"
      : [x] "+r"(x), [y] "+r"(y), [z] "+r"(z), [w] "+r"(w), [a] "+Te"(a), [b] "+Te"(b),
        [c] "+Te"(c), [d] "+Te"(d), [e] "+Te"(e), [f] "+Te"(f)
      : [count] "r"(count)
      : "lr", "q0", "q1", "q2", "q3", "memory");
  sums[0] = a;
  sums[1] = b;
  sums[2] = c;
  sums[3] = d;
  sums[4] = e;
  sums[5] = f;
  return w;
#else
  int32_t k;
  int32_t r;
  for (k = 0; k < count; ++k) {
    const int8_t* const both = &w[((k / 16) * 32) + (k % 16)];
    for (r = 0; r < 3; ++r) {
      sums[2 * r] = (int32_t)((uint32_t)sums[2 * r] + (uint32_t)(x[(r * step) + k] * both[0]));
      sums[(2 * r) + 1] =
          (int32_t)((uint32_t)sums[(2 * r) + 1] + (uint32_t)(x[(r * step) + k] * both[16]));
    }
  }
  return &w[((count + 15) / 16) * 32];
#endif
}
static inline const int8_t* lathe_helium_add_1(const int8_t* x, const int8_t* w, int32_t count,
                                               int32_t sums[2]) {
#if defined(LATHE_HELIUM)
  int32_t a = sums[0];
  int32_t b = sums[1];
  __asm__(
      "dlstp.8 lr, %[count]\n"
      "1:\n\t"
      "vldrb.u8 q0, [%[x]], #16\n\t"
      "vldrb.u8 q1, [%[w]], #16\n\t"
      "vmladava.s8 %[a], q0, q1\n\t"
      "vldrb.u8 q1, [%[w]], #16\n\t"
      "vmladava.s8 %[b], q0, q1\n\t"
      "letp lr, 1b\n\t"
      : [x] "+r"(x), [w] "+r"(w), [a] "+Te"(a), [b] "+Te"(b)
      : [count] "r"(count)
      : "lr", "q0", "q1", "memory");
  sums[0] = a;
  sums[1] = b;
  return w;
#else
  int32_t k;
  for (k = 0; k < count; ++k) {
    const int8_t* const both = &w[((k / 16) * 32) + (k % 16)];
    sums[0] = (int32_t)((uint32_t)sums[0] + (uint32_t)(x[k] * both[0]));
    sums[1] = (int32_t)((uint32_t)sums[1] + (uint32_t)(x[k] * both[16]));
  }
  return &w[((count + 15) / 16) * 32];
#endif
}

/* The sums of all columns of three rows, each `pitched` numbers apart, or of one. */
static inline void lathe_helium_rows_3(const int8_t* x, int32_t step, int32_t pieces, int32_t pitch,
                                       int32_t count, const int8_t* w, const int32_t* bias,
                                       int32_t columns, int32_t pitched, int32_t* sums) {
  int32_t c;
  int32_t p;
  for (c = 0; c < columns; c += 2) {
    int32_t here[6];
    here[0] = here[2] = here[4] = bias[c];
    here[1] = here[3] = here[5] = bias[c + 1];
    for (p = 0; p < pieces; ++p) {
      w = lathe_helium_add_3(&x[p * pitch], step, w, count, here);
    }
    for (p = 0; p < 3; ++p) {
      sums[(p * pitched) + c] = here[2 * p];
      sums[(p * pitched) + c + 1] = here[(2 * p) + 1];
    }
  }
}
static inline void lathe_helium_rows_1(const int8_t* x, int32_t pieces, int32_t pitch,
                                       int32_t count, const int8_t* w, const int32_t* bias,
                                       int32_t columns, int32_t* sums) {
  int32_t c;
  int32_t p;
  for (c = 0; c < columns; c += 2) {
    int32_t here[2];
    here[0] = bias[c];
    here[1] = bias[c + 1];
    for (p = 0; p < pieces; ++p) {
      w = lathe_helium_add_1(&x[p * pitch], w, count, here);
    }
    sums[c] = here[0];
    sums[c + 1] = here[1];
  }
}

/* Copies the pieces of three rows, or of one, next to each other. */
static inline void lathe_helium_gather(const int8_t* x, int32_t rows, int32_t step, int32_t pieces,
                                       int32_t pitch, int32_t count, int8_t* to) {
  int32_t r;
  int32_t p;
  for (r = 0; r < rows; ++r) {
    for (p = 0; p < pieces; ++p) {
      const int8_t* const from = &x[(r * step) + (p * pitch)];
#if defined(LATHE_HELIUM)
      int32_t k;
      for (k = 0; k < count; k += 16) {
        const mve_pred16_t here = vctp8q((uint32_t)(count - k));
        vstrbq_p_s8(&to[k], vldrbq_z_s8(&from[k], here), here);
      }
#else
      memcpy(to, from, (size_t)count);
#endif
      to += count;
    }
  }
}

/* `scratch` holds three rows of sums, each padded to four; and, if `gathered` is 1, the elements of
 * three rows. Biases are padded to two columns. */
#if defined(__GNUC__)
__attribute__((noinline, unused))
#endif
static void
lathe_helium_products_twice_i8(const int8_t* x, const int8_t* w, const int32_t* bias,
                               const int32_t* scales, int32_t* scratch, int32_t rows, int32_t step,
                               int32_t pieces, int32_t pitch, int32_t count, int32_t columns,
                               int32_t each, int32_t gathered, int32_t zero, int32_t lo, int32_t hi,
                               int8_t* out) {
  const int32_t pitched = (columns + 3) / 4 * 4;
  int8_t* const patch = (int8_t*)&scratch[3 * pitched];
  int32_t r = 0;
  int32_t i;
  while (r < rows) {
    /* The last three rows may overlap those before. */
    const int32_t here = (rows >= 3) ? 3 : 1;
    const int32_t at = ((r + here) <= rows) ? r : (rows - here);
    const int8_t* from = &x[at * step];
    int32_t apart = step;
    int32_t parts = pieces;
    int32_t length = count;
    if (gathered != 0) {
      lathe_helium_gather(from, here, step, pieces, pitch, count, patch);
      from = patch;
      apart = pieces * count;
      parts = 1;
      length = apart;
    }
    if (here == 3) {
      lathe_helium_rows_3(from, apart, parts, pitch, length, w, bias, columns, pitched, scratch);
    } else {
      lathe_helium_rows_1(from, parts, pitch, length, w, bias, columns, scratch);
    }
    for (i = 0; i < here; ++i) {
      lathe_helium_requantize(&scratch[i * pitched], scales, columns, each, zero, lo, hi,
                              &out[(at + i) * columns]);
    }
    r = at + here;
  }
}

#endif
