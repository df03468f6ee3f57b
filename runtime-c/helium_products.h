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
 * negative numbers, both padded to four; or, if `each` is 0, one of each. For one rounding
 * (once_result.h), it holds factors. */
#ifndef LATHE_HELIUM_PRODUCTS_H
#define LATHE_HELIUM_PRODUCTS_H

#include <stddef.h>
#include <string.h>

#include "helium_results.h"
#include "outlined.h"

#if defined(LATHE_HELIUM)

/* The arguments of the functions below. Four that fill registers come first, so that all others are
 * on the stack, where the code finds them at these offsets. The last nine leave room for registers
 * of the caller: the functions need no stack of their own. */
#define LATHE_HELIUM_ARGUMENTS                                                     \
  LATHE_NAKED_ARGUMENT(int32_t, r0), LATHE_NAKED_ARGUMENT(int32_t, r1),            \
      LATHE_NAKED_ARGUMENT(int32_t, r2), LATHE_NAKED_ARGUMENT(int32_t, r3),        \
      LATHE_NAKED_ARGUMENT(const int8_t*, x),     /*  0 */                         \
      LATHE_NAKED_ARGUMENT(int32_t, pieces),      /*  4 */                         \
      LATHE_NAKED_ARGUMENT(int32_t, count),       /*  8 */                         \
      LATHE_NAKED_ARGUMENT(int32_t, step),        /* 12 */                         \
      LATHE_NAKED_ARGUMENT(int32_t, pitch),       /* 16 */                         \
      LATHE_NAKED_ARGUMENT(const int8_t*, w),     /* 20 */                         \
      LATHE_NAKED_ARGUMENT(const int32_t*, bias), /* 24 */                         \
      LATHE_NAKED_ARGUMENT(int32_t*, sums),       /* 28 */                         \
      LATHE_NAKED_ARGUMENT(int32_t*, sums_end),   /* 32: of the first row */       \
      LATHE_NAKED_ARGUMENT(int32_t, pitched),     /* 36: bytes of sums of a row */ \
      LATHE_NAKED_ARGUMENT(int32_t, r4), LATHE_NAKED_ARGUMENT(int32_t, r5),        \
      LATHE_NAKED_ARGUMENT(int32_t, r6), LATHE_NAKED_ARGUMENT(int32_t, r7),        \
      LATHE_NAKED_ARGUMENT(int32_t, r8), LATHE_NAKED_ARGUMENT(int32_t, r9),        \
      LATHE_NAKED_ARGUMENT(int32_t, r10), LATHE_NAKED_ARGUMENT(int32_t, r11),      \
      LATHE_NAKED_ARGUMENT(int32_t, lr)
#define LATHE_HELIUM_CALL(FUNCTION, X, PIECES, COUNT, STEP, PITCH, W, BIAS, SUMS, COLUMNS, \
                          PITCHED)                                                         \
  FUNCTION(0, 0, 0, 0, (X), (PIECES), (COUNT), (STEP), (PITCH), (W), (BIAS), (SUMS),       \
           &(SUMS)[((COLUMNS) + 1) / 2 * 2], 4 * (PITCHED), 0, 0, 0, 0, 0, 0, 0, 0, 0)

/* The sums of all columns of three rows. Even registers hold sums of two columns, r11 is their
 * place, r7 that of the weights; r1, r3 and r5 are the rows. */
/* clang-format off */
#define LATHE_HELIUM_SIXTEEN_3(AT) \
  AT ":\n\t"                       \
  "vldrb.u8 q3, [r7], #16\n\t"     \
  "vldrb.u8 q0, [r1], #16\n\t"     \
  "vmladava.s8 r0, q0, q3\n\t"     \
  "vldrb.u8 q1, [r3], #16\n\t"     \
  "vmladava.s8 r4, q1, q3\n\t"     \
  "vldrb.u8 q2, [r5], #16\n\t"     \
  "vmladava.s8 r8, q2, q3\n\t"     \
  "vldrb.u8 q3, [r7], #16\n\t"     \
  "vmladava.s8 r2, q0, q3\n\t"     \
  "vmladava.s8 r6, q1, q3\n\t"     \
  "vmladava.s8 r10, q2, q3\n\t"    \
  "letp lr, " AT "b\n\t"
#define LATHE_HELIUM_ENTER_3       \
  "add r12, sp, #40\n\t"           \
  "stm r12, {r4-r11, lr}\n\t"      \
  "ldr r7, [sp, #20]\n\t"          \
  "ldr r11, [sp, #28]\n\t"
#define LATHE_HELIUM_START_3       \
  "9:\n\t"                         \
  "ldr r1, [sp, #24]\n\t"          \
  "ldrd r0, r2, [r1], #8\n\t"      \
  "str r1, [sp, #24]\n\t"          \
  "mov r4, r0\n\t"                 \
  "mov r6, r2\n\t"                 \
  "mov r8, r0\n\t"                 \
  "mov r10, r2\n\t"
#define LATHE_HELIUM_LEAVE_3       \
  "ldr r1, [sp, #36]\n\t"          \
  "strd r0, r2, [r11], #8\n\t"     \
  "add r3, r11, r1\n\t"            \
  "strd r4, r6, [r3, #-8]\n\t"     \
  "add r3, r3, r1\n\t"             \
  "strd r8, r10, [r3, #-8]\n\t"    \
  "ldr r1, [sp, #32]\n\t"          \
  "cmp r11, r1\n\t"                \
  "bne 9b\n\t"                     \
  "add r12, sp, #40\n\t"           \
  "ldm r12, {r4-r11, pc}\n\t"

/* Rows of several pieces: r9 is the distance from the end of a piece, in whole vectors, to the start
 * of the next one. */
#define LATHE_HELIUM_GAP           \
  "ldr r9, [sp, #8]\n\t"           \
  "ldr r12, [sp, #16]\n\t"         \
  "add r9, r9, #15\n\t"            \
  "bic r9, r9, #15\n\t"            \
  "sub r9, r12, r9\n"
#define LATHE_HELIUM_NEXT          \
  "add r1, r1, r9\n\t"             \
  "add r3, r3, r9\n\t"             \
  "add r5, r5, r9\n\t"

/* Of any number: r12 is that of the pieces that are left. */
LATHE_NAKED lathe_helium_pieces_3(LATHE_HELIUM_ARGUMENTS) {
  __asm__(
      LATHE_HELIUM_ENTER_3
      LATHE_HELIUM_GAP
      LATHE_HELIUM_START_3
      "ldrd r1, r12, [sp]\n\t"
      "ldr r5, [sp, #12]\n\t"
      "add r3, r1, r5\n\t"
      "add r5, r3, r5\n"
      "8:\n\t"
      "ldr lr, [sp, #8]\n\t"
      "dlstp.8 lr, lr\n"
      LATHE_HELIUM_SIXTEEN_3("7")
      LATHE_HELIUM_NEXT
      "subs r12, r12, #1\n\t"
      "bne 8b\n\t"
      LATHE_HELIUM_LEAVE_3);
}

/* Of three, as most windows have: r12 is their length. */
LATHE_NAKED lathe_helium_triples_3(LATHE_HELIUM_ARGUMENTS) {
  __asm__(
      LATHE_HELIUM_ENTER_3
      LATHE_HELIUM_GAP
      "ldr r12, [sp, #8]\n"
      LATHE_HELIUM_START_3
      "ldr r1, [sp]\n\t"
      "ldr r5, [sp, #12]\n\t"
      "add r3, r1, r5\n\t"
      "add r5, r3, r5\n\t"
      "dlstp.8 lr, r12\n"
      LATHE_HELIUM_SIXTEEN_3("8")
      LATHE_HELIUM_NEXT
      "dlstp.8 lr, r12\n"
      LATHE_HELIUM_SIXTEEN_3("7")
      LATHE_HELIUM_NEXT
      "dlstp.8 lr, r12\n"
      LATHE_HELIUM_SIXTEEN_3("6")
      LATHE_HELIUM_LEAVE_3);
}

/* Rows of one piece: r9 is their start, r12 their length. */
LATHE_NAKED lathe_helium_rows_3(LATHE_HELIUM_ARGUMENTS) {
  __asm__(
      LATHE_HELIUM_ENTER_3
      "ldr r9, [sp]\n\t"
      "ldr r12, [sp, #8]\n"
      LATHE_HELIUM_START_3
      "ldr r5, [sp, #12]\n\t"
      "mov r1, r9\n\t"
      "add r3, r1, r5\n\t"
      "add r5, r3, r5\n\t"
      "dlstp.8 lr, r12\n"
      LATHE_HELIUM_SIXTEEN_3("7")
      LATHE_HELIUM_LEAVE_3);
}
/* clang-format on */

/* The same of one row. */
LATHE_NAKED lathe_helium_rows_1(LATHE_HELIUM_ARGUMENTS) {
  __asm__(
      "add r12, sp, #40\n\t"
      "stm r12, {r4-r11, lr}\n\t"
      "ldrd r7, r10, [sp, #20]\n\t"
      "ldr r11, [sp, #28]\n"
      "9:\n\t"
      "ldrd r0, r2, [r10], #8\n\t"
      "ldrd r9, r12, [sp]\n\t"
      "ldrd r3, r5, [sp, #8]\n\t"
      "ldr r6, [sp, #16]\n"
      "8:\n\t"
      "dlstp.8 lr, r3\n\t"
      "mov r1, r9\n"
      "7:\n\t"
      "vldrb.u8 q0, [r1], #16\n\t"
      "vldrb.u8 q1, [r7], #16\n\t"
      "vmladava.s8 r0, q0, q1\n\t"
      "vldrb.u8 q1, [r7], #16\n\t"
      "vmladava.s8 r2, q0, q1\n\t"
      "letp lr, 7b\n\t"
      "add r9, r9, r6\n\t"
      "subs r12, r12, #1\n\t"
      "bne 8b\n\t"
      "strd r0, r2, [r11], #8\n\t"
      "ldr r1, [sp, #32]\n\t"
      "cmp r11, r1\n\t"
      "bne 9b\n\t"
      "add r12, sp, #40\n\t"
      "ldm r12, {r4-r11, pc}\n\t");
}

static inline void lathe_helium_rows(const int8_t* x, int32_t rows, int32_t step, int32_t pieces,
                                     int32_t pitch, int32_t count, const int8_t* w,
                                     const int32_t* bias, int32_t columns, int32_t pitched,
                                     int32_t* sums) {
  if ((rows == 3) && (pieces == 3)) {
    LATHE_HELIUM_CALL(lathe_helium_triples_3, x, pieces, count, step, pitch, w, bias, sums, columns,
                      pitched);
  } else if ((rows == 3) && (pieces > 1)) {
    LATHE_HELIUM_CALL(lathe_helium_pieces_3, x, pieces, count, step, pitch, w, bias, sums, columns,
                      pitched);
  } else if (rows == 3) {
    LATHE_HELIUM_CALL(lathe_helium_rows_3, x, pieces, count, step, pitch, w, bias, sums, columns,
                      pitched);
  } else {
    LATHE_HELIUM_CALL(lathe_helium_rows_1, x, pieces, count, step, pitch, w, bias, sums, columns,
                      pitched);
  }
}

#else

static inline void lathe_helium_rows(const int8_t* x, int32_t rows, int32_t step, int32_t pieces,
                                     int32_t pitch, int32_t count, const int8_t* w,
                                     const int32_t* bias, int32_t columns, int32_t pitched,
                                     int32_t* sums) {
  const int32_t padded = (count + 15) / 16 * 32;
  int32_t r;
  int32_t c;
  int32_t p;
  int32_t k;
  for (r = 0; r < rows; ++r) {
    for (c = 0; c < columns; ++c) {
      uint32_t sum = (uint32_t)bias[c];
      for (p = 0; p < pieces; ++p) {
        const int8_t* const from = &x[(r * step) + (p * pitch)];
        const int8_t* const weights = &w[((((c / 2) * pieces) + p) * padded) + ((c % 2) * 16)];
        for (k = 0; k < count; ++k) {
          sum += (uint32_t)((int32_t)from[k] * weights[((k / 16) * 32) + (k % 16)]);
        }
      }
      sums[(r * pitched) + c] = (int32_t)sum;
    }
  }
}

#endif

/* Copies the pieces of three rows, or of one, next to each other. */
static inline void lathe_helium_gather(const int8_t* x, int32_t rows, int32_t step, int32_t pieces,
                                       int32_t pitch, int32_t count, int8_t* to) {
  int8_t* place = to;
  int32_t r;
  int32_t p;
#if defined(LATHE_HELIUM)
  if (count <= 16) {
    const mve_pred16_t here = vctp8q((uint32_t)count);
    for (r = 0; r < rows; ++r) {
      const int8_t* from = &x[r * step];
      for (p = pieces; p > 0; --p) {
        vstrbq_p_s8(place, vldrbq_z_s8(from, here), here);
        from = &from[pitch];
        place = &place[count];
      }
    }
    return;
  }
#endif
  for (r = 0; r < rows; ++r) {
    for (p = 0; p < pieces; ++p) {
      (void)memcpy(place, &x[(r * step) + (p * pitch)], (size_t)count);
      place = &place[count];
    }
  }
}

/* `scratch` holds three rows of sums, each padded to four; and, if `gathered` is 1, the elements of
 * three rows. Biases are padded to two columns. */
LATHE_INLINED void lathe_helium_products(const int8_t* x, const int8_t* w, const int32_t* bias,
                                         const int32_t* scales, int32_t* scratch, int32_t rows,
                                         int32_t step, int32_t pieces, int32_t pitch, int32_t count,
                                         int32_t columns, int32_t each, int32_t gathered,
                                         const lathe_result_way way, int8_t* out) {
  const int32_t pitched = (columns + 3) / 4 * 4;
  int8_t* const patch = (int8_t*)&scratch[((rows >= 3) ? 3 : 1) * pitched];
  int32_t r = 0;
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
    lathe_helium_rows(from, here, apart, parts, pitch, length, w, bias, columns, pitched, scratch);
    lathe_helium_requantize(scratch, here, pitched, scales, columns, each, way, &out[at * columns]);
    r = at + here;
  }
}

/* With two roundings, and with one. */
LATHE_OUTLINED void lathe_helium_products_twice_i8(
    const int8_t* x, const int8_t* w, const int32_t* bias, const int32_t* scales, int32_t* scratch,
    int32_t rows, int32_t step, int32_t pieces, int32_t pitch, int32_t count, int32_t columns,
    int32_t each, int32_t gathered, int32_t zero, int32_t lo, int32_t hi, int8_t* out) {
  const lathe_result_way way = {0, zero, 0, 0, lo, hi};
  lathe_helium_products(x, w, bias, scales, scratch, rows, step, pieces, pitch, count, columns,
                        each, gathered, way, out);
}
LATHE_OUTLINED void lathe_helium_products_once_i8(const int8_t* x, const int8_t* w,
                                                  const int32_t* bias, const int32_t* factors,
                                                  int32_t* scratch, int32_t rows, int32_t step,
                                                  int32_t pieces, int32_t pitch, int32_t count,
                                                  int32_t columns, int32_t each, int32_t gathered,
                                                  int32_t start, int32_t shift, int32_t lo,
                                                  int32_t hi, int8_t* out) {
  const lathe_result_way way = {1, 0, start, shift, lo, hi};
  lathe_helium_products(x, w, bias, factors, scratch, rows, step, pieces, pitch, count, columns,
                        each, gathered, way, out);
}

#endif
