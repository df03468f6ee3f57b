/* SPDX-License-Identifier: 0BSD */
#include "packed_stream.h"

#include "objects.h"
#include "packed_call.h"

/* The call is its first member, so that their addresses are equal. */
typedef struct stream_call {
  lathe_call call;
  struct CUstream_st* stream;
} stream_call;

static struct CUstream_st* stream_of(lathe_call* call) {
  return ((stream_call*)(void*)call)->stream;
}

int lathe_call_on_stream(lathe_packed_fn fn, const lathe_value* args, size_t num_args, void* memory,
                         size_t memory_size, lathe_parts* parts, struct CUstream_st* stream,
                         lathe_value* result) {
  lathe_host host = lathe_packed_host;
  lathe_call_room elements;
  stream_call on;
  int status;
  elements.memory = (uint8_t*)memory;
  elements.size = memory_size;
  elements.used = 0u;
  on.call = lathe_call_in(parts->words, sizeof parts->words);
  on.call.elements = &elements;
  on.stream = stream;
  host.stream = stream_of;
  *result = lathe_from_null();
  status = fn(&host, &on.call, args, num_args, result);
  lathe_release(on.call.objects);
  return status;
}
