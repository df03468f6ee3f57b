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

/* Requantizes three rows of sums (fixed_point.h: lathe_scaled_right), `pitched` numbers apart and
 * padded to four, or one row. */
#if defined(LATHE_HELIUM)

/* clang-format off */
/* Negative values go down by one, so that their halves are rounded away from zero. */
#define LATHE_HELIUM_RESULT(SUMS, OUT)   \
  "vldrw.u32 q0, [" SUMS "], #16\n\t"    \
  "vqrdmulh.s32 q0, q0, q1\n\t"          \
  "vshr.s32 q5, q0, #31\n\t"             \
  "vadd.i32 q0, q0, q5\n\t"              \
  "vrshl.s32 q0, q0, q2\n\t"             \
  "vadd.i32 q0, q0, %[zero]\n\t"         \
  "vmax.s32 q0, q0, %q[lo]\n\t"              \
  "vmin.s32 q0, q0, %q[hi]\n\t"              \
  "vstrb.32 q0, [" OUT "], #4\n\t"
#define LATHE_HELIUM_RESULTS_3           \
  LATHE_HELIUM_RESULT("%[a]", "%[x]")    \
  LATHE_HELIUM_RESULT("%[b]", "%[y]")    \
  LATHE_HELIUM_RESULT("%[c]", "%[z]")
#define LATHE_HELIUM_COLUMNS             \
  "dlstp.32 lr, %[columns]\n"            \
  "1:\n\t"
#define LATHE_HELIUM_ALL                 \
  "ldrd r12, lr, [%[scales]]\n\t"        \
  "vdup.32 q1, r12\n\t"                  \
  "vdup.32 q2, lr\n\t"
#define LATHE_HELIUM_EACH                \
  "vldrw.u32 q1, [%[scales]], #16\n\t"   \
  "vldrw.u32 q2, [%[shifts]], #16\n\t"
#define LATHE_HELIUM_CLOBBERED "r12", "lr", "q0", "q1", "q2", "q5", "memory"
/* clang-format on */

static inline void lathe_helium_requantize_3(const int32_t* a, int32_t pitched,
                                             const int32_t* scales, int32_t columns, int32_t each,
                                             int32_t zero, int32_t lo, int32_t hi, int8_t* x) {
  const int32_t* shifts = &scales[(columns + 3) / 4 * 4];
  const int32_t* b = &a[pitched];
  const int32_t* c = &b[pitched];
  int8_t* y = &x[columns];
  int8_t* z = &y[columns];
  if (each != 0) {
    __asm__ volatile(LATHE_HELIUM_COLUMNS LATHE_HELIUM_EACH LATHE_HELIUM_RESULTS_3 "letp lr, 1b\n\t"
                     : [a] "+r"(a), [b] "+r"(b), [c] "+r"(c), [scales] "+r"(scales),
                       [shifts] "+r"(shifts), [x] "+l"(x), [y] "+l"(y), [z] "+l"(z)
                     : [columns] "r"(columns), [zero] "r"(zero), [lo] "w"(vdupq_n_s32(lo)),
                       [hi] "w"(vdupq_n_s32(hi))
                     : LATHE_HELIUM_CLOBBERED);
  } else {
    __asm__ volatile(LATHE_HELIUM_ALL LATHE_HELIUM_COLUMNS LATHE_HELIUM_RESULTS_3 "letp lr, 1b\n\t"
                     : [a] "+r"(a), [b] "+r"(b), [c] "+r"(c), [x] "+l"(x), [y] "+l"(y), [z] "+l"(z)
                     : [columns] "r"(columns), [zero] "r"(zero), [lo] "w"(vdupq_n_s32(lo)),
                       [hi] "w"(vdupq_n_s32(hi)), [scales] "r"(scales)
                     : LATHE_HELIUM_CLOBBERED);
  }
}
static inline void lathe_helium_requantize_1(const int32_t* a, const int32_t* scales,
                                             int32_t columns, int32_t each, int32_t zero,
                                             int32_t lo, int32_t hi, int8_t* x) {
  const int32_t* shifts = &scales[(columns + 3) / 4 * 4];
  if (each != 0) {
    __asm__ volatile(
        LATHE_HELIUM_COLUMNS LATHE_HELIUM_EACH LATHE_HELIUM_RESULT("%[a]", "%[x]") "letp lr, 1b\n\t"
        : [a] "+r"(a), [scales] "+r"(scales), [shifts] "+r"(shifts), [x] "+l"(x)
        : [columns] "r"(columns), [zero] "r"(zero), [lo] "w"(vdupq_n_s32(lo)),
          [hi] "w"(vdupq_n_s32(hi))
        : LATHE_HELIUM_CLOBBERED);
  } else {
    __asm__ volatile(
        LATHE_HELIUM_ALL LATHE_HELIUM_COLUMNS LATHE_HELIUM_RESULT("%[a]", "%[x]") "letp lr, 1b\n\t"
        : [a] "+r"(a), [x] "+l"(x)
        : [columns] "r"(columns), [zero] "r"(zero), [lo] "w"(vdupq_n_s32(lo)),
          [hi] "w"(vdupq_n_s32(hi)), [scales] "r"(scales)
        : LATHE_HELIUM_CLOBBERED);
  }
}
static inline void lathe_helium_requantize(const int32_t* sums, int32_t rows, int32_t pitched,
                                           const int32_t* scales, int32_t columns, int32_t each,
                                           int32_t zero, int32_t lo, int32_t hi, int8_t* out) {
  if (rows == 3) {
    lathe_helium_requantize_3(sums, pitched, scales, columns, each, zero, lo, hi, out);
  } else {
    lathe_helium_requantize_1(sums, scales, columns, each, zero, lo, hi, out);
  }
}

#else

static inline void lathe_helium_requantize(const int32_t* sums, int32_t rows, int32_t pitched,
                                           const int32_t* scales, int32_t columns, int32_t each,
                                           int32_t zero, int32_t lo, int32_t hi, int8_t* out) {
  const int32_t* const shifts = &scales[(each != 0) ? ((columns + 3) / 4 * 4) : 1];
  int32_t r;
  int32_t c;
  for (r = 0; r < rows; ++r) {
    for (c = 0; c < columns; ++c) {
      const int32_t at = c * each;
      const int32_t sum = sums[(r * pitched) + c];
      const int32_t value = lathe_scaled_right(sum, scales[at], -shifts[at]) + zero;
      const int32_t raised = (value > lo) ? value : lo;
      out[(r * columns) + c] = (int8_t)((raised < hi) ? raised : hi);
    }
  }
}

#endif

#if defined(LATHE_HELIUM)

/* The arguments of the functions below. Four that fill registers come first, so that all others are
 * on the stack, where the code finds them at these offsets. The last nine leave room for registers
 * of the caller: the functions need no stack of their own. */
#define LATHE_HELIUM_UNUSED(TYPE, NAME) TYPE NAME __attribute__((unused))
#define LATHE_HELIUM_ARGUMENTS                                                    \
  LATHE_HELIUM_UNUSED(int32_t, r0), LATHE_HELIUM_UNUSED(int32_t, r1),             \
      LATHE_HELIUM_UNUSED(int32_t, r2), LATHE_HELIUM_UNUSED(int32_t, r3),         \
      LATHE_HELIUM_UNUSED(const int8_t*, x),     /*  0 */                         \
      LATHE_HELIUM_UNUSED(int32_t, pieces),      /*  4 */                         \
      LATHE_HELIUM_UNUSED(int32_t, count),       /*  8 */                         \
      LATHE_HELIUM_UNUSED(int32_t, step),        /* 12 */                         \
      LATHE_HELIUM_UNUSED(int32_t, pitch),       /* 16 */                         \
      LATHE_HELIUM_UNUSED(const int8_t*, w),     /* 20 */                         \
      LATHE_HELIUM_UNUSED(const int32_t*, bias), /* 24 */                         \
      LATHE_HELIUM_UNUSED(int32_t*, sums),       /* 28 */                         \
      LATHE_HELIUM_UNUSED(int32_t*, sums_end),   /* 32: of the first row */       \
      LATHE_HELIUM_UNUSED(int32_t, pitched),     /* 36: bytes of sums of a row */ \
      LATHE_HELIUM_UNUSED(int32_t, r4), LATHE_HELIUM_UNUSED(int32_t, r5),         \
      LATHE_HELIUM_UNUSED(int32_t, r6), LATHE_HELIUM_UNUSED(int32_t, r7),         \
      LATHE_HELIUM_UNUSED(int32_t, r8), LATHE_HELIUM_UNUSED(int32_t, r9),         \
      LATHE_HELIUM_UNUSED(int32_t, r10), LATHE_HELIUM_UNUSED(int32_t, r11),       \
      LATHE_HELIUM_UNUSED(int32_t, lr)
#define LATHE_HELIUM_CALL(FUNCTION, X, PIECES, COUNT, STEP, PITCH, W, BIAS, SUMS, COLUMNS, \
                          PITCHED)                                                         \
  FUNCTION(0, 0, 0, 0, (X), (PIECES), (COUNT), (STEP), (PITCH), (W), (BIAS), (SUMS),       \
           &(SUMS)[((COLUMNS) + 1) / 2 * 2], 4 * (PITCHED), 0, 0, 0, 0, 0, 0, 0, 0, 0)
/* Functions of assembly alone: VMLADAVA adds to even registers, and needs most of them. */
#define LATHE_HELIUM_FUNCTION static __attribute__((naked, noinline, unused)) void

/* The sums of all columns of three rows. Even registers hold sums of two columns, r11 is their
 * place, r7 that of the weights; r1, r3 and r5 are the rows. */
/* clang-format off */
#define LATHE_HELIUM_SIXTEEN_3     \
  "7:\n\t"                         \
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
  "letp lr, 7b\n\t"
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
 * of the next one, r12 the number of pieces that are left. */
LATHE_HELIUM_FUNCTION lathe_helium_pieces_3(LATHE_HELIUM_ARGUMENTS) {
  __asm__(
      LATHE_HELIUM_ENTER_3
      "ldrd r9, r12, [sp, #8]\n\t"
      "ldr r12, [sp, #16]\n\t"
      "add r9, r9, #15\n\t"
      "bic r9, r9, #15\n\t"
      "sub r9, r12, r9\n"
      LATHE_HELIUM_START_3
      "ldrd r1, r12, [sp]\n\t"
      "ldr r5, [sp, #12]\n\t"
      "add r3, r1, r5\n\t"
      "add r5, r3, r5\n"
      "8:\n\t"
      "ldr lr, [sp, #8]\n\t"
      "dlstp.8 lr, lr\n"
      LATHE_HELIUM_SIXTEEN_3
      "add r1, r1, r9\n\t"
      "add r3, r3, r9\n\t"
      "add r5, r5, r9\n\t"
      "subs r12, r12, #1\n\t"
      "bne 8b\n\t"
      LATHE_HELIUM_LEAVE_3);
}

/* Rows of one piece: r9 is their start, r12 their length. */
LATHE_HELIUM_FUNCTION lathe_helium_rows_3(LATHE_HELIUM_ARGUMENTS) {
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
      LATHE_HELIUM_SIXTEEN_3
      LATHE_HELIUM_LEAVE_3);
}
/* clang-format on */

/* The same of one row. */
LATHE_HELIUM_FUNCTION lathe_helium_rows_1(LATHE_HELIUM_ARGUMENTS) {
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
  if ((rows == 3) && (pieces > 1)) {
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
  int32_t r;
  int32_t p;
#if defined(LATHE_HELIUM)
  if (count <= 16) {
    const mve_pred16_t here = vctp8q((uint32_t)count);
    for (r = 0; r < rows; ++r) {
      const int8_t* from = &x[r * step];
      for (p = pieces; p > 0; --p) {
        vstrbq_p_s8(to, vldrbq_z_s8(from, here), here);
        from += pitch;
        to += count;
      }
    }
    return;
  }
#endif
  for (r = 0; r < rows; ++r) {
    for (p = 0; p < pieces; ++p) {
      memcpy(to, &x[(r * step) + (p * pitch)], (size_t)count);
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
    lathe_helium_requantize(scratch, here, pitched, scales, columns, each, zero, lo, hi,
                            &out[at * columns]);
    r = at + here;
  }
}

#endif
