// The functions of sensor.c for models on GPUs: the host's part looks at what it is given and
// enqueues a kernel on the model's stream, and elements are memory of the GPU.
#include <stddef.h>

#include "lathe/cuda_launch.h"
#include "lathe/extern.h"

extern "C" {
int sensor_smooth(const lathe_host* host, lathe_call* call, const lathe_value* args,
                  size_t num_args, lathe_value* result);
int sensor_range(const lathe_host* host, lathe_call* call, const lathe_value* args, size_t num_args,
                 lathe_value* result);
}

// Each element needs the one before it: one thread.
__global__ void smooth(const float* x, float weight, float* out, int64_t n) {
  float last = 0.0f;
  for (int64_t i = 0; i < n; ++i) {
    last += weight * (x[i] - last);
    out[i] = last;
  }
}

// One warp: each thread looks at some elements, then at what the others have found.
__global__ void range(const float* x, float* out, int64_t n) {
  float least = n > 0 ? x[0] : 0.0f, largest = least;
  for (int64_t i = threadIdx.x; i < n; i += 32) {
    least = fminf(least, x[i]);
    largest = fmaxf(largest, x[i]);
  }
  for (int step = 16; step > 0; step /= 2) {
    least = fminf(least, __shfl_xor_sync(0xffffffffu, least, step));
    largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, step));
  }
  if (threadIdx.x == 0) {
    out[0] = least;
    out[1] = largest;
  }
}

int sensor_smooth(const lathe_host* host, lathe_call* call, const lathe_value* args,
                  size_t num_args, lathe_value*) {
  if (num_args != 3 || args[0].kind != LATHE_TENSOR || args[1].kind != LATHE_FLOAT ||
      args[2].kind != LATHE_TENSOR || args[0].as.tensor.ndim != 1) {
    host->error(call, "sensor.smooth takes a vector, a weight and where to write");
    return LATHE_E_ARGUMENT;
  }
  return lathe_launch(smooth, 1, 1, host->stream(call),
                      static_cast<const float*>(args[0].as.tensor.data),
                      static_cast<float>(args[1].as.f), static_cast<float*>(args[2].as.tensor.data),
                      args[0].as.tensor.shape[0]);
}

int sensor_range(const lathe_host* host, lathe_call* call, const lathe_value* args, size_t num_args,
                 lathe_value* result) {
  const lathe_dtype float32 = {LATHE_DT_FLOAT, 32, 1};
  const int64_t two = 2;
  if (num_args != 1 || args[0].kind != LATHE_TENSOR || args[0].as.tensor.ndim != 1) {
    return LATHE_E_ARGUMENT;
  }
  const int status = host->new_tensor(call, float32, &two, 1, result);
  if (status != LATHE_OK) {
    return status;
  }
  return lathe_launch(range, 1, 32, host->stream(call),
                      static_cast<const float*>(args[0].as.tensor.data),
                      static_cast<float*>(result->as.tensor.data), args[0].as.tensor.shape[0]);
}
