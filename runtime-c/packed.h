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

/* Calls `fn`. What it makes lies in `memory`: LATHE_E_MEMORY when that is full. */
int lathe_call_packed(lathe_packed_fn fn, const lathe_value* args, size_t num_args, void* memory,
                      size_t memory_size, lathe_value* result);

#ifdef __cplusplus
}
#endif

#endif /* LATHE_PACKED_H */
