// Implements the part of cuBLAS that cublas_rival.cu uses, for the emulation of a GPU. It
// multiplies by definition, so that the benchmark and its calls of cuBLAS can be tested without a
// GPU.
#ifndef LATHE_TESTS_BENCHMARK_GPU_STAND_IN_CUBLAS_V2_H_
#define LATHE_TESTS_BENCHMARK_GPU_STAND_IN_CUBLAS_V2_H_

#include <stdint.h>

#include "cuda_half.h"
#include "cuda_launch.h"

enum cudaDataType { CUDA_R_32F, CUDA_R_16F, CUDA_R_16BF, CUDA_R_8I, CUDA_R_32I };
enum cublasStatus_t { CUBLAS_STATUS_SUCCESS, CUBLAS_STATUS_NOT_SUPPORTED };
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T };
enum cublasComputeType_t { CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_32I };
enum cublasGemmAlgo_t { CUBLAS_GEMM_DEFAULT };
struct cublas_stand_in {
  cudaStream_t stream;
};
typedef cublas_stand_in* cublasHandle_t;

static inline cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  static cublas_stand_in one;
  *handle = &one;
  return CUBLAS_STATUS_SUCCESS;
}

static inline cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}

static __device__ double cublas_element(const void* matrix, cudaDataType type, int at) {
  return type == CUDA_R_32F    ? ((const float*)matrix)[at]
         : type == CUDA_R_16F  ? lathe_float_from_f16(((const uint16_t*)matrix)[at])
         : type == CUDA_R_16BF ? lathe_float_from_bf16(((const uint16_t*)matrix)[at])
                               : ((const int8_t*)matrix)[at];
}

// Column-major with the leading dimension `lda`.
__global__ void cublas_multiply(bool turn_a, bool turn_b, int m, int n, int k, const void* a,
                                cudaDataType a_type, int lda, const void* b, cudaDataType b_type,
                                int ldb, void* c, cudaDataType c_type, int ldc) {
  for (int at = (int)(blockIdx.x * blockDim.x + threadIdx.x); at < m * n;
       at += (int)(gridDim.x * blockDim.x)) {
    const int row = at % m, column = at / m;
    double sum = 0;
    for (int i = 0; i < k; ++i) {
      sum += cublas_element(a, a_type, turn_a ? row * lda + i : row + i * lda) *
             cublas_element(b, b_type, turn_b ? column + i * ldb : column * ldb + i);
    }
    const int to = row + column * ldc;
    if (c_type == CUDA_R_32F) {
      ((float*)c)[to] = (float)sum;
    } else if (c_type == CUDA_R_32I) {
      ((int32_t*)c)[to] = (int32_t)sum;
    } else {
      ((uint16_t*)c)[to] = c_type == CUDA_R_16F ? lathe_f16_from_float((float)sum)
                                                : lathe_bf16_from_float((float)sum);
    }
  }
}

static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t of_a,
                                          cublasOperation_t of_b, int m, int n, int k, const void*,
                                          const void* a, cudaDataType a_type, int lda,
                                          const void* b, cudaDataType b_type, int ldb, const void*,
                                          void* c, cudaDataType c_type, int ldc,
                                          cublasComputeType_t sums, cublasGemmAlgo_t) {
  const bool whole = a_type == CUDA_R_8I && b_type == CUDA_R_8I && c_type == CUDA_R_32I;
  if (whole != (sums == CUBLAS_COMPUTE_32I)) {
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  const int status =
      lathe_launch(cublas_multiply, 8, 64, handle->stream, of_a == CUBLAS_OP_T, of_b == CUBLAS_OP_T,
                   m, n, k, a, a_type, lda, b, b_type, ldb, c, c_type, ldc);
  return status == LATHE_OK ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

#endif  // LATHE_TESTS_BENCHMARK_GPU_STAND_IN_CUBLAS_V2_H_
