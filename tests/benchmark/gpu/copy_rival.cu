// Provides a GPU memory copy as an external function: the baseline of gpu_speed.py for memory-bound
// kernels.
#include <cuda_runtime_api.h>
#include <stddef.h>

#include "lathe/extern.h"

extern "C" int bench_copy(const lathe_host *host, lathe_call *call, const lathe_value *args, size_t num_args, lathe_value *result);

int bench_copy(const lathe_host *host, lathe_call *call, const lathe_value *args, size_t num_args, lathe_value *) {
  if (num_args != 2 || args[0].kind != LATHE_TENSOR || args[0].as.tensor.ndim != 1 || args[1].kind != LATHE_TENSOR) {
    return LATHE_E_ARGUMENT;
  }
  const size_t bytes = (size_t)args[0].as.tensor.shape[0] * (args[0].as.tensor.dtype.bits / 8u);
  return (int)cudaMemcpyAsync(args[1].as.tensor.data, args[0].as.tensor.data, bytes, cudaMemcpyDeviceToDevice, host->stream(call));
}
