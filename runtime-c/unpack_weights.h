/* SPDX-License-Identifier: 0BSD */
/* unpack_weights.h - unpacks weights of 4 bits for int8 products, a few columns at a time.
 *
 * Byte j of a word of `packed` holds weight j plus 8 in its low bits and weight j + 4 plus 8 in its
 * high bits. Eight weights of a word become bytes of `out`: for a `kind` of 0 int8; for 1 int8
 * where a weight at an odd place is one less if that before it is negative (paired_products.h); for
 * 2 uint8, 128 more (quad_products.h). Four bytes are computed at once: the sum of each byte, or
 * for pairs of each half word, has no carry. */
#ifndef LATHE_UNPACK_WEIGHTS_H
#define LATHE_UNPACK_WEIGHTS_H

#include <stdint.h>
#include <string.h>

#include "copy_words.h"
#include "outlined.h"

/* Stores the bytes of a word, the lowest first. */
static inline void lathe_store_bytes(uint32_t word, uint8_t* to) {
  to[0] = (uint8_t)(word & 255u);
  to[1] = (uint8_t)((word >> 8) & 255u);
  to[2] = (uint8_t)((word >> 16) & 255u);
  to[3] = (uint8_t)(word >> 24);
}

LATHE_OUTLINED void lathe_unpack_weights_i4(const int32_t* packed, int32_t words, int32_t kind,
                                            void* out) {
  const uint32_t add = (kind == 1) ? 0x77f877f8u : 0x78787878u;
  const uint32_t flip = (kind == 0) ? 0x80808080u : ((kind == 1) ? 0x80008000u : 0u);
  uint8_t* to = (uint8_t*)out;
  int32_t i;
#if defined(__GNUC__) && defined(__BYTE_ORDER__) && (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
  if (((uintptr_t)out % 4u) == 0u) {
    for (i = 0; i < words; ++i) {
      const uint32_t word = (uint32_t)packed[i];
      const uint32_t first = ((word & 0x0f0f0f0fu) + add) ^ flip;
      const uint32_t second = (((word >> 4) & 0x0f0f0f0fu) + add) ^ flip;
      (void)memcpy(__builtin_assume_aligned(to, 4), &first, 4u);
      (void)memcpy(__builtin_assume_aligned(&to[4], 4), &second, 4u);
      to = &to[8];
    }
    return;
  }
#endif
  for (i = 0; i < words; ++i) {
    const uint32_t word = (uint32_t)packed[i];
    lathe_store_bytes(((word & 0x0f0f0f0fu) + add) ^ flip, to);
    lathe_store_bytes((((word >> 4) & 0x0f0f0f0fu) + add) ^ flip, &to[4]);
    to = &to[8];
  }
}

/* Copies the results of rows, which are stored block after block of columns, to whole rows. */
LATHE_OUTLINED void lathe_join_columns_i8(const int8_t* results, int32_t rows, int32_t columns,
                                          int32_t block, int8_t* out) {
  const int8_t* from = results;
  int32_t c;
  for (c = 0; c < columns; c += block) {
    const int32_t width = ((columns - c) < block) ? (columns - c) : block;
    int32_t r;
    for (r = 0; r < rows; ++r) {
      lathe_copy_elements(from, width, &out[(r * columns) + c]);
      from = &from[width];
    }
  }
}

#endif
