/* SPDX-License-Identifier: 0BSD */
/* packed_stream.h - calls of external functions (lathe/extern.h) by GPU models. */
#ifndef LATHE_PACKED_STREAM_H
#define LATHE_PACKED_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "lathe/extern.h"
#include "value.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Host memory for the results of a function except elements. It is valid as long as the result
 * is used. */
typedef struct lathe_parts {
  uint64_t words[128];
} lathe_parts;

/* Calls `fn`, which enqueues on `stream`. The elements of its results are stored in `memory` on
 * the GPU: LATHE_E_MEMORY if that, or `parts`, is too small. Objects are released when it
 * returns. */
int lathe_call_on_stream(lathe_packed_fn fn, const lathe_value* args, size_t num_args, void* memory,
                         size_t memory_size, lathe_parts* parts, struct CUstream_st* stream,
                         lathe_value* result);

#ifdef __cplusplus
}
#endif

#endif /* LATHE_PACKED_STREAM_H */
