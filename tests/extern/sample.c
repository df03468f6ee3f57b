/* Packed functions for the tests of --extern: every kind of value, in and out, in place or new. */
#include <stdlib.h>
#include <string.h>

#include "lathe/extern.h"

static size_t count(const lathe_tensor* t) {
  size_t n = 1;
  int32_t i;
  for (i = 0; i < t->ndim; ++i) n *= (size_t)t->shape[i];
  return n;
}

static int is_float(const lathe_value* v) {
  return v->kind == LATHE_TENSOR && v->as.tensor.dtype.code == LATHE_DT_FLOAT &&
         v->as.tensor.dtype.bits == 32;
}

/* scale(x, k): x *= k in place, and gives x back. */
static int scale(const lathe_host* host, lathe_call* call, const lathe_value* args, size_t num_args,
                 lathe_value* result) {
  size_t i;
  float* x;
  if (num_args != 2 || !is_float(&args[0]) || args[1].kind != LATHE_FLOAT) {
    host->error(call, "scale takes a float32 tensor and a float");
    return LATHE_E_ARGUMENT;
  }
  x = (float*)args[0].as.tensor.data;
  for (i = 0; i < count(&args[0].as.tensor); ++i) x[i] *= (float)args[1].as.f;
  *result = args[0];
  return LATHE_OK;
}

/* sum_and_shape(x): (the sum as a new tensor, the shape of x, "sum"). */
static int sum_and_shape(const lathe_host* host, lathe_call* call, const lathe_value* args,
                         size_t num_args, lathe_value* result) {
  lathe_value fields[3];
  float sum = 0;
  size_t i;
  int status;
  const lathe_dtype f32 = {LATHE_DT_FLOAT, 32, 1};
  if (num_args != 1 || !is_float(&args[0])) return LATHE_E_ARGUMENT;
  for (i = 0; i < count(&args[0].as.tensor); ++i) {
    sum += ((const float*)args[0].as.tensor.data)[i];
  }
  status = host->new_tensor(call, f32, NULL, 0, &fields[0]);
  if (status != LATHE_OK) return status;
  memcpy(fields[0].as.tensor.data, &sum, sizeof sum);
  status = host->new_shape(call, args[0].as.tensor.shape, args[0].as.tensor.ndim, &fields[1]);
  if (status != LATHE_OK) return status;
  status = host->new_string(call, "sum", 3, &fields[2]);
  if (status != LATHE_OK) return status;
  return host->new_tuple(call, fields, 3, result);
}

/* A counter that lives on the program's side. */
static int counter_new(const lathe_host* host, lathe_call* call, const lathe_value* args,
                       size_t num_args, lathe_value* result) {
  int64_t* counter = (int64_t*)malloc(sizeof *counter);
  (void)args;
  (void)num_args;
  if (counter == NULL) return LATHE_E_MEMORY;
  *counter = 0;
  return host->new_object(call, counter, "counter", free, result);
}

static int counter_next(const lathe_host* host, lathe_call* call, const lathe_value* args,
                        size_t num_args, lathe_value* result) {
  (void)host;
  (void)call;
  if (num_args != 1 || args[0].kind != LATHE_OBJECT ||
      strcmp(args[0].as.object.kind, "counter") != 0) {
    return LATHE_E_ARGUMENT;
  }
  result->kind = LATHE_INT;
  result->dtype.code = LATHE_DT_INT;
  result->dtype.bits = 64;
  result->dtype.lanes = 1;
  result->as.i = ++*(int64_t*)args[0].as.object.pointer;
  return LATHE_OK;
}

/* kinds(...): the kinds of its arguments, as a shape. */
static int kinds(const lathe_host* host, lathe_call* call, const lathe_value* args, size_t num_args,
                 lathe_value* result) {
  int64_t list[32];
  size_t i;
  if (num_args > 32) return LATHE_E_ARGUMENT;
  for (i = 0; i < num_args; ++i) list[i] = args[i].kind;
  return host->new_shape(call, list, (int32_t)num_args, result);
}

/* Gives back what the host never made. */
static int forged(const lathe_host* host, lathe_call* call, const lathe_value* args,
                  size_t num_args, lathe_value* result) {
  (void)host;
  (void)call;
  (void)args;
  (void)num_args;
  result->kind = LATHE_TENSOR;
  return LATHE_OK;
}

static int fails(const lathe_host* host, lathe_call* call, const lathe_value* args, size_t num_args,
                 lathe_value* result) {
  (void)args;
  (void)num_args;
  (void)result;
  host->error(call, "this one always fails");
  return LATHE_E_FAILED;
}

/* lathe.ccl.allreduce(x, op_type, in_group, out): as if there were two workers with equal tensors.
 */
static int allreduce(const lathe_host* host, lathe_call* call, const lathe_value* args,
                     size_t num_args, lathe_value* result) {
  int64_t i, size = 1;
  int sum;
  if (num_args != 4 || args[0].kind != LATHE_TENSOR || args[1].kind != LATHE_STRING ||
      args[2].kind != LATHE_BOOL || args[3].kind != LATHE_TENSOR ||
      args[0].as.tensor.dtype.code != LATHE_DT_FLOAT || args[0].as.tensor.dtype.bits != 32) {
    host->error(call, "lathe.ccl.allreduce takes float32 here");
    return LATHE_E_ARGUMENT;
  }
  sum = strcmp(args[1].as.string.text, "sum") == 0;
  for (i = 0; i < args[0].as.tensor.ndim; ++i) size *= args[0].as.tensor.shape[i];
  for (i = 0; i < size; ++i) {
    const float x = ((const float*)args[0].as.tensor.data)[i];
    ((float*)args[3].as.tensor.data)[i] = sum ? x + x : x;
  }
  result->kind = LATHE_NULL;
  return LATHE_OK;
}

static const lathe_packed functions[] = {{"scale", scale},
                                         {"sum_and_shape", sum_and_shape},
                                         {"counter_new", counter_new},
                                         {"counter_next", counter_next},
                                         {"kinds", kinds},
                                         {"forged", forged},
                                         {"fails", fails},
                                         {"lathe.ccl.allreduce", allreduce},
                                         {NULL, NULL}};

const lathe_packed* lathe_packed_functions(void) { return functions; }
