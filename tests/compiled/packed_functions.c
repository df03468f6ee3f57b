/* The packed functions that made-up programs call, for the C they become: what
 * tests/random/check_program.cc does for the interpreter. */
#include <string.h>

#include "lathe/extern.h"
#include "lathe/half.h"

int random_twice(const lathe_host* host, lathe_call* call, const lathe_value* args, size_t num_args,
                 lathe_value* result);
int random_grow(const lathe_host* host, lathe_call* call, const lathe_value* args, size_t num_args,
                lathe_value* result);
int vm_builtin_copy(const lathe_host* host, lathe_call* call, const lathe_value* args,
                    size_t num_args, lathe_value* result);
int lathe_print(const lathe_host* host, lathe_call* call, const lathe_value* args, size_t num_args,
                lathe_value* result);

/* What a program prints is not compared. */
int lathe_print(const lathe_host* host, lathe_call* call, const lathe_value* args, size_t num_args,
                lathe_value* result) {
  (void)host;
  (void)call;
  (void)args;
  (void)result;
  return num_args > 0u ? LATHE_OK : LATHE_E_ARGUMENT;
}

static size_t elements(const lathe_tensor* t) {
  size_t n = 1;
  for (int32_t i = 0; i < t->ndim; ++i) {
    n *= (size_t)t->shape[i];
  }
  return n;
}

/* to[i] = by * from[i] + more, as the dtype has it. */
static int change(const lathe_tensor* from, const lathe_tensor* to, int by, int more) {
  const size_t n = elements(from);
  const unsigned bits = from->dtype.bits;
  const int half = from->dtype.code == LATHE_DT_FLOAT && bits == 16u;
  const int brain = from->dtype.code == LATHE_DT_BFLOAT;
  if (from->dtype.code != to->dtype.code || bits != to->dtype.bits || n != elements(to)) {
    return LATHE_E_ARGUMENT;
  }
  for (size_t i = 0; i < n; ++i) {
    if (half || brain) {
      const uint16_t x = ((const uint16_t*)from->data)[i];
      const float y =
          (half ? lathe_float_from_f16(x) : lathe_float_from_bf16(x)) * (float)by + (float)more;
      ((uint16_t*)to->data)[i] = half ? lathe_f16_from_float(y) : lathe_bf16_from_float(y);
    } else if (from->dtype.code == LATHE_DT_FLOAT && bits == 32u) {
      ((float*)to->data)[i] = ((const float*)from->data)[i] * (float)by + (float)more;
    } else if (from->dtype.code == LATHE_DT_FLOAT) {
      ((double*)to->data)[i] = ((const double*)from->data)[i] * by + more;
    } else if (from->dtype.code == LATHE_DT_BOOL) {
      ((uint8_t*)to->data)[i] = (uint8_t)(((const uint8_t*)from->data)[i] * by + more != 0);
    } else if (bits == 8u) {
      ((uint8_t*)to->data)[i] = (uint8_t)(((const uint8_t*)from->data)[i] * by + more);
    } else if (bits == 16u) {
      ((uint16_t*)to->data)[i] = (uint16_t)(((const uint16_t*)from->data)[i] * by + more);
    } else if (bits == 32u) {
      ((uint32_t*)to->data)[i] = ((const uint32_t*)from->data)[i] * (uint32_t)by + (uint32_t)more;
    } else {
      ((uint64_t*)to->data)[i] = ((const uint64_t*)from->data)[i] * (uint64_t)by + (uint64_t)more;
    }
  }
  return LATHE_OK;
}

int random_twice(const lathe_host* host, lathe_call* call, const lathe_value* args, size_t num_args,
                 lathe_value* result) {
  (void)host;
  (void)call;
  (void)result;
  return num_args != 2u ? LATHE_E_ARGUMENT : change(&args[0].as.tensor, &args[1].as.tensor, 2, 0);
}

int random_grow(const lathe_host* host, lathe_call* call, const lathe_value* args, size_t num_args,
                lathe_value* result) {
  (void)host;
  (void)call;
  *result = args[0];
  return num_args != 1u ? LATHE_E_ARGUMENT : change(&args[0].as.tensor, &args[0].as.tensor, 1, 1);
}

int vm_builtin_copy(const lathe_host* host, lathe_call* call, const lathe_value* args,
                    size_t num_args, lathe_value* result) {
  const lathe_tensor* x = &args[0].as.tensor;
  int status;
  if (num_args != 1u || args[0].kind != LATHE_TENSOR) {
    return LATHE_E_ARGUMENT;
  }
  status = host->new_tensor(call, x->dtype, x->shape, x->ndim, result);
  if (status == LATHE_OK) {
    memcpy(result->as.tensor.data, x->data, elements(x) * ((x->dtype.bits + 7u) / 8u));
  }
  return status;
}
