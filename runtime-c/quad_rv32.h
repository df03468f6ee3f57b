/* SPDX-License-Identifier: 0BSD */
/* quad_rv32.h - sums of products of four rows with four columns (quad_products.h), in assembly for
 * 32-bit RISC-V; else empty. */
#ifndef LATHE_QUAD_RV32_H
#define LATHE_QUAD_RV32_H

#include <stdint.h>

#include "naked.h"

#if defined(__GNUC__) && defined(__riscv_mul) && (__riscv_xlen == 32) && !defined(__riscv_32e) && \
    !defined(__riscv_abi_rve)

#define LATHE_QUAD_RV32 1
/* clang-format off */
#define LATHE_QUAD_SUM(SUM, W)                     \
  "mul t6, t5, " W "\n\t"                          \
  "add " SUM ", " SUM ", t6\n\t"
#define LATHE_QUAD_ROW(K, X, A, B, C, D)           \
  "lb t5, " K "(" X ")\n\t"                        \
  LATHE_QUAD_SUM(A, "t1")                          \
  LATHE_QUAD_SUM(B, "t2")                          \
  LATHE_QUAD_SUM(C, "t3")                          \
  LATHE_QUAD_SUM(D, "t4")
#define LATHE_QUAD_ELEMENT(K, W0, W1, W2, W3)      \
  "lb t1, " W0 "(a4)\n\t"                          \
  "lb t2, " W1 "(a4)\n\t"                          \
  "lb t3, " W2 "(a4)\n\t"                          \
  "lb t4, " W3 "(a4)\n\t"                          \
  LATHE_QUAD_ROW(K, "a0", "s0", "s1", "s2", "s3")  \
  LATHE_QUAD_ROW(K, "a1", "s4", "s5", "s6", "s7")  \
  LATHE_QUAD_ROW(K, "a2", "s8", "s9", "s10", "s11") \
  LATHE_QUAD_ROW(K, "a3", "a6", "a7", "t0", "ra")
#define LATHE_QUAD_KEEP(OP, TO, A, B, C, D, E, F, G, H, I, J, K, L) \
  OP " " A ", 0(" TO ")\n\t" OP " " B ", 4(" TO ")\n\t"             \
  OP " " C ", 8(" TO ")\n\t" OP " " D ", 12(" TO ")\n\t"            \
  OP " " E ", 16(" TO ")\n\t" OP " " F ", 20(" TO ")\n\t"           \
  OP " " G ", 24(" TO ")\n\t" OP " " H ", 28(" TO ")\n\t"           \
  OP " " I ", 32(" TO ")\n\t" OP " " J ", 36(" TO ")\n\t"           \
  OP " " K ", 40(" TO ")\n\t" OP " " L ", 44(" TO ")\n\t"
#define LATHE_QUAD_MOVE(A, B, C, D) \
  "mv " A ", s0\n\t"                \
  "mv " B ", s1\n\t"                \
  "mv " C ", s2\n\t"                \
  "mv " D ", s3\n\t"
/* The sums of four rows. All 16 are in registers, which needs assembly: compilers load many elements
 * ahead, and have too few registers then. */
LATHE_NAKED lathe_quad_four(
    LATHE_NAKED_ARGUMENT(const int8_t*, x0), LATHE_NAKED_ARGUMENT(const int8_t*, x1),
    LATHE_NAKED_ARGUMENT(const int8_t*, x2), LATHE_NAKED_ARGUMENT(const int8_t*, x3),
    LATHE_NAKED_ARGUMENT(const int8_t*, w), LATHE_NAKED_ARGUMENT(const int8_t*, x0_end),
    LATHE_NAKED_ARGUMENT(int32_t*, sums), LATHE_NAKED_ARGUMENT(const int32_t*, bias),
    /* Room for registers of the caller, so that the function needs no stack of its own. */
    LATHE_NAKED_ARGUMENT(int32_t, s0), LATHE_NAKED_ARGUMENT(int32_t, s1),
    LATHE_NAKED_ARGUMENT(int32_t, s2), LATHE_NAKED_ARGUMENT(int32_t, s3),
    LATHE_NAKED_ARGUMENT(int32_t, s4), LATHE_NAKED_ARGUMENT(int32_t, s5),
    LATHE_NAKED_ARGUMENT(int32_t, s6), LATHE_NAKED_ARGUMENT(int32_t, s7),
    LATHE_NAKED_ARGUMENT(int32_t, s8), LATHE_NAKED_ARGUMENT(int32_t, s9),
    LATHE_NAKED_ARGUMENT(int32_t, s10), LATHE_NAKED_ARGUMENT(int32_t, s11),
    LATHE_NAKED_ARGUMENT(int32_t, ra), LATHE_NAKED_ARGUMENT(int32_t, a6)) {
  __asm__(
      LATHE_QUAD_KEEP("sw", "sp", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11")
      "sw ra, 48(sp)\n\t"
      "sw a6, 52(sp)\n\t"
      "lw s0, 0(a7)\n\t"
      "lw s1, 4(a7)\n\t"
      "lw s2, 8(a7)\n\t"
      "lw s3, 12(a7)\n\t"
      LATHE_QUAD_MOVE("s4", "s5", "s6", "s7")
      LATHE_QUAD_MOVE("s8", "s9", "s10", "s11")
      LATHE_QUAD_MOVE("a6", "a7", "t0", "ra")
      "1:\n\t"
      LATHE_QUAD_ELEMENT("0", "0", "1", "2", "3")
      LATHE_QUAD_ELEMENT("1", "4", "5", "6", "7")
      LATHE_QUAD_ELEMENT("2", "8", "9", "10", "11")
      LATHE_QUAD_ELEMENT("3", "12", "13", "14", "15")
      "addi a0, a0, 4\n\t"
      "addi a1, a1, 4\n\t"
      "addi a2, a2, 4\n\t"
      "addi a3, a3, 4\n\t"
      "addi a4, a4, 16\n\t"
      "bne a0, a5, 1b\n\t"
      "lw a0, 52(sp)\n\t"
      LATHE_QUAD_KEEP("sw", "a0", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11")
      "sw a6, 48(a0)\n\t"
      "sw a7, 52(a0)\n\t"
      "sw t0, 56(a0)\n\t"
      "sw ra, 60(a0)\n\t"
      LATHE_QUAD_KEEP("lw", "sp", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11")
      "lw ra, 48(sp)\n\t"
      "ret\n\t");
}
/* clang-format on */

/* The result of a sum below 2^30, so that twice the sum has 32 bits: the high half of its product
 * and the carry of half a unit. */
static inline int8_t lathe_quad_result(int32_t sum, int32_t mantissa, int32_t right, int32_t round,
                                       int32_t lo, int32_t hi) {
  const int64_t product = (int64_t)(sum * 2) * mantissa;
  const int32_t high = (int32_t)(product >> 32) + (int32_t)((uint32_t)product >> 31);
  /* Negative values go down by one, so that their halves are rounded away from zero. */
  const int32_t value = (((high + (high >> 31)) >> right) + round) >> 1;
  const int32_t raised = (value > lo) ? value : lo;
  return (int8_t)((raised < hi) ? raised : hi);
}
#endif

#endif
