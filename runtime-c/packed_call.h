/* SPDX-License-Identifier: 0BSD */
/* packed_call.h - the memory in which a call of an external function creates its results. */
#ifndef LATHE_PACKED_CALL_H
#define LATHE_PACKED_CALL_H

#include <stddef.h>
#include <stdint.h>

#include "lathe/extern.h"
#include "objects.h"
#include "value.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A tuple whose fields may be lent. */
typedef struct lathe_made_tuple {
  struct lathe_made_tuple* next;
  lathe_value* fields;
  size_t size;
} lathe_made_tuple;

typedef struct lathe_call_room {
  uint8_t* memory;
  size_t size;
  size_t used;
} lathe_call_room;

/* One call. Its results are stored in a region or, if that is NULL, in its own memory. */
struct lathe_call {
  lathe_call_room room;
  lathe_call_room* elements; /* of tensors, if they are stored separately; else NULL */
  lathe_region* region;
  const uint8_t* floor;
  lathe_made_tuple* tuples; /* of a call with a region */
  lathe_made_object* objects;
};

/* Initializes a call with its own memory. */
lathe_call lathe_call_in(void* memory, size_t memory_size);

/* Copies the fields, which are then searched for lent values. */
int lathe_copied_fields(lathe_call* call, const lathe_value* fields, size_t size,
                        const lathe_value** out);

/* Creates values of a call in its memory. */
extern const lathe_host lathe_packed_host;

#ifdef __cplusplus
}
#endif

#endif /* LATHE_PACKED_CALL_H */
