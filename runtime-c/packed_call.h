/* SPDX-License-Identifier: 0BSD */
/* packed_call.h - what a call of a function from outside makes things in. */
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

/* The fields of a tuple whose parts may be lent. */
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

/* One call: what it makes lies in a region or, where that is NULL, in room of its own. */
struct lathe_call {
  lathe_call_room room;
  lathe_call_room* elements; /* of tensors, where they are not with the rest; else NULL */
  lathe_region* region;
  const uint8_t* floor;
  lathe_made_tuple* tuples; /* of a call with a region */
  lathe_made_object* objects;
};

/* A call with room of its own, which has made nothing yet. */
lathe_call lathe_call_in(void* memory, size_t memory_size);

/* A copy of the fields, which will be looked through for what is lent. */
int lathe_copied_fields(lathe_call* call, const lathe_value* fields, size_t size,
                        const lathe_value** out);

/* What makes values of a call, wherever its room is. */
extern const lathe_host lathe_packed_host;

#ifdef __cplusplus
}
#endif

#endif /* LATHE_PACKED_CALL_H */
