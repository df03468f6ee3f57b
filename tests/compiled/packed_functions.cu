// Implements the functions of packed_functions.c for GPU models: each enqueues a kernel or a copy.
#include <stddef.h>

#include "lathe/cuda_half.h"
#include "lathe/cuda_launch.h"
#include "lathe/extern.h"

extern "C" {
int random_twice(const lathe_host* host, lathe_call* call, const lathe_value* args, size_t num_args,
                 lathe_value* result);
int random_grow(const lathe_host* host, lathe_call* call, const lathe_value* args, size_t num_args,
                lathe_value* result);
int vm_builtin_copy(const lathe_host* host, lathe_call* call, const lathe_value* args,
                    size_t num_args, lathe_value* result);
int lathe_print(const lathe_host* host, lathe_call* call, const lathe_value* args, size_t num_args,
                lathe_value* result);
}

namespace {

template <typename T>
__global__ void change_numbers(const void* from, void* to, int by, int more, int64_t n) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    static_cast<T*>(to)[i] =
        static_cast<T>(static_cast<const T*>(from)[i] * static_cast<T>(by) + static_cast<T>(more));
  }
}

__global__ void change_bools(const void* from, void* to, int by, int more, int64_t n) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    static_cast<uint8_t*>(to)[i] = static_cast<const uint8_t*>(from)[i] * by + more != 0 ? 1u : 0u;
  }
}

__global__ void change_halves(const void* from, void* to, int by, int more, int64_t n) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    const float x = lathe_float_from_f16(static_cast<const uint16_t*>(from)[i]);
    static_cast<uint16_t*>(to)[i] =
        lathe_f16_from_float(x * static_cast<float>(by) + static_cast<float>(more));
  }
}

__global__ void change_brains(const void* from, void* to, int by, int more, int64_t n) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    const float x = lathe_float_from_bf16(static_cast<const uint16_t*>(from)[i]);
    static_cast<uint16_t*>(to)[i] =
        lathe_bf16_from_float(x * static_cast<float>(by) + static_cast<float>(more));
  }
}

int64_t elements(const lathe_tensor& t) {
  int64_t n = 1;
  for (int32_t i = 0; i < t.ndim; ++i) n *= t.shape[i];
  return n;
}

using Change = void (*)(const void*, void*, int, int, int64_t);

Change kernel_of(lathe_dtype dtype) {
  const unsigned bits = dtype.bits;
  if (dtype.code == LATHE_DT_BFLOAT) return change_brains;
  if (dtype.code == LATHE_DT_BOOL) return change_bools;
  if (dtype.code == LATHE_DT_FLOAT) {
    return bits == 16u   ? change_halves
           : bits == 32u ? change_numbers<float>
                         : change_numbers<double>;
  }
  return bits == 8u    ? change_numbers<uint8_t>
         : bits == 16u ? change_numbers<uint16_t>
         : bits == 32u ? change_numbers<uint32_t>
                       : change_numbers<uint64_t>;
}

// to[i] = by * from[i] + more, as the dtype has it.
int change(const lathe_tensor& from, const lathe_tensor& to, int by, int more,
           struct CUstream_st* stream) {
  const int64_t n = elements(from);
  if (from.dtype.code != to.dtype.code || from.dtype.bits != to.dtype.bits || n != elements(to)) {
    return LATHE_E_ARGUMENT;
  }
  return lathe_launch(kernel_of(from.dtype), (n + 63) / 64, 64, stream,
                      static_cast<const void*>(from.data), to.data, by, more, n);
}

}  // namespace

// What a program prints is not compared.
int lathe_print(const lathe_host*, lathe_call*, const lathe_value*, size_t num_args, lathe_value*) {
  return num_args > 0u ? LATHE_OK : LATHE_E_ARGUMENT;
}

int random_twice(const lathe_host* host, lathe_call* call, const lathe_value* args, size_t num_args,
                 lathe_value*) {
  if (num_args != 2u) return LATHE_E_ARGUMENT;
  return change(args[0].as.tensor, args[1].as.tensor, 2, 0, host->stream(call));
}

int random_grow(const lathe_host* host, lathe_call* call, const lathe_value* args, size_t num_args,
                lathe_value* result) {
  if (num_args != 1u) return LATHE_E_ARGUMENT;
  *result = args[0];
  return change(args[0].as.tensor, args[0].as.tensor, 1, 1, host->stream(call));
}

int vm_builtin_copy(const lathe_host* host, lathe_call* call, const lathe_value* args,
                    size_t num_args, lathe_value* result) {
  if (num_args != 1u || args[0].kind != LATHE_TENSOR) return LATHE_E_ARGUMENT;
  const lathe_tensor& x = args[0].as.tensor;
  const int status = host->new_tensor(call, x.dtype, x.shape, x.ndim, result);
  const size_t bytes = static_cast<size_t>(elements(x)) * ((x.dtype.bits + 7u) / 8u);
  if (status != LATHE_OK || bytes == 0u) return status;
  return static_cast<int>(cudaMemcpyAsync(result->as.tensor.data, x.data, bytes,
                                          cudaMemcpyDeviceToDevice, host->stream(call)));
}
