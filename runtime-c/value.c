/* SPDX-License-Identifier: 0BSD */
#include "value.h"

#include <string.h>

#define LATHE_KEEP_ALIGN 16u

/* Models reserve this number of bytes. */
typedef char value_fits[sizeof(lathe_value) <= 40u ? 1 : -1];

static lathe_value empty_value(int32_t kind) {
  lathe_value value;
  (void)sizeof(value_fits);
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

lathe_value lathe_from_function(int64_t number, const lathe_value* kept, size_t size) {
  lathe_value value = empty_value(LATHE_FUNCTION);
  value.as.function.number = number;
  value.as.function.kept = kept;
  value.as.function.size = size;
  return value;
}

/* No object is larger than PTRDIFF_MAX bytes, so a larger shape is invalid. A size of 0 does not
 * permit an overflow of the others, because models compute their product too. */
size_t lathe_tensor_bytes(lathe_dtype dtype, const int64_t* shape, int32_t ndim) {
  const size_t bits = dtype.code == (uint8_t)LATHE_DT_BOOL ? 8u : dtype.bits;
  const size_t most = bits == 0u ? 0u : (size_t)PTRDIFF_MAX / ((bits + 7u) / 8u);
  size_t count = 1u;
  int is_empty = 0;
  int32_t i;
  if (most == 0u || ndim < 0 || (ndim > 0 && shape == NULL)) {
    return SIZE_MAX;
  }
  for (i = 0; i < ndim; ++i) {
    if (shape[i] < 0 || (uint64_t)shape[i] > most) {
      return SIZE_MAX;
    }
    if (shape[i] == 0) {
      is_empty = 1;
    } else if (count > most / (size_t)shape[i]) {
      return SIZE_MAX;
    } else {
      count *= (size_t)shape[i];
    }
  }
  return is_empty != 0 ? 0u : ((count / 8u) * bits) + ((((count % 8u) * bits) + 7u) / 8u);
}

/* Checks that a tensor has valid pointers to sizes and elements. */
static int check_memory(const lathe_tensor* tensor) {
  size_t bytes;
  if (tensor->ndim > 0 && tensor->shape == NULL) {
    return LATHE_E_NULL;
  }
  bytes = lathe_tensor_bytes(tensor->dtype, tensor->shape, tensor->ndim);
  if (bytes == SIZE_MAX) {
    return LATHE_E_SHAPE;
  }
  return bytes > 0u && tensor->data == NULL ? LATHE_E_NULL : LATHE_OK;
}

static int same_dtype(lathe_dtype dtype, uint8_t code, uint8_t bits) {
  if (dtype.code == (uint8_t)LATHE_DT_BOOL && code == dtype.code) {
    return 1;
  }
  return dtype.code == code && dtype.bits == bits && dtype.lanes == 1u;
}

int lathe_check_sizes(const lathe_value* value, uint8_t code, uint8_t bits, const int64_t* shape,
                      int32_t ndim) {
  int status = lathe_check_tensor(value, code, bits, ndim);
  int32_t i;
  for (i = 0; status == LATHE_OK && i < ndim; ++i) {
    if (value->as.tensor.shape[i] != shape[i]) {
      status = LATHE_E_SHAPE;
    }
  }
  return status;
}

int lathe_take_tensor(const lathe_value* value, void* to, uint8_t code, uint8_t bits,
                      const int64_t* shape, int32_t ndim) {
  const lathe_tensor* tensor = &value->as.tensor;
  const int status = lathe_check_sizes(value, code, bits, shape, ndim);
  size_t bytes;
  if (status != LATHE_OK) {
    return status;
  }
  bytes = lathe_tensor_bytes(tensor->dtype, shape, ndim);
  if (bytes > 0u && tensor->data != to) {
    (void)memmove(to, tensor->data, bytes);
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
    if (value->as.shape.dims == NULL) {
      return LATHE_E_NULL;
    }
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
  return size > 0u && *fields == NULL ? LATHE_E_NULL : LATHE_OK;
}

int lathe_take_function(const lathe_value* value, const lathe_value** kept, size_t size) {
  if (value->kind != LATHE_FUNCTION || value->as.function.size != size) {
    return LATHE_E_SHAPE;
  }
  *kept = value->as.function.kept;
  return size > 0u && *kept == NULL ? LATHE_E_NULL : LATHE_OK;
}

int lathe_check_rank(const lathe_value* value, int32_t ndim) {
  if (value->kind != LATHE_TENSOR || value->as.tensor.ndim != ndim) {
    return LATHE_E_SHAPE;
  }
  return check_memory(&value->as.tensor);
}

int lathe_check_tensor(const lathe_value* value, uint8_t code, uint8_t bits, int32_t ndim) {
  if (lathe_rank(value, code, bits) != (int64_t)ndim) {
    return LATHE_E_SHAPE;
  }
  return check_memory(&value->as.tensor);
}

int64_t lathe_rank(const lathe_value* value, uint8_t code, uint8_t bits) {
  if (value->kind != LATHE_TENSOR || !same_dtype(value->as.tensor.dtype, code, bits)) {
    return -1;
  }
  return value->as.tensor.ndim;
}

int64_t lathe_shape_rank(const lathe_value* value) {
  return value->kind == LATHE_SHAPE ? value->as.shape.ndim : -1;
}

int64_t lathe_function_number(const lathe_value* value) {
  return value->kind == LATHE_FUNCTION ? value->as.function.number : -1;
}

lathe_region lathe_region_of(void* memory, size_t size) {
  lathe_region region;
  region.memory = (uint8_t*)memory;
  region.begin = size;
  region.end = size;
  region.objects = NULL;
  return region;
}

static uintptr_t address_of(const void* pointer) { return (uintptr_t)pointer; }

size_t lathe_room(const lathe_region* region, const uint8_t* from) {
  const size_t used = (size_t)(address_of(from) - address_of(region->memory));
  return used < region->begin ? region->begin - used : 0u;
}

static int is_kept(const lathe_region* region, const void* from) {
  const uintptr_t at = address_of(from);
  return at >= address_of(&region->memory[region->begin]) &&
         at < address_of(&region->memory[region->end]);
}

void* lathe_keep_room(lathe_region* region, const uint8_t* floor, size_t bytes) {
  const size_t room = lathe_room(region, floor);
  size_t begin;
  size_t past;
  if (bytes > room) {
    return NULL;
  }
  begin = region->begin - bytes;
  past = (size_t)(address_of(&region->memory[begin]) % LATHE_KEEP_ALIGN);
  if (past > room - bytes) {
    return NULL;
  }
  region->begin = begin - past;
  return &region->memory[region->begin];
}

/* Returns a copy that is kept; NULL if there is no room. */
static void* kept_copy(lathe_region* region, const uint8_t* floor, const void* from, size_t bytes) {
  void* copy = lathe_keep_room(region, floor, bytes);
  if (copy != NULL && bytes > 0u) {
    (void)memcpy(copy, from, bytes);
  }
  return copy;
}

static int keep_sizes(lathe_region* region, const uint8_t* floor, const int64_t** sizes,
                      int32_t count) {
  if (count > 0 && *sizes == NULL) {
    return LATHE_E_NULL;
  }
  if (count > 0 && !is_kept(region, *sizes)) {
    *sizes = (const int64_t*)kept_copy(region, floor, *sizes, (size_t)count * sizeof **sizes);
    return *sizes == NULL ? LATHE_E_MEMORY : LATHE_OK;
  }
  return LATHE_OK;
}

static int keep_values(lathe_region* region, const uint8_t* floor, const lathe_value** values,
                       size_t size) {
  if (size > 0u && *values == NULL) {
    return LATHE_E_NULL;
  }
  if (size > SIZE_MAX / sizeof **values) {
    return LATHE_E_MEMORY;
  }
  if (size > 0u && !is_kept(region, *values)) {
    *values = (const lathe_value*)kept_copy(region, floor, *values, size * sizeof **values);
    return *values == NULL ? LATHE_E_MEMORY : LATHE_OK;
  }
  return LATHE_OK;
}

static int keep_tensor(lathe_region* region, const uint8_t* floor, lathe_tensor* tensor) {
  const int status = check_memory(tensor);
  size_t bytes;
  if (status != LATHE_OK) {
    return status;
  }
  bytes = lathe_tensor_bytes(tensor->dtype, tensor->shape, tensor->ndim);
  if (bytes > 0u && !is_kept(region, tensor->data)) {
    tensor->data = kept_copy(region, floor, tensor->data, bytes);
    if (tensor->data == NULL) {
      return LATHE_E_MEMORY;
    }
  }
  return keep_sizes(region, floor, &tensor->shape, tensor->ndim);
}

int lathe_keep(lathe_region* region, const uint8_t* floor, lathe_value* value) {
  int status = LATHE_OK;
  if (value->kind == LATHE_TENSOR) {
    status = keep_tensor(region, floor, &value->as.tensor);
  } else if (value->kind == LATHE_SHAPE) {
    status = keep_sizes(region, floor, &value->as.shape.dims, value->as.shape.ndim);
  } else if (value->kind == LATHE_TUPLE) {
    status = keep_values(region, floor, &value->as.tuple.fields, value->as.tuple.size);
  } else if (value->kind == LATHE_FUNCTION) {
    status = keep_values(region, floor, &value->as.function.kept, value->as.function.size);
  } else {
    status = LATHE_OK; /* no memory of its own, or constant */
  }
  return status;
}

int lathe_bind(lathe_region* region, const uint8_t* floor, const lathe_value* function,
               const lathe_value* bound, size_t size, lathe_value* to) {
  const size_t most = (SIZE_MAX / sizeof *bound) / 2u;
  const size_t before = function->as.function.size;
  const lathe_value* kept = function->as.function.kept;
  const int64_t number = function->as.function.number;
  lathe_value* all;
  size_t i;
  if (function->kind != LATHE_FUNCTION) {
    return LATHE_E_SHAPE;
  }
  if (before > 0u && kept == NULL) {
    return LATHE_E_NULL;
  }
  if (size > most || before > most) {
    return LATHE_E_MEMORY;
  }
  all = (lathe_value*)lathe_keep_room(region, floor, (size + before) * sizeof *all);
  if (all == NULL) {
    return LATHE_E_MEMORY;
  }
  for (i = 0u; i < size; ++i) {
    all[i] = bound[i];
  }
  for (i = 0u; i < before; ++i) {
    all[size + i] = kept[i];
  }
  *to = lathe_from_function(number, all, size + before);
  return LATHE_OK;
}
