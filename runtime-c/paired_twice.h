/* SPDX-License-Identifier: 0BSD */
/* paired_twice.h - the instructions that round the sums of paired_tiles.h twice. */
#ifndef LATHE_PAIRED_TWICE_H
#define LATHE_PAIRED_TWICE_H

/* clang-format off */
/* The scale is in r0 and lr, whose low byte is the shift; the zero point, doubled and rounded, in
 * r12. SMMLAR adds the high half of the product of sum and scale, twice the mantissa less 2^32, to
 * the sum, which makes the rounded high half of twice the product of sum and mantissa. Negative
 * values go down by one, so that their halves are rounded away from zero; SSAT makes the last
 * shift. */
#define LATHE_PAIRED_SCALE "ldrd r0, lr, [r1]\n\t"
#define LATHE_PAIRED_NEXT_SCALE(COLUMN)   \
  "ldr r0, [r1, #4 + 4 * " COLUMN "]\n\t" \
  "lsr lr, lr, #8\n\t"
#define LATHE_PAIRED_TWICE(SUM, OUT)           \
  "smmlar " SUM ", " SUM ", r0, " SUM "\n\t"   \
  "add " SUM ", " SUM ", " SUM ", asr #31\n\t" \
  "asr " SUM ", " SUM ", lr\n\t"               \
  "add " SUM ", " SUM ", r12\n\t"              \
  "ssat " SUM ", #8, " SUM ", asr #1\n\t"      \
  "strb " SUM ", [" OUT "], #1\n\t"
/* clang-format on */

#endif
