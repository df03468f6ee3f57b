/* SPDX-License-Identifier: 0BSD */
#include "packed.h"

#include <string.h>

#include "objects.h"

#define LATHE_PACKED_ALIGN 16u
#define LATHE_PACKED_MAX_RANK 64

/* The fields of a tuple whose parts may be lent. */
typedef struct made_tuple {
  struct made_tuple* next;
  lathe_value* fields;
  size_t size;
} made_tuple;

/* One call: what it makes lies in a region or, where that is NULL, in memory of its own. */
struct lathe_call {
  uint8_t* memory;
  size_t size;
  size_t used;
  lathe_region* region;
  const uint8_t* floor;
  made_tuple* tuples; /* of a call with a region */
  lathe_made_object* objects;
};

static const uint8_t lent = 0u;

/* The host's member of values that are lent: an address that nothing else has. */
static void* lent_mark(void) { return (void*)(uintptr_t)&lent; }

lathe_value lathe_lent(lathe_value value) {
  lathe_value marked = value;
  marked.ref = lent_mark();
  return marked;
}

/* The next bytes for the call; NULL when there are not as many. */
static void* make(lathe_call* call, size_t bytes) {
  size_t past;
  size_t skip;
  uint8_t* memory;
  if (call->region != NULL) {
    return lathe_keep_room(call->region, call->floor, bytes);
  }
  past = (size_t)((uintptr_t)(const void*)&call->memory[call->used] % LATHE_PACKED_ALIGN);
  skip = past == 0u ? 0u : LATHE_PACKED_ALIGN - past;
  if (call->size - call->used < skip || call->size - call->used - skip < bytes) {
    return NULL;
  }
  memory = &call->memory[call->used + skip];
  call->used += skip + bytes;
  return memory;
}

/* A copy of the sizes. */
static int copied_dims(lathe_call* call, const int64_t* dims, int32_t ndim, const int64_t** out) {
  int64_t* copy;
  if (ndim < 0 || ndim > LATHE_PACKED_MAX_RANK || (ndim > 0 && dims == NULL)) {
    return LATHE_E_ARGUMENT;
  }
  copy = (int64_t*)make(call, (size_t)ndim * sizeof *copy);
  if (copy == NULL) {
    return LATHE_E_MEMORY;
  }
  if (ndim > 0) {
    (void)memcpy(copy, dims, (size_t)ndim * sizeof *copy);
  }
  *out = copy;
  return LATHE_OK;
}

static int new_tensor(lathe_call* call, lathe_dtype dtype, const int64_t* shape, int32_t ndim,
                      lathe_value* out) {
  const int64_t* copy = NULL;
  const int status = copied_dims(call, shape, ndim, &copy);
  void* data;
  if (status != LATHE_OK) {
    return status;
  }
  data = make(call, lathe_tensor_bytes(dtype, copy, ndim));
  if (data == NULL) {
    return LATHE_E_MEMORY;
  }
  *out = lathe_from_tensor(data, dtype.code, dtype.bits, copy, ndim);
  out->as.tensor.dtype = dtype;
  return LATHE_OK;
}

static int new_shape(lathe_call* call, const int64_t* dims, int32_t ndim, lathe_value* out) {
  const int64_t* copy = NULL;
  const int status = copied_dims(call, dims, ndim, &copy);
  if (status == LATHE_OK) {
    *out = lathe_from_shape(copy, ndim);
  }
  return status;
}

static int new_string(lathe_call* call, const char* text, size_t size, lathe_value* out) {
  char* copy;
  if (text == NULL) {
    return LATHE_E_NULL;
  }
  copy = size == SIZE_MAX ? NULL : (char*)make(call, size + 1u);
  if (copy == NULL) {
    return LATHE_E_MEMORY;
  }
  (void)memcpy(copy, text, size);
  copy[size] = '\0';
  *out = lathe_from_string(copy, size);
  return LATHE_OK;
}

/* A copy of the fields, which will be looked through for what is lent. */
static int copied_fields(lathe_call* call, const lathe_value* fields, size_t size,
                         const lathe_value** out) {
  lathe_value* copy = NULL;
  made_tuple* tuple;
  if (size <= SIZE_MAX / sizeof *copy) {
    copy = (lathe_value*)make(call, size * sizeof *copy);
  }
  if (copy == NULL) {
    return LATHE_E_MEMORY;
  }
  if (size > 0u) {
    (void)memcpy(copy, fields, size * sizeof *copy);
  }
  if (call->region != NULL) {
    tuple = (made_tuple*)make(call, sizeof *tuple);
    if (tuple == NULL) {
      return LATHE_E_MEMORY;
    }
    tuple->next = call->tuples;
    tuple->fields = copy;
    tuple->size = size;
    call->tuples = tuple;
  }
  *out = copy;
  return LATHE_OK;
}

static int new_tuple(lathe_call* call, const lathe_value* fields, size_t size, lathe_value* out) {
  const lathe_value* copy = NULL;
  int status;
  if (fields == NULL && size > 0u) {
    return LATHE_E_NULL;
  }
  status = copied_fields(call, fields, size, &copy);
  if (status == LATHE_OK) {
    *out = lathe_from_tuple(copy, size);
  }
  return status;
}

static int new_object(lathe_call* call, void* pointer, const char* kind, void (*release)(void*),
                      lathe_value* out) {
  lathe_made_object* const object =
      kind == NULL ? NULL : (lathe_made_object*)make(call, sizeof *object);
  if (object == NULL) {
    if (release != NULL) {
      release(pointer);
    }
    return kind == NULL ? LATHE_E_NULL : LATHE_E_MEMORY;
  }
  object->pointer = pointer;
  object->release = release;
  object->given = 0;
  object->next = call->objects;
  call->objects = object;
  *out = lathe_from_null();
  out->kind = LATHE_OBJECT;
  out->as.object.pointer = pointer;
  out->as.object.kind = kind;
  return LATHE_OK;
}

static void error(lathe_call* call, const char* message) {
  (void)call;
  (void)message;
}

static const lathe_host host = {LATHE_API_VERSION, new_tensor, new_shape, new_string,
                                new_tuple,         new_object, error};

int lathe_call_packed(lathe_packed_fn fn, const lathe_value* args, size_t num_args, void* memory,
                      size_t memory_size, lathe_value* result) {
  lathe_call call;
  int status;
  call.memory = (uint8_t*)memory;
  call.size = memory_size;
  call.used = 0u;
  call.region = NULL;
  call.floor = NULL;
  call.tuples = NULL;
  call.objects = NULL;
  *result = lathe_from_null();
  status = fn(&host, &call, args, num_args, result);
  lathe_release(call.objects);
  return status;
}

/* What is lent becomes a copy that stays. */
static int settle(lathe_call* call, lathe_value* value) {
  const int is_lent = value->ref == lent_mark() ? 1 : 0;
  value->ref = NULL;
  if (is_lent == 0) {
    return LATHE_OK;
  }
  if (value->kind == LATHE_TUPLE) {
    return copied_fields(call, value->as.tuple.fields, value->as.tuple.size,
                         &value->as.tuple.fields);
  }
  return lathe_keep(call->region, call->floor, value);
}

int lathe_call_keeping(lathe_packed_fn fn, const lathe_value* args, size_t num_args,
                       lathe_region* region, const uint8_t* floor, lathe_value* result) {
  lathe_call call;
  int status;
  call.memory = NULL;
  call.size = 0u;
  call.used = 0u;
  call.region = region;
  call.floor = floor;
  call.tuples = NULL;
  call.objects = region->objects;
  *result = lathe_from_null();
  status = fn(&host, &call, args, num_args, result);
  region->objects = call.objects;
  if (status == LATHE_OK) {
    status = settle(&call, result);
  }
  while (call.tuples != NULL && status == LATHE_OK) {
    const made_tuple* const tuple = call.tuples;
    size_t i;
    call.tuples = tuple->next;
    for (i = 0u; i < tuple->size && status == LATHE_OK; ++i) {
      status = settle(&call, &tuple->fields[i]);
    }
  }
  return status;
}
