/* SPDX-License-Identifier: 0BSD */
/* packed.h - calls of functions with the signature lathe_packed_fn (lathe/extern.h), and the
 * memory for their results. */
#ifndef LATHE_PACKED_H
#define LATHE_PACKED_H

#include <stddef.h>
#include <stdint.h>

#include "lathe/extern.h"
#include "value.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Calls `fn`. Its results are stored in `memory`: LATHE_E_MEMORY if that is too small. Objects
 * are released when it returns. */
int lathe_call_packed(lathe_packed_fn fn, const lathe_value* args, size_t num_args, void* memory,
                      size_t memory_size, lathe_value* result);

/* The same for results of dynamic structure and size. They are kept in the region, which grows
 * down to `floor`, until the end of the run (LATHE_E_MEMORY if it is full); so are returned
 * arguments that were lent. Objects are released by lathe_end_run. */
int lathe_call_keeping(lathe_packed_fn fn, const lathe_value* args, size_t num_args,
                       lathe_region* region, const uint8_t* floor, lathe_value* result);

/* A tensor, shape or tuple that is valid only during a call. */
lathe_value lathe_borrowed(lathe_value value);

#ifdef __cplusplus
}
#endif

#endif /* LATHE_PACKED_H */
