/* SPDX-License-Identifier: 0BSD */
/* helium_results.h - requantizes rows of sums to int8, for Arm cores with Helium, else portable.
 * `scales` holds the mantissas of all columns, then the shifts as negative numbers, both padded to
 * four; or, if `each` is 0, one of each. For one rounding (once_result.h), it holds factors. */
#ifndef LATHE_HELIUM_RESULTS_H
#define LATHE_HELIUM_RESULTS_H

#include "naked.h"
#include "result_way.h"

#if defined(__ARM_FEATURE_MVE) && defined(__GNUC__) && !defined(__ARM_BIG_ENDIAN)
#include <arm_mve.h>
#define LATHE_HELIUM 1
#endif

/* Requantizes three rows of sums, `pitched` numbers apart and padded to four, or one row. */
#if defined(LATHE_HELIUM)

/* clang-format off */
/* With two roundings (fixed_point.h). Negative values go down by one, so that their halves are rounded away from zero. */
#define LATHE_HELIUM_RESULT(SUMS, OUT, ZERO, LO, HI) \
  "vldrw.u32 q0, [" SUMS "], #16\n\t"                \
  "vqrdmulh.s32 q0, q0, q1\n\t"                      \
  "vshr.s32 q3, q0, #31\n\t"                         \
  "vadd.i32 q0, q0, q3\n\t"                          \
  "vrshl.s32 q0, q0, q2\n\t"                         \
  "vadd.i32 q0, q0, " ZERO "\n\t"                    \
  "vmax.s32 q0, q0, " LO "\n\t"                      \
  "vmin.s32 q0, q0, " HI "\n\t"                      \
  "vstrb.32 q0, [" OUT "], #4\n\t"

/* With one; r12 is the negative shift. */
#define LATHE_HELIUM_ONCE(SUMS, OUT, START, LO, HI)  \
  "vldrw.u32 q0, [" SUMS "], #16\n\t"                \
  "vmulh.s32 q0, q0, q1\n\t"                         \
  "vadd.i32 q0, q0, " START "\n\t"                   \
  "vshl.s32 q0, r12\n\t"                             \
  "vmax.s32 q0, q0, " LO "\n\t"                      \
  "vmin.s32 q0, q0, " HI "\n\t"                      \
  "vstrb.32 q0, [" OUT "], #4\n\t"

/* Three rows. Four arguments that fill registers come first, so that all others are on the stack,
 * where the code finds them at these offsets. The last leave room for registers of the caller: the
 * functions need no stack of their own. */
#define LATHE_HELIUM_RESULT_ARGUMENTS                                                              \
  LATHE_NAKED_ARGUMENT(int32_t, r0), LATHE_NAKED_ARGUMENT(int32_t, r1),                            \
      LATHE_NAKED_ARGUMENT(int32_t, r2), LATHE_NAKED_ARGUMENT(int32_t, r3),                        \
      LATHE_NAKED_ARGUMENT(const int32_t*, sums),    /*  0 */                                      \
      LATHE_NAKED_ARGUMENT(int32_t, pitched),        /*  4: bytes of sums of a row */              \
      LATHE_NAKED_ARGUMENT(const int32_t*, scales),  /*  8 */                                      \
      LATHE_NAKED_ARGUMENT(intptr_t, shifts),        /* 12: their address, or the shift */         \
      LATHE_NAKED_ARGUMENT(int8_t*, out),            /* 16 */                                      \
      LATHE_NAKED_ARGUMENT(int32_t, columns),        /* 20 */                                      \
      LATHE_NAKED_ARGUMENT(int32_t, zero),           /* 24: or start */                            \
      LATHE_NAKED_ARGUMENT(int32_t, lo),             /* 28 */                                      \
      LATHE_NAKED_ARGUMENT(int32_t, hi),             /* 32 */                                      \
      LATHE_NAKED_ARGUMENT(int32_t, r4), LATHE_NAKED_ARGUMENT(int32_t, r5), /* 36 */               \
      LATHE_NAKED_ARGUMENT(int32_t, r6), LATHE_NAKED_ARGUMENT(int32_t, r7),                        \
      LATHE_NAKED_ARGUMENT(int32_t, r8), LATHE_NAKED_ARGUMENT(int32_t, r9),                        \
      LATHE_NAKED_ARGUMENT(int32_t, r10), LATHE_NAKED_ARGUMENT(int32_t, r11),                      \
      LATHE_NAKED_ARGUMENT(int32_t, lr),                                                           \
      LATHE_NAKED_ARGUMENT(int32_t, s16), LATHE_NAKED_ARGUMENT(int32_t, s17), /* 72 */             \
      LATHE_NAKED_ARGUMENT(int32_t, s18), LATHE_NAKED_ARGUMENT(int32_t, s19),                      \
      LATHE_NAKED_ARGUMENT(int32_t, s20), LATHE_NAKED_ARGUMENT(int32_t, s21),                      \
      LATHE_NAKED_ARGUMENT(int32_t, s22), LATHE_NAKED_ARGUMENT(int32_t, s23)
#define LATHE_HELIUM_RESULTS_3(RESULT, BEFORE, EACH)            \
  __asm__("add r12, sp, #36\n\t"                                \
          "stm r12, {r4-r11, lr}\n\t"                           \
          "add r12, sp, #72\n\t"                                \
          "vstm r12, {s16-s23}\n\t"                             \
          "ldrd r8, r10, [sp]\n\t"                              \
          "add r9, r8, r10\n\t"                                 \
          "add r10, r9, r10\n\t"                                \
          "ldrd r11, r12, [sp, #8]\n\t"                         \
          "ldrd r0, r3, [sp, #16]\n\t"                          \
          "add r1, r0, r3\n\t"                                  \
          "add r2, r1, r3\n\t"                                  \
          "ldrd r4, r5, [sp, #24]\n\t"                          \
          "ldr r6, [sp, #32]\n\t"                               \
          "vdup.32 q4, r5\n\t"                                  \
          "vdup.32 q5, r6\n\t"                                  \
          BEFORE                                                \
          "dlstp.32 lr, r3\n"                                   \
          "1:\n\t"                                              \
          EACH                                                  \
          RESULT("r8", "r0", "r4", "q4", "q5")                  \
          RESULT("r9", "r1", "r4", "q4", "q5")                  \
          RESULT("r10", "r2", "r4", "q4", "q5")                 \
          "letp lr, 1b\n\t"                                     \
          "add r12, sp, #72\n\t"                                \
          "vldm r12, {s16-s23}\n\t"                             \
          "add r12, sp, #36\n\t"                                \
          "ldm r12, {r4-r11, pc}\n\t")
LATHE_NAKED lathe_helium_results_3_each(LATHE_HELIUM_RESULT_ARGUMENTS) {
  LATHE_HELIUM_RESULTS_3(LATHE_HELIUM_RESULT, "", "vldrw.u32 q1, [r11], #16\n\t"
                                                  "vldrw.u32 q2, [r12], #16\n\t");
}
LATHE_NAKED lathe_helium_results_3_all(LATHE_HELIUM_RESULT_ARGUMENTS) {
  LATHE_HELIUM_RESULTS_3(LATHE_HELIUM_RESULT, "ldr r5, [r11]\n\t"
                                              "ldr r6, [r12]\n\t"
                                              "vdup.32 q1, r5\n\t"
                                              "vdup.32 q2, r6\n\t", "");
}
LATHE_NAKED lathe_helium_once_3_each(LATHE_HELIUM_RESULT_ARGUMENTS) {
  LATHE_HELIUM_RESULTS_3(LATHE_HELIUM_ONCE, "", "vldrw.u32 q1, [r11], #16\n\t");
}
LATHE_NAKED lathe_helium_once_3_all(LATHE_HELIUM_RESULT_ARGUMENTS) {
  LATHE_HELIUM_RESULTS_3(LATHE_HELIUM_ONCE, "ldr r5, [r11]\n\t"
                                            "vdup.32 q1, r5\n\t", "");
}
#define LATHE_HELIUM_CLOBBERED "r12", "lr", "q0", "q1", "q2", "q3", "memory"
/* clang-format on */

/* One row. */
static inline void lathe_helium_results_1(const int32_t* sums, const int32_t* scales,
                                          int32_t columns, int32_t each, int32_t zero, int32_t lo,
                                          int32_t hi, int8_t* out) {
  if (each != 0) {
    const int32_t* shifts = &scales[(columns + 3) / 4 * 4];
    __asm__ volatile(
        "dlstp.32 lr, %[columns]\n"
        "1:\n\t"
        "vldrw.u32 q1, [%[scales]], #16\n\t"
        "vldrw.u32 q2, [%[shifts]], #16\n\t" LATHE_HELIUM_RESULT(
            "%[sums]", "%[out]", "%[zero]", "%q[lo]", "%q[hi]") "letp lr, 1b\n\t"
        : [sums] "+r"(sums), [scales] "+r"(scales), [shifts] "+r"(shifts), [out] "+l"(out)
        : [columns] "r"(columns), [zero] "r"(zero), [lo] "w"(vdupq_n_s32(lo)),
          [hi] "w"(vdupq_n_s32(hi))
        : LATHE_HELIUM_CLOBBERED);
  } else {
    __asm__ volatile(
        "ldrd r12, lr, [%[scales]]\n\t"
        "vdup.32 q1, r12\n\t"
        "vdup.32 q2, lr\n\t"
        "dlstp.32 lr, %[columns]\n"
        "1:\n\t" LATHE_HELIUM_RESULT("%[sums]", "%[out]", "%[zero]", "%q[lo]",
                                     "%q[hi]") "letp lr, 1b\n\t"
        : [sums] "+r"(sums), [out] "+l"(out)
        : [columns] "r"(columns), [zero] "r"(zero), [scales] "r"(scales), [lo] "w"(vdupq_n_s32(lo)),
          [hi] "w"(vdupq_n_s32(hi))
        : LATHE_HELIUM_CLOBBERED);
  }
}
static inline void lathe_helium_once_1(const int32_t* sums, const int32_t* factors, int32_t columns,
                                       int32_t each, int32_t start, int32_t shift, int32_t lo,
                                       int32_t hi, int8_t* out) {
  int32x4_t factor = vdupq_n_s32(factors[0]);
  int32_t c;
  for (c = 0; c < columns; c += 4) {
    int32x4_t value = vldrwq_s32(&sums[c]);
    if (each != 0) {
      factor = vldrwq_s32(&factors[c]);
    }
    value = vaddq_n_s32(vmulhq_s32(value, factor), start);
    value = vshlq_r_s32(value, -shift);
    value = vminq_s32(vmaxq_s32(value, vdupq_n_s32(lo)), vdupq_n_s32(hi));
    vstrbq_p_s32(&out[c], value, vctp32q((uint32_t)(columns - c)));
  }
}
#define LATHE_HELIUM_CALL_3(FUNCTION, SUMS, PITCHED, SCALES, SHIFTS, OUT, COLUMNS, ZERO, LO, HI) \
  FUNCTION(0, 0, 0, 0, (SUMS), 4 * (PITCHED), (SCALES), (intptr_t)(SHIFTS), (OUT), (COLUMNS),    \
           (ZERO), (LO), (HI), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
LATHE_INLINED void lathe_helium_requantize(const int32_t* sums, int32_t rows, int32_t pitched,
                                           const int32_t* scales, int32_t columns, int32_t each,
                                           const lathe_result_way way, int8_t* out) {
  if (way.once != 0) {
    if (rows != 3) {
      lathe_helium_once_1(sums, scales, columns, each, way.start, way.shift, way.lo, way.hi, out);
    } else if (each != 0) {
      LATHE_HELIUM_CALL_3(lathe_helium_once_3_each, sums, pitched, scales, -way.shift, out, columns,
                          way.start, way.lo, way.hi);
    } else {
      LATHE_HELIUM_CALL_3(lathe_helium_once_3_all, sums, pitched, scales, -way.shift, out, columns,
                          way.start, way.lo, way.hi);
    }
  } else if (rows != 3) {
    lathe_helium_results_1(sums, scales, columns, each, way.zero, way.lo, way.hi, out);
  } else if (each != 0) {
    LATHE_HELIUM_CALL_3(lathe_helium_results_3_each, sums, pitched, scales,
                        &scales[(columns + 3) / 4 * 4], out, columns, way.zero, way.lo, way.hi);
  } else {
    LATHE_HELIUM_CALL_3(lathe_helium_results_3_all, sums, pitched, scales, &scales[1], out, columns,
                        way.zero, way.lo, way.hi);
  }
}

#else

LATHE_INLINED void lathe_helium_requantize(const int32_t* sums, int32_t rows, int32_t pitched,
                                           const int32_t* scales, int32_t columns, int32_t each,
                                           const lathe_result_way way, int8_t* out) {
  const int32_t padded = (each != 0) ? ((columns + 3) / 4 * 4) : 1;
  int32_t r;
  int32_t c;
  for (r = 0; r < rows; ++r) {
    for (c = 0; c < columns; ++c) {
      const int32_t at = c * each;
      const int32_t sum = sums[(r * pitched) + c];
      const int32_t right = (way.once != 0) ? 0 : -scales[padded + at];
      out[(r * columns) + c] = lathe_result_by(sum, scales[at], right, way);
    }
  }
}

#endif

#endif
