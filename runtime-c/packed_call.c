/* SPDX-License-Identifier: 0BSD */
#include "packed_call.h"

#include <string.h>

#define LATHE_PACKED_ALIGN 16u
#define LATHE_PACKED_MAX_RANK 64

/* Allocates from the memory; NULL if it is full. */
static void* next_of(lathe_call_room* room, size_t bytes) {
  const size_t past =
      (size_t)((uintptr_t)(const void*)&room->memory[room->used] % LATHE_PACKED_ALIGN);
  const size_t skip = past == 0u ? 0u : LATHE_PACKED_ALIGN - past;
  uint8_t* memory;
  if (room->size - room->used < skip || room->size - room->used - skip < bytes) {
    return NULL;
  }
  memory = &room->memory[room->used + skip];
  room->used += skip + bytes;
  return memory;
}

/* Allocates for the call; NULL if its memory is full. */
static void* make(lathe_call* call, size_t bytes) {
  return call->region != NULL ? lathe_keep_room(call->region, call->floor, bytes)
                              : next_of(&call->room, bytes);
}

/* Copies the sizes. */
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
  size_t bytes;
  void* data;
  if (status != LATHE_OK) {
    return status;
  }
  bytes = lathe_tensor_bytes(dtype, copy, ndim);
  data = call->elements != NULL ? next_of(call->elements, bytes) : make(call, bytes);
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

int lathe_copied_fields(lathe_call* call, const lathe_value* fields, size_t size,
                        const lathe_value** out) {
  lathe_value* copy = NULL;
  lathe_made_tuple* tuple;
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
    tuple = (lathe_made_tuple*)make(call, sizeof *tuple);
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
  status = lathe_copied_fields(call, fields, size, &copy);
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

#ifdef LATHE_ON_ERROR
void LATHE_ON_ERROR(const char* message);
#else
#define LATHE_ON_ERROR(message) ((void)(message))
#endif

static void error(lathe_call* call, const char* message) {
  (void)call;
  LATHE_ON_ERROR(message);
}

const lathe_host lathe_packed_host = {LATHE_API_VERSION, new_tensor, new_shape, new_string,
                                      new_tuple,         new_object, error,     NULL};

lathe_call lathe_call_in(void* memory, size_t memory_size) {
  lathe_call call;
  call.room.memory = (uint8_t*)memory;
  call.room.size = memory_size;
  call.room.used = 0u;
  call.elements = NULL;
  call.region = NULL;
  call.floor = NULL;
  call.tuples = NULL;
  call.objects = NULL;
  return call;
}
