/* Packed functions that programs of TVM's tests call by name, as far as the tests say what they do:
 * compare_pairs.py has them loaded by `lathe run --extern`. Those that only stand for something
 * give the sum of their tensors. A function called with a destination has it as its last argument.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
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

typedef float (*combine_fn)(float before, float next);
static float plus(float a, float b) { return a + b; }
static float times(float a, float b) { return a * b; }

/* All arguments into `to`, element by element; those with fewer elements start over. */
static int fold(const lathe_value* args, size_t num_args, combine_fn f, const lathe_tensor* to) {
  float* out = (float*)to->data;
  size_t i, k, n = count(to);
  for (k = 0; k < num_args; ++k) {
    const float* x = (const float*)args[k].as.tensor.data;
    size_t size;
    if (!is_float(&args[k])) return LATHE_E_ARGUMENT;
    size = count(&args[k].as.tensor);
    for (i = 0; i < n && size > 0; ++i) out[i] = k == 0 ? x[i % size] : f(out[i], x[i % size]);
  }
  return LATHE_OK;
}

static int fresh(const lathe_host* host, lathe_call* call, const lathe_value* args, size_t num_args,
                 lathe_value* result) {
  if (num_args == 0 || !is_float(&args[0])) return LATHE_E_ARGUMENT;
  return host->new_tensor(call, args[0].as.tensor.dtype, args[0].as.tensor.shape,
                          args[0].as.tensor.ndim, result);
}

static int add(const lathe_host* host, lathe_call* call, const lathe_value* args, size_t num_args,
               lathe_value* result) {
  int rc = fresh(host, call, args, num_args, result);
  return rc != LATHE_OK ? rc : fold(args, num_args, plus, &result->as.tensor);
}

static int multiply(const lathe_host* host, lathe_call* call, const lathe_value* args,
                    size_t num_args, lathe_value* result) {
  int rc = fresh(host, call, args, num_args, result);
  return rc != LATHE_OK ? rc : fold(args, num_args, times, &result->as.tensor);
}

static int add_into(const lathe_host* host, lathe_call* call, const lathe_value* args,
                    size_t num_args, lathe_value* result) {
  (void)host, (void)call, (void)result;
  if (num_args < 2 || !is_float(&args[num_args - 1])) return LATHE_E_ARGUMENT;
  return fold(args, num_args - 1, plus, &args[num_args - 1].as.tensor);
}

/* Called with and without a destination: two tensors are x and that. */
static int sigmoid(const lathe_host* host, lathe_call* call, const lathe_value* args,
                   size_t num_args, lathe_value* result) {
  const lathe_tensor* to = &args[num_args > 1 ? 1 : 0].as.tensor;
  size_t i;
  if (num_args == 0 || !is_float(&args[0])) return LATHE_E_ARGUMENT;
  if (num_args == 1) {
    int rc = fresh(host, call, args, num_args, result);
    if (rc != LATHE_OK) return rc;
    to = &result->as.tensor;
  }
  for (i = 0; i < count(to); ++i) {
    ((float*)to->data)[i] = 1 / (1 + expf(-((const float*)args[0].as.tensor.data)[i]));
  }
  return LATHE_OK;
}

static int relu(const lathe_host* host, lathe_call* call, const lathe_value* args, size_t num_args,
                lathe_value* result) {
  size_t i;
  int rc = fresh(host, call, args, num_args, result);
  if (rc != LATHE_OK) return rc;
  for (i = 0; i < count(&result->as.tensor); ++i) {
    const float x = ((const float*)args[0].as.tensor.data)[i];
    ((float*)result->as.tensor.data)[i] = x > 0 ? x : 0;
  }
  return LATHE_OK;
}

/* x @ y of matrices. */
static int product(const lathe_host* host, lathe_call* call, const lathe_value* args,
                   size_t num_args, lathe_value* result) {
  const lathe_tensor *x = &args[0].as.tensor, *y = &args[1].as.tensor;
  int64_t shape[2], i, j, k;
  int rc;
  if (num_args != 2 || !is_float(&args[0]) || !is_float(&args[1]) || x->ndim != 2 || y->ndim != 2 ||
      x->shape[1] != y->shape[0]) {
    return LATHE_E_ARGUMENT;
  }
  shape[0] = x->shape[0], shape[1] = y->shape[1];
  rc = host->new_tensor(call, x->dtype, shape, 2, result);
  if (rc != LATHE_OK) return rc;
  for (i = 0; i < shape[0]; ++i) {
    for (j = 0; j < shape[1]; ++j) {
      float sum = 0;
      for (k = 0; k < x->shape[1]; ++k) {
        sum += ((const float*)x->data)[i * x->shape[1] + k] *
               ((const float*)y->data)[k * shape[1] + j];
      }
      ((float*)result->as.tensor.data)[i * shape[1] + j] = sum;
    }
  }
  return LATHE_OK;
}

/* weights @ state + bias, called with the state first. */
static int fma_of_vector(const lathe_host* host, lathe_call* call, const lathe_value* args,
                         size_t num_args, lathe_value* result) {
  int64_t n, i, k;
  int rc = fresh(host, call, args, num_args, result);
  if (rc != LATHE_OK) return rc;
  n = (int64_t)count(&args[0].as.tensor);
  if (num_args != 3 || !is_float(&args[1]) || !is_float(&args[2]) ||
      count(&args[1].as.tensor) != (size_t)(n * n) || count(&args[2].as.tensor) != (size_t)n) {
    return LATHE_E_ARGUMENT;
  }
  for (i = 0; i < n; ++i) {
    float sum = 0;
    for (k = 0; k < n; ++k) {
      sum += ((const float*)args[1].as.tensor.data)[i * n + k] *
             ((const float*)args[0].as.tensor.data)[k];
    }
    ((float*)result->as.tensor.data)[i] = sum + ((const float*)args[2].as.tensor.data)[i];
  }
  return LATHE_OK;
}

/* The last argument becomes the first; alone it is the result. */
static int identity(const lathe_host* host, lathe_call* call, const lathe_value* args,
                    size_t num_args, lathe_value* result) {
  (void)host, (void)call;
  if (num_args == 0) return LATHE_E_ARGUMENT;
  if (num_args > 1 && is_float(&args[0]) && is_float(&args[1])) {
    memcpy(args[1].as.tensor.data, args[0].as.tensor.data,
           count(&args[1].as.tensor) * sizeof(float));
  }
  *result = args[num_args - 1];
  return LATHE_OK;
}

static int less(const lathe_host* host, lathe_call* call, const lathe_value* args, size_t num_args,
                lathe_value* result) {
  const lathe_dtype boolean = {LATHE_DT_BOOL, 8, 1};
  int rc;
  if (num_args != 2 || args[0].kind != LATHE_TENSOR || args[1].kind != LATHE_TENSOR ||
      args[0].as.tensor.dtype.bits != 32) {
    return LATHE_E_ARGUMENT;
  }
  rc = host->new_tensor(call, boolean, NULL, 0, result);
  if (rc != LATHE_OK) return rc;
  *(uint8_t*)result->as.tensor.data =
      *(const int32_t*)args[0].as.tensor.data < *(const int32_t*)args[1].as.tensor.data;
  return LATHE_OK;
}

static int nothing(const lathe_host* host, lathe_call* call, const lathe_value* args,
                   size_t num_args, lathe_value* result) {
  (void)host, (void)call, (void)args, (void)num_args, (void)result;
  return LATHE_OK;
}

static const lathe_packed functions[] = {
    {"add_tensors", nothing},
    {"dummy_func", nothing},
    {"extern_func", nothing},
    {"fast_vectorized_impl", add},
    {"func_packed_dps", add_into},
    {"function_maybe_with_side_effects", nothing},
    {"linear0", add_into},
    {"linear1", add_into},
    {"my_add", add},
    {"my_dps_func", add_into},
    {"my_impure_call", add},
    {"my_mul", multiply},
    {"my_optimized_add_impl", add},
    {"my_optimized_fma_impl", fma_of_vector},
    {"my_optimized_mul_impl", multiply},
    {"my_optimized_square_matmul", product},
    {"my_relu", relu},
    {"my_sigmoid", sigmoid},
    {"my_unused_call", add},
    {"my_whatever", add},
    {"packed_dps", add_into},
    {"slow_non_vectorized_impl", add},
    {"test.op.identity", identity},
    {"test.vm.less", less},
    {"test0", add_into},
    {"test1", add_into},
    {NULL, NULL},
};
const lathe_packed* lathe_packed_functions(void) { return functions; }
