/* SPDX-License-Identifier: 0BSD */
/* quad_rv32.h - sums of products of four rows with four columns (quad_products.h), for 32-bit
 * RISC-V; else empty.
 *
 * Three products add to four sums, because a sum has 24 bits only. The elements a, b, c and d of
 * four rows are packed into three numbers,
 *
 *   a + 2^24 * d,  b + 2^16 * d,  c + 2^8 * d
 *
 * and the sums A, B, C and D of their products are packed in the same way, modulo 2^32. The first
 * has A, and the lowest 8 bits of D. Less those, the second has B, and the next 8 bits of D; less
 * these 16, the third has C and the highest 8. */
#ifndef LATHE_QUAD_RV32_H
#define LATHE_QUAD_RV32_H

#include <stdint.h>

#include "naked.h"
#include "outlined.h"
#include "result_way.h"

#if defined(__GNUC__) && defined(__riscv_mul) && (__riscv_xlen == 32) && !defined(__riscv_32e) && \
    !defined(__riscv_abi_rve)

#define LATHE_QUAD_RV32 1
/* The words of four columns, in turns for each packed number, and room for registers of the caller,
 * so that the assembly needs no stack of its own. */
#define LATHE_QUAD_PACKED 12
#define LATHE_QUAD_KEPT 6
/* clang-format off */
#define LATHE_QUAD_COLUMN(W, A, B, C)              \
  "lb a6, " W "(a2)\n\t"                           \
  "mul a7, a4, a6\n\t"                             \
  "add " A ", " A ", a7\n\t"                       \
  "mul a7, a5, a6\n\t"                             \
  "add " B ", " B ", a7\n\t"                       \
  "mul a7, s0, a6\n\t"                             \
  "add " C ", " C ", a7\n\t"
#define LATHE_QUAD_ELEMENT(A, B, C, W0, W1, W2, W3) \
  "lw a4, " A "(a0)\n\t"                           \
  "lw a5, " B "(a0)\n\t"                           \
  "lw s0, " C "(a0)\n\t"                           \
  LATHE_QUAD_COLUMN(W0, "t0", "t1", "t2")          \
  LATHE_QUAD_COLUMN(W1, "t3", "t4", "t5")          \
  LATHE_QUAD_COLUMN(W2, "t6", "s1", "s2")          \
  LATHE_QUAD_COLUMN(W3, "s3", "s4", "s5")
#define LATHE_QUAD_SAVED(OP)                       \
  OP " s0, 48(a3)\n\t" OP " s1, 52(a3)\n\t"        \
  OP " s2, 56(a3)\n\t" OP " s3, 60(a3)\n\t"        \
  OP " s4, 64(a3)\n\t" OP " s5, 68(a3)\n\t"
/* `x_end - x` is a positive multiple of 12. All 12 sums are in registers, which needs assembly:
 * compilers load many elements ahead, and have too few registers then. */
LATHE_NAKED lathe_quad_packed(LATHE_NAKED_ARGUMENT(const uint32_t*, x),
                              LATHE_NAKED_ARGUMENT(const uint32_t*, x_end),
                              LATHE_NAKED_ARGUMENT(const int8_t*, w),
                              LATHE_NAKED_ARGUMENT(uint32_t*, sums)) {
  __asm__(
      LATHE_QUAD_SAVED("sw")
      "li t0, 0\n\t" "li t1, 0\n\t" "li t2, 0\n\t"
      "li t3, 0\n\t" "li t4, 0\n\t" "li t5, 0\n\t"
      "li t6, 0\n\t" "li s1, 0\n\t" "li s2, 0\n\t"
      "li s3, 0\n\t" "li s4, 0\n\t" "li s5, 0\n\t"
      /* An odd number of four elements begins in the middle of eight. */
      "sub a6, a1, a0\n\t"
      "andi a6, a6, 16\n\t"
      "beqz a6, 1f\n\t"
      "addi a0, a0, -48\n\t"
      "addi a2, a2, -16\n\t"
      "j 2f\n"
      "1:\n\t"
      LATHE_QUAD_ELEMENT("0", "4", "8", "0", "1", "2", "3")
      LATHE_QUAD_ELEMENT("12", "16", "20", "4", "5", "6", "7")
      LATHE_QUAD_ELEMENT("24", "28", "32", "8", "9", "10", "11")
      LATHE_QUAD_ELEMENT("36", "40", "44", "12", "13", "14", "15")
      "2:\n\t"
      LATHE_QUAD_ELEMENT("48", "52", "56", "16", "17", "18", "19")
      LATHE_QUAD_ELEMENT("60", "64", "68", "20", "21", "22", "23")
      LATHE_QUAD_ELEMENT("72", "76", "80", "24", "25", "26", "27")
      LATHE_QUAD_ELEMENT("84", "88", "92", "28", "29", "30", "31")
      "addi a0, a0, 96\n\t"
      "addi a2, a2, 32\n\t"
      "bne a0, a1, 1b\n\t"
      "sw t0, 0(a3)\n\t" "sw t1, 4(a3)\n\t" "sw t2, 8(a3)\n\t"
      "sw t3, 12(a3)\n\t" "sw t4, 16(a3)\n\t" "sw t5, 20(a3)\n\t"
      "sw t6, 24(a3)\n\t" "sw s1, 28(a3)\n\t" "sw s2, 32(a3)\n\t"
      "sw s3, 36(a3)\n\t" "sw s4, 40(a3)\n\t" "sw s5, 44(a3)\n\t"
      LATHE_QUAD_SAVED("lw")
      "ret\n\t");
}
/* clang-format on */

/* Packs one element of four rows. */
LATHE_INLINED void lathe_quad_pack_one(int32_t a, int32_t b, int32_t c, int32_t d, uint32_t* to) {
  to[0] = (uint32_t)a + ((uint32_t)d << 24);
  to[1] = (uint32_t)b + ((uint32_t)d << 16);
  to[2] = (uint32_t)c + ((uint32_t)d << 8);
}
/* Packs four rows with their pieces next to each other, and zeros up to `elements`. */
LATHE_OUTLINED void lathe_quad_pack(const int8_t* x, int32_t step, int32_t pieces, int32_t pitch,
                                    int32_t count, int32_t elements, uint32_t* packed) {
  const uint32_t* const end = &packed[3 * elements];
  uint32_t* to = packed;
  int32_t p;
  for (p = 0; p < pieces; ++p) {
    const int8_t* a = &x[p * pitch];
    const int8_t* b = &a[step];
    const int8_t* c = &b[step];
    const int8_t* d = &c[step];
    const int8_t* const last = &a[count];
    const int8_t* const fours = &a[count - (count % 4)];
    while (a != fours) {
      lathe_quad_pack_one(a[0], b[0], c[0], d[0], to);
      lathe_quad_pack_one(a[1], b[1], c[1], d[1], &to[3]);
      lathe_quad_pack_one(a[2], b[2], c[2], d[2], &to[6]);
      lathe_quad_pack_one(a[3], b[3], c[3], d[3], &to[9]);
      a = &a[4];
      b = &b[4];
      c = &c[4];
      d = &d[4];
      to = &to[12];
    }
    while (a != last) {
      lathe_quad_pack_one(*a, *b, *c, *d, to);
      ++a;
      ++b;
      ++c;
      ++d;
      to = &to[3];
    }
  }
  while (to != end) {
    *to = 0;
    ++to;
  }
}

/* The lowest 24 bits, with their sign. */
LATHE_INLINED int32_t lathe_quad_lowest(uint32_t packed) { return (int32_t)(packed << 8) >> 8; }

/* The result of a sum below 2^29, if it is rounded twice, with a shift `right` of 1 to 22. The high
 * half of the product of four times the sum has one bit more than the rounded product. `round` adds
 * half a unit of both roundings, and the zero point. Negative values go down by a unit of the
 * first, so that their halves are rounded away from zero. With `positive`, negative sums give the
 * lowest result. */
LATHE_INLINED int32_t lathe_quad_result(int32_t sum, int32_t factor, int32_t right, int32_t round,
                                        const int32_t positive, const lathe_result_way way) {
  int32_t value;
  if ((positive != 0) && (sum < 0)) {
    return way.lo;
  }
  if (way.once != 0) {
    value = (int32_t)(((int64_t)sum * factor) >> 32);
  } else {
    value = (int32_t)(((int64_t)(sum * 4) * factor) >> 32);
    value += (positive != 0) ? 0 : (2 * (value >> 31));
  }
  value = (value + round) >> right;
  if ((positive == 0) && (value < way.lo)) {
    value = way.lo;
  }
  return (value < way.hi) ? value : way.hi;
}
/* Stores it. */
LATHE_INLINED void lathe_quad_store(int32_t sum, int32_t factor, int32_t right, int32_t round,
                                    const int32_t positive, const lathe_result_way way,
                                    int8_t* to) {
  int32_t value = lathe_quad_result(sum, factor, right, round, positive, way);
  /* Else gcc converts each of the values to 8 bits, which the store does. */
  __asm__("" : "+r"(value));
  *to = (int8_t)value;
}
/* The numbers of a scale, which is a mantissa and a shift to the right less one, or a factor. */
LATHE_INLINED int32_t lathe_quad_right(const int32_t* scale, const lathe_result_way way) {
  return (way.once != 0) ? way.shift : (scale[1] + 2);
}
LATHE_INLINED int32_t lathe_quad_round(int32_t right, const lathe_result_way way) {
  return (way.once != 0) ? way.start
                         : ((((2 * way.zero) + 1) * (int32_t)((uint32_t)1 << (right - 1))) + 1);
}
/* Whether negative sums give the lowest result. */
LATHE_INLINED int32_t lathe_quad_positive(const lathe_result_way way) {
  return (((way.once != 0) ? (way.start >> way.shift) : way.zero) == way.lo) ? 1 : 0;
}

/* The results of four rows and `count` columns. */
LATHE_INLINED void lathe_quad_results(const uint32_t* sums, int32_t count, const int32_t* bias,
                                      const int32_t* scales, int32_t columns, int32_t each,
                                      const int32_t positive, const lathe_result_way way,
                                      int8_t* out) {
  const int32_t next = ((way.once != 0) ? 1 : 2) * each;
  int32_t i;
  for (i = 0; i < count; ++i) {
    /* Loaded once: a store of bytes may change any memory, as far as compilers know. */
    const int32_t factor = scales[0];
    const int32_t right = lathe_quad_right(scales, way);
    const int32_t round = lathe_quad_round(right, way);
    const int32_t start = bias[i];
    const int32_t a = lathe_quad_lowest(sums[0]);
    const uint32_t d8 = (sums[0] - (uint32_t)a) >> 8;
    const int32_t b = lathe_quad_lowest(sums[1] - d8);
    const uint32_t d16 = (d8 >> 8) + ((sums[1] - d8 - (uint32_t)b) >> 8);
    const int32_t c = lathe_quad_lowest(sums[2] - d16);
    const int32_t d = (int32_t)(sums[2] - (uint32_t)c) >> 8;
    int8_t* to = &out[i];
    lathe_quad_store(a + start, factor, right, round, positive, way, to);
    to = &to[columns];
    lathe_quad_store(b + start, factor, right, round, positive, way, to);
    to = &to[columns];
    lathe_quad_store(c + start, factor, right, round, positive, way, to);
    to = &to[columns];
    lathe_quad_store(d + start, factor, right, round, positive, way, to);
    sums = &sums[3];
    scales = &scales[next];
  }
}

/* Computes four packed rows, with weights for `elements` of them. */
LATHE_INLINED void lathe_quad_packed_rows(const uint32_t* x, const uint32_t* x_end, const int8_t* w,
                                          int32_t elements, const int32_t* bias,
                                          const int32_t* scales, int32_t columns, int32_t each,
                                          const lathe_result_way way, int8_t* out) {
  const int32_t next = ((way.once != 0) ? 1 : 2) * each;
  int32_t c;
  for (c = 0; c < columns; c += 4) {
    uint32_t sums[LATHE_QUAD_PACKED + LATHE_QUAD_KEPT];
    const int32_t left = ((columns - c) < 4) ? (columns - c) : 4;
    lathe_quad_packed(x, x_end, &w[c * elements], sums);
    if (lathe_quad_positive(way) != 0) {
      lathe_quad_results(sums, left, &bias[c], &scales[next * c], columns, each, 1, way, &out[c]);
    } else {
      lathe_quad_results(sums, left, &bias[c], &scales[next * c], columns, each, 0, way, &out[c]);
    }
  }
}
#endif

#endif
