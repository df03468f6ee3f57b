/* SPDX-License-Identifier: 0BSD */
/* bits.h - access to elements that are not whole bytes.
 *
 * Elements are packed without gaps, the first in the low bits: two 4-bit elements per byte, four
 * 6-bit elements in three bytes. A write preserves the other bits of its first and last byte. */
#ifndef LATHE_BITS_H
#define LATHE_BITS_H

#include <stddef.h>
#include <stdint.h>

/* Sign-extends the low 4 bits: ...0111 is 7, ...1000 is -8. */
static inline int8_t lathe_wrap_i4(int32_t value) {
  const uint32_t turned = ((uint32_t)value & 15u) ^ 8u;
  const int32_t number = (int32_t)turned - 8;
  return (int8_t)number;
}

/* Sign-extends the low `width` bits; `width` is at most 64. */
static inline int64_t lathe_wrap_i64(uint64_t value, uint32_t width) {
  const uint32_t places = width - 1u;
  const uint64_t sign = (uint64_t)1u << places;
  const uint64_t bits = value & (sign | (sign - 1u));
  const uint64_t number = (bits ^ sign) - sign;
  return (int64_t)number;
}

/* Clamps to the range of a signed integer of `width` bits, from 2 to 63. */
static inline int64_t lathe_clamp_i64(int64_t value, uint32_t width) {
  const uint32_t places = width - 1u;
  const uint64_t sign = (uint64_t)1u << places;
  const int64_t most = (int64_t)sign - 1;
  int64_t nearest = value;
  if (value > most) {
    nearest = most;
  } else if (value < (-most - 1)) {
    nearest = -most - 1;
  } else {
    /* in range */
  }
  return nearest;
}

static inline uint8_t lathe_u4_at(const uint8_t* data, int64_t index) {
  const size_t at = (size_t)index;
  return (uint8_t)(((uint32_t)data[at / 2u] >> ((at % 2u) * 4u)) & 15u);
}

static inline int8_t lathe_i4_at(const uint8_t* data, int64_t index) {
  return lathe_wrap_i4((int32_t)lathe_u4_at(data, index));
}

static inline void lathe_put_u4(uint8_t* data, int64_t index, uint32_t value) {
  const size_t at = (size_t)index;
  const uint32_t shift = (uint32_t)(at % 2u) * 4u;
  const uint32_t other = (uint32_t)data[at / 2u] & ((uint32_t)0xf0u >> shift);
  data[at / 2u] = (uint8_t)(other | ((value & 15u) << shift));
}

static inline void lathe_put_i4(uint8_t* data, int64_t index, int32_t value) {
  lathe_put_u4(data, index, (uint32_t)value);
}

/* Reads an element of any width up to 64. */
static inline uint64_t lathe_bits_at(const uint8_t* data, uint32_t width, int64_t index) {
  const size_t at = (size_t)index;
  const size_t bit =
      (at % 8u) *
      (size_t)width; /* relative to a whole byte, so that index * width cannot overflow */
  size_t byte = ((at / 8u) * (size_t)width) + (bit / 8u);
  uint32_t skip = (uint32_t)(bit % 8u);
  uint32_t have = 0u;
  uint64_t value = 0u;
  while (have < width) {
    const uint32_t part = (uint32_t)data[byte] >> skip;
    value |= (uint64_t)part << have;
    have += 8u - skip;
    skip = 0u;
    ++byte;
  }
  skip = 64u - width;
  return value & (UINT64_MAX >> skip);
}

static inline void lathe_put_bits(uint8_t* data, uint32_t width, int64_t index, uint64_t value) {
  const size_t at = (size_t)index;
  const size_t bit = (at % 8u) * (size_t)width;
  size_t byte = ((at / 8u) * (size_t)width) + (bit / 8u);
  uint32_t skip = (uint32_t)(bit % 8u);
  uint32_t done = 0u;
  while (done < width) {
    const uint32_t room = 8u - skip;
    const uint32_t left = width - done;
    const uint32_t mask = (0xffu >> (8u - ((left < room) ? left : room))) << skip;
    const uint32_t bits = ((uint32_t)((value >> done) & 0xffu) << skip) & mask;
    data[byte] = (uint8_t)(((uint32_t)data[byte] & ~mask) | bits);
    done += room;
    skip = 0u;
    ++byte;
  }
}

/* Returns the size in bytes of `count` elements; SIZE_MAX on overflow. */
static inline size_t lathe_packed_bytes(size_t count, uint32_t width) {
  const size_t bits = (size_t)width;
  size_t bytes = SIZE_MAX;
  if (count <= (SIZE_MAX / bits)) {
    bytes = ((count / 8u) * bits) + ((((count % 8u) * bits) + 7u) / 8u);
  }
  return bytes;
}

/* Zeroes the bits after the last element, so that equal tensors have equal bytes. */
static inline void lathe_clear_after(uint8_t* data, size_t count, uint32_t width) {
  const uint32_t used = ((uint32_t)(count % 8u) * width) % 8u;
  if (used != 0u) {
    const size_t last = lathe_packed_bytes(count, width) - 1u;
    data[last] = (uint8_t)((uint32_t)data[last] & (0xffu >> (8u - used)));
  }
}

#endif /* LATHE_BITS_H */
