/* SPDX-License-Identifier: 0BSD */
/* packed.h - calls of functions with the signature of lathe_packed_fn (lathe/extern.h), and what
 * they may make. */
#ifndef LATHE_PACKED_H
#define LATHE_PACKED_H

#include <stddef.h>
#include <stdint.h>

#include "lathe/extern.h"
#include "value.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Calls `fn`. What it makes lies in `memory`: LATHE_E_MEMORY when that is full. Objects are
 * released when it returns. */
int lathe_call_packed(lathe_packed_fn fn, const lathe_value* args, size_t num_args, void* memory,
                      size_t memory_size, lathe_value* result);

/* The same where only the run knows what `fn` gives, and how much: all that it makes is kept in the
 * region, down to `floor`, to the end of the run (LATHE_E_MEMORY when that is reached), and so is
 * what it gives back of arguments that are lent. Objects wait for lathe_end_run. */
int lathe_call_keeping(lathe_packed_fn fn, const lathe_value* args, size_t num_args,
                       lathe_region* region, const uint8_t* floor, lathe_value* result);

/* A tensor, shape or tuple that is there for a call and may be gone, or something else, after it.
 */
lathe_value lathe_lent(lathe_value value);

#ifdef __cplusplus
}
#endif

#endif /* LATHE_PACKED_H */
