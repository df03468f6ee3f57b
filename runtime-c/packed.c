/* SPDX-License-Identifier: 0BSD */
#include "packed.h"

#include <string.h>

#define LATHE_PACKED_ALIGN 16u
#define LATHE_PACKED_MAX_RANK 64

struct lathe_call {
  uint8_t* memory;
  size_t size;
  size_t used;
};

/* The next bytes of the call's memory; NULL when there are not as many. */
static void* make(lathe_call* call, size_t bytes) {
  const size_t past =
      (size_t)((uintptr_t)(const void*)&call->memory[call->used] % LATHE_PACKED_ALIGN);
  const size_t skip = past == 0u ? 0u : LATHE_PACKED_ALIGN - past;
  uint8_t* memory;
  if (call->size - call->used < skip || call->size - call->used - skip < bytes) {
    return NULL;
  }
  memory = &call->memory[call->used + skip];
  call->used += skip + bytes;
  return memory;
}

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

static int new_tuple(lathe_call* call, const lathe_value* fields, size_t size, lathe_value* out) {
  lathe_value* copy = NULL;
  if (fields == NULL && size > 0u) {
    return LATHE_E_NULL;
  }
  if (size <= SIZE_MAX / sizeof *copy) {
    copy = (lathe_value*)make(call, size * sizeof *copy);
  }
  if (copy == NULL) {
    return LATHE_E_MEMORY;
  }
  if (size > 0u) {
    (void)memcpy(copy, fields, size * sizeof *copy);
  }
  *out = lathe_from_tuple(copy, size);
  return LATHE_OK;
}

/* Objects would have to outlive the call, and nothing here does. */
static int new_object(lathe_call* call, void* pointer, const char* kind, void (*release)(void*),
                      lathe_value* out) {
  (void)call;
  (void)kind;
  (void)out;
  if (release != NULL) {
    release(pointer);
  }
  return LATHE_E_ARGUMENT;
}

static void error(lathe_call* call, const char* message) {
  (void)call;
  (void)message;
}

int lathe_call_packed(lathe_packed_fn fn, const lathe_value* args, size_t num_args, void* memory,
                      size_t memory_size, lathe_value* result) {
  static const lathe_host host = {LATHE_API_VERSION, new_tensor, new_shape, new_string,
                                  new_tuple,         new_object, error};
  lathe_call call;
  call.memory = (uint8_t*)memory;
  call.size = memory_size;
  call.used = 0u;
  *result = lathe_from_null();
  return fn(&host, &call, args, num_args, result);
}
