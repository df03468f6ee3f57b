/* Two functions that custom_extern.py calls. One signature serves the generated code and
 * `lathe run`: lathe/extern.h describes it. */
#include "lathe/extern.h"

#include <stddef.h>

/* The symbols that generated code links are these names with dots as underscores. */
int sensor_smooth(const lathe_host *host, lathe_call *call, const lathe_value *args,
                  size_t num_args, lathe_value *result);
int sensor_range(const lathe_host *host, lathe_call *call, const lathe_value *args,
                 size_t num_args, lathe_value *result);

/* sensor.smooth(x, weight, out): out[i] leans towards x[i] by `weight`. */
int sensor_smooth(const lathe_host *host, lathe_call *call, const lathe_value *args,
                  size_t num_args, lathe_value *result) {
  const float *x;
  float *out;
  float last = 0.0f;
  int64_t i;
  (void)result;
  if (num_args != 3 || args[0].kind != LATHE_TENSOR || args[1].kind != LATHE_FLOAT ||
      args[2].kind != LATHE_TENSOR || args[0].as.tensor.ndim != 1) {
    host->error(call, "sensor.smooth takes a vector, a weight and where to write");
    return LATHE_E_ARGUMENT;
  }
  x = (const float *)args[0].as.tensor.data;
  out = (float *)args[2].as.tensor.data;
  for (i = 0; i < args[0].as.tensor.shape[0]; ++i) {
    last += (float)args[1].as.f * (x[i] - last);
    out[i] = last;
  }
  return LATHE_OK;
}

/* sensor.range(x): the least and the largest element, as a new tensor. */
int sensor_range(const lathe_host *host, lathe_call *call, const lathe_value *args,
                 size_t num_args, lathe_value *result) {
  const lathe_dtype float32 = {LATHE_DT_FLOAT, 32, 1};
  const int64_t two = 2;
  const float *x;
  float *out;
  int64_t i;
  int status;
  if (num_args != 1 || args[0].kind != LATHE_TENSOR || args[0].as.tensor.ndim != 1) {
    return LATHE_E_ARGUMENT;
  }
  status = host->new_tensor(call, float32, &two, 1, result);
  if (status != LATHE_OK) {
    return status;
  }
  x = (const float *)args[0].as.tensor.data;
  out = (float *)result->as.tensor.data;
  out[0] = 0.0f;
  out[1] = 0.0f;
  for (i = 0; i < args[0].as.tensor.shape[0]; ++i) {
    if (i == 0 || x[i] < out[0]) out[0] = x[i];
    if (i == 0 || x[i] > out[1]) out[1] = x[i];
  }
  return LATHE_OK;
}

/* What `lathe run --extern` looks for, and what init takes from code made with --externs table. */
static const lathe_packed functions[] = {
    {"sensor.smooth", sensor_smooth}, {"sensor.range", sensor_range}, {NULL, NULL}};
const lathe_packed *lathe_packed_functions(void) { return functions; }
