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

static lathe_value empty_value(int32_t kind) {
  lathe_value value;
  (void)memset(&value, 0, sizeof value);
  value.kind = kind;
  return value;
}

static lathe_dtype dtype_of(uint8_t code, uint8_t bits) {
  lathe_dtype dtype;
  dtype.code = code;
  dtype.bits = bits;
  dtype.lanes = 1u;
  return dtype;
}

lathe_value lathe_from_tensor(const void* data, uint8_t code, uint8_t bits, const int64_t* shape,
                              int32_t ndim) {
  lathe_value value = empty_value(LATHE_TENSOR);
  value.as.tensor.data = (void*)(uintptr_t)data;
  value.as.tensor.shape = shape;
  value.as.tensor.ndim = ndim;
  value.as.tensor.dtype = dtype_of(code, bits);
  return value;
}

lathe_value lathe_from_int(int64_t number, uint8_t code, uint8_t bits) {
  lathe_value value = empty_value(code == (uint8_t)LATHE_DT_BOOL ? LATHE_BOOL : LATHE_INT);
  value.dtype = dtype_of(code, bits);
  value.as.i = number;
  return value;
}

lathe_value lathe_from_float(double number, uint8_t code, uint8_t bits) {
  lathe_value value = empty_value(LATHE_FLOAT);
  value.dtype = dtype_of(code, bits);
  value.as.f = number;
  return value;
}

lathe_value lathe_from_string(const char* text, size_t size) {
  lathe_value value = empty_value(LATHE_STRING);
  value.as.string.text = text;
  value.as.string.size = size;
  return value;
}

lathe_value lathe_from_dtype(uint8_t code, uint8_t bits) {
  lathe_value value = empty_value(LATHE_DTYPE);
  value.dtype = dtype_of(code, bits);
  return value;
}

lathe_value lathe_from_shape(const int64_t* dims, int32_t ndim) {
  lathe_value value = empty_value(LATHE_SHAPE);
  value.as.shape.dims = dims;
  value.as.shape.ndim = ndim;
  return value;
}

lathe_value lathe_from_tuple(const lathe_value* fields, size_t size) {
  lathe_value value = empty_value(LATHE_TUPLE);
  value.as.tuple.fields = fields;
  value.as.tuple.size = size;
  return value;
}

lathe_value lathe_from_null(void) { return empty_value(LATHE_NULL); }

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

/* Bytes of the elements; SIZE_MAX when they cannot be counted, or a size is negative. */
static size_t bytes_of(lathe_dtype dtype, const int64_t* shape, int32_t ndim) {
  const size_t bits = dtype.code == (uint8_t)LATHE_DT_BOOL ? 8u : dtype.bits;
  size_t count = 1u;
  int32_t i;
  for (i = 0; i < ndim; ++i) {
    if (shape[i] < 0 || (shape[i] != 0 && count > SIZE_MAX / 16u / (uint64_t)shape[i])) {
      return SIZE_MAX;
    }
    count *= (size_t)shape[i];
  }
  return (count * bits + 7u) / 8u;
}

static int new_tensor(lathe_call* call, lathe_dtype dtype, const int64_t* shape, int32_t ndim,
                      lathe_value* out) {
  lathe_value value = empty_value(LATHE_TENSOR);
  const int status = copied_dims(call, shape, ndim, &value.as.tensor.shape);
  if (status != LATHE_OK) {
    return status;
  }
  value.as.tensor.data = make(call, bytes_of(dtype, value.as.tensor.shape, ndim));
  if (value.as.tensor.data == NULL) {
    return LATHE_E_MEMORY;
  }
  value.as.tensor.ndim = ndim;
  value.as.tensor.dtype = dtype;
  *out = value;
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
  *result = empty_value(LATHE_NULL);
  return fn(&host, &call, args, num_args, result);
}

static int same_dtype(lathe_dtype dtype, uint8_t code, uint8_t bits) {
  if (dtype.code == (uint8_t)LATHE_DT_BOOL && code == dtype.code) {
    return 1;
  }
  return dtype.code == code && dtype.bits == bits && dtype.lanes == 1u;
}

int lathe_take_tensor(const lathe_value* value, void* to, uint8_t code, uint8_t bits,
                      const int64_t* shape, int32_t ndim) {
  const lathe_tensor* tensor = &value->as.tensor;
  int32_t i;
  if (value->kind != LATHE_TENSOR || tensor->ndim != ndim ||
      !same_dtype(tensor->dtype, code, bits)) {
    return LATHE_E_SHAPE;
  }
  for (i = 0; i < ndim; ++i) {
    if (tensor->shape[i] != shape[i]) {
      return LATHE_E_SHAPE;
    }
  }
  if (tensor->data != to) {
    (void)memmove(to, tensor->data, bytes_of(tensor->dtype, shape, ndim));
  }
  return LATHE_OK;
}

int lathe_take_int(const lathe_value* value, uint8_t code, uint8_t bits, int64_t* to) {
  if ((value->kind != LATHE_INT && value->kind != LATHE_BOOL) ||
      !same_dtype(value->dtype, code, bits)) {
    return LATHE_E_SHAPE;
  }
  *to = value->as.i;
  return LATHE_OK;
}

int lathe_take_float(const lathe_value* value, uint8_t code, uint8_t bits, double* to) {
  if (value->kind != LATHE_FLOAT || !same_dtype(value->dtype, code, bits)) {
    return LATHE_E_SHAPE;
  }
  *to = value->as.f;
  return LATHE_OK;
}

int lathe_take_shape(const lathe_value* value, int64_t* dims, int32_t ndim) {
  if (value->kind != LATHE_SHAPE || value->as.shape.ndim != ndim) {
    return LATHE_E_SHAPE;
  }
  if (ndim > 0) {
    (void)memcpy(dims, value->as.shape.dims, (size_t)ndim * sizeof *dims);
  }
  return LATHE_OK;
}

int lathe_take_tuple(const lathe_value* value, const lathe_value** fields, size_t size) {
  if (value->kind == LATHE_NULL && size == 0u) {
    *fields = NULL;
    return LATHE_OK;
  }
  if (value->kind != LATHE_TUPLE || value->as.tuple.size != size) {
    return LATHE_E_SHAPE;
  }
  *fields = value->as.tuple.fields;
  return LATHE_OK;
}
