/* SPDX-License-Identifier: 0BSD */
/* copy_words.h - copies int8 elements, by words where both addresses allow it. A call of memcpy
 * costs more than a few elements, and that of small C libraries for RISC-V copies bytes. */
#ifndef LATHE_COPY_WORDS_H
#define LATHE_COPY_WORDS_H

#include <stdint.h>
#include <string.h>

/* The number of elements from which on memcpy is faster. */
#if defined(__riscv)
#define LATHE_COPY_CALL INT32_MAX
#else
#define LATHE_COPY_CALL 32
#endif

static inline void lathe_copy_elements(const int8_t* from, int32_t count, int8_t* to) {
  const int8_t* const end = &from[count];
  if (count >= LATHE_COPY_CALL) {
    (void)memcpy(to, from, (size_t)count);
    return;
  }
#if defined(__GNUC__)
  if ((((uintptr_t)from | (uintptr_t)to | (uintptr_t)count) % 4u) == 0u) {
    while (from != end) {
      (void)memcpy(__builtin_assume_aligned(to, 4), __builtin_assume_aligned(from, 4), 4u);
      from += 4;
      to += 4;
    }
    return;
  }
#endif
  while (from != end) {
    *to = *from;
    ++from;
    ++to;
  }
}

#endif
