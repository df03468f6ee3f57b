/* SPDX-License-Identifier: 0BSD */
/* copy_words.h - copies int8 elements, by words where both addresses allow it. A call of memcpy
 * costs more than a few elements, and that of small C libraries for RISC-V copies bytes. */
#ifndef LATHE_COPY_WORDS_H
#define LATHE_COPY_WORDS_H

#include <stdint.h>
#include <string.h>

#if !defined(__riscv)
/* The number of elements from which on memcpy is faster; on RISC-V it never is. */
#define LATHE_COPY_CALL 32
#endif

static inline void lathe_copy_elements(const int8_t* from, int32_t count, int8_t* to) {
  const int8_t* source = from;
  const int8_t* const end = &from[count];
  int8_t* copy = to;
#if defined(LATHE_COPY_CALL)
  if (count >= LATHE_COPY_CALL) {
    (void)memcpy(to, from, (size_t)count);
    return;
  }
#endif
#if defined(__GNUC__)
  if ((((uintptr_t)from | (uintptr_t)to | (uintptr_t)count) % 4u) == 0u) {
    while (source != end) {
      (void)memcpy(__builtin_assume_aligned(copy, 4), __builtin_assume_aligned(source, 4), 4u);
      source = &source[4];
      copy = &copy[4];
    }
    return;
  }
#endif
  while (source != end) {
    *copy = *source;
    ++source;
    ++copy;
  }
}

#endif
