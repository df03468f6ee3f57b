// Provides the cuBLAS product as an external function: the baseline of gpu_speed.py, in the same
// surrounding program.
#include <cublas_v2.h>
#include <stddef.h>

#include "lathe/extern.h"

extern "C" int bench_cublas(const lathe_host* host, lathe_call* call, const lathe_value* args,
                            size_t num_args, lathe_value* result);

namespace {

// Its dtype there; of what it has none for, what it refuses.
cudaDataType TypeOf(lathe_dtype dtype) {
  if (dtype.code == LATHE_DT_BFLOAT) {
    return CUDA_R_16BF;
  }
  if (dtype.code == LATHE_DT_INT) {
    return dtype.bits == 8 ? CUDA_R_8I : CUDA_R_32I;
  }
  return dtype.bits == 16 ? CUDA_R_16F : CUDA_R_32F;
}

}  // namespace

// y = x w, row-major; where these are int8, w has a line for each column. cuBLAS is column-major,
// each other: y's transpose is w's times x's.
int bench_cublas(const lathe_host* host, lathe_call* call, const lathe_value* args, size_t num_args,
                 lathe_value*) {
  static cublasHandle_t handle = NULL;
  if (num_args != 3 || args[0].kind != LATHE_TENSOR || args[0].as.tensor.ndim != 2 ||
      args[1].kind != LATHE_TENSOR || args[2].kind != LATHE_TENSOR || args[2].as.tensor.ndim != 2) {
    return LATHE_E_ARGUMENT;
  }
  if (handle == NULL && cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) {
    host->error(call, "cublasCreate fails");
    return LATHE_E_FAILED;
  }
  const lathe_tensor &x = args[0].as.tensor, &w = args[1].as.tensor, &y = args[2].as.tensor;
  const int rows = (int)x.shape[0], depth = (int)x.shape[1], columns = (int)y.shape[1];
  const bool whole = x.dtype.code == LATHE_DT_INT;
  // Sums are float32 or int32; float32 is not rounded to TF32.
  const cublasComputeType_t sums = whole ? CUBLAS_COMPUTE_32I : CUBLAS_COMPUTE_32F;
  const float one = 1.0f, none = 0.0f;
  const int whole_one = 1, whole_none = 0;
  const void* alpha = whole ? (const void*)&whole_one : &one;
  const void* beta = whole ? (const void*)&whole_none : &none;
  cublasStatus_t done = cublasSetStream(handle, host->stream(call));
  if (done == CUBLAS_STATUS_SUCCESS) {
    done = cublasGemmEx(handle, whole ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_OP_N, columns, rows,
                        depth, alpha, w.data, TypeOf(w.dtype), whole ? depth : columns, x.data,
                        TypeOf(x.dtype), depth, beta, y.data, TypeOf(y.dtype), columns, sums,
                        CUBLAS_GEMM_DEFAULT);
  }
  if (done != CUBLAS_STATUS_SUCCESS) {
    host->error(call, "cublasGemmEx fails");
    return LATHE_E_FAILED;
  }
  return LATHE_OK;
}
