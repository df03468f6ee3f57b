/* SPDX-License-Identifier: 0BSD */
#include "packed.h"

#include <string.h>

#include "objects.h"
#include "packed_call.h"

static const uint8_t lent = 0u;

/* Marks lent values by a unique address in their host member. */
static void* lent_mark(void) {
  const void* const address = &lent;
  void* mark;
  (void)memcpy(&mark, &address, sizeof mark); /* the member may not be const; never written to */
  return mark;
}

lathe_value lathe_borrowed(lathe_value value) {
  lathe_value marked = value;
  marked.ref = lent_mark();
  return marked;
}

int lathe_call_packed(lathe_packed_fn fn, const lathe_value* args, size_t num_args, void* memory,
                      size_t memory_size, lathe_value* result) {
  lathe_call call = lathe_call_in(memory, memory_size);
  int status;
  *result = lathe_from_null();
  status = fn(&lathe_packed_host, &call, args, num_args, result);
  lathe_release(call.objects);
  return status;
}

/* Replaces lent values by copies that stay. */
static int settle(lathe_call* call, lathe_value* value) {
  const int is_lent = value->ref == lent_mark() ? 1 : 0;
  value->ref = NULL;
  if (is_lent == 0) {
    return LATHE_OK;
  }
  if (value->kind == LATHE_TUPLE) {
    return lathe_copied_fields(call, value->as.tuple.fields, value->as.tuple.size,
                               &value->as.tuple.fields);
  }
  return lathe_keep(call->region, call->floor, value);
}

int lathe_call_keeping(lathe_packed_fn fn, const lathe_value* args, size_t num_args,
                       lathe_region* region, const uint8_t* floor, lathe_value* result) {
  lathe_call call = lathe_call_in(NULL, 0u);
  int status;
  call.region = region;
  call.floor = floor;
  call.objects = region->objects;
  *result = lathe_from_null();
  status = fn(&lathe_packed_host, &call, args, num_args, result);
  region->objects = call.objects;
  if (status == LATHE_OK) {
    status = settle(&call, result);
  }
  while (call.tuples != NULL && status == LATHE_OK) {
    const lathe_made_tuple* const tuple = call.tuples;
    size_t i;
    call.tuples = tuple->next;
    for (i = 0u; i < tuple->size && status == LATHE_OK; ++i) {
      status = settle(&call, &tuple->fields[i]);
    }
  }
  return status;
}
