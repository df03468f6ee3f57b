/* SPDX-License-Identifier: 0BSD */
/* packed_stream.h - calls of functions from outside (lathe/extern.h) by models for GPUs. */
#ifndef LATHE_PACKED_STREAM_H
#define LATHE_PACKED_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "lathe/extern.h"
#include "value.h"

#ifdef __cplusplus
extern "C" {
#endif

/* On the host: what a function makes but for elements. It stays as long as its result is used. */
typedef struct lathe_parts {
  uint64_t words[128];
} lathe_parts;

/* Calls `fn`, which enqueues on `stream`. Elements of what it makes lie in `memory`, of the GPU:
 * LATHE_E_MEMORY when that, or `parts`, is full. Objects are released when it returns. */
int lathe_call_on_stream(lathe_packed_fn fn, const lathe_value* args, size_t num_args, void* memory,
                         size_t memory_size, lathe_parts* parts, struct CUstream_st* stream,
                         lathe_value* result);

#ifdef __cplusplus
}
#endif

#endif /* LATHE_PACKED_STREAM_H */
