/* SPDX-License-Identifier: 0BSD */
/* paired_once.h - the instructions that round the sums of paired_tiles.h once. */
#ifndef LATHE_PAIRED_ONCE_H
#define LATHE_PAIRED_ONCE_H

/* clang-format off */
/* The factor is in r0, the start in r12, the shift in lr. */
#define LATHE_PAIRED_SHIFT "ldr lr, [sp, #44]\n\t"
#define LATHE_PAIRED_FACTOR "ldr r0, [r1]\n\t"
#define LATHE_PAIRED_NEXT_FACTOR(COLUMN) "ldr r0, [r1, #4 * " COLUMN "]\n\t"
#define LATHE_PAIRED_ONCE(SUM, OUT)        \
  "smmla " SUM ", " SUM ", r0, r12\n\t"    \
  "asr " SUM ", " SUM ", lr\n\t"           \
  "ssat " SUM ", #8, " SUM "\n\t"          \
  "strb " SUM ", [" OUT "], #1\n\t"
/* clang-format on */

#endif
