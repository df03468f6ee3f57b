/* SPDX-License-Identifier: 0BSD */
/* paired_twice.h - the instructions that round the sums of paired_tiles.h twice. */
#ifndef LATHE_PAIRED_TWICE_H
#define LATHE_PAIRED_TWICE_H

/* clang-format off */
/* A scale holds twice the mantissa, less 2^32: SMMLAR adds the high half of its product with the
 * sum to the sum, which makes the rounded high half of twice the product of sum and mantissa.
 * Negative values go down by one, so that their halves are rounded away from zero; SSAT makes the
 * last shift. The scale is in r0 and lr, the zero point, doubled and rounded, in r12. */
#define LATHE_PAIRED_SCALE(COLUMN) "ldrd r0, lr, [r1, #8 * " COLUMN "]\n\t"
#define LATHE_PAIRED_TWICE(SUM, OUT)           \
  "smmlar " SUM ", " SUM ", r0, " SUM "\n\t"   \
  "add " SUM ", " SUM ", " SUM ", asr #31\n\t" \
  "asr " SUM ", " SUM ", lr\n\t"               \
  "add " SUM ", " SUM ", r12\n\t"              \
  "ssat " SUM ", #8, " SUM ", asr #1\n\t"      \
  "strb " SUM ", [" OUT "], #1\n\t"
/* clang-format on */

#endif
