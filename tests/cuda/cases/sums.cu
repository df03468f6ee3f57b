// Tests block-wide sums: by shared memory and barriers, by shuffles, and by atomics. With BARRIER
// empty the first lacks a barrier.
#include "case.h"

#ifndef BARRIER
#define BARRIER __syncthreads()
#endif

__global__ void ByBarriers(const int* in, int* out) {
  __shared__ int part[96];
  const unsigned t = threadIdx.x;
  part[t] = in[blockIdx.x * 96u + t];
  BARRIER;
  for (unsigned half = 48; half >= 3; half /= 2) {
    if (t < half) {
      part[t] += part[t + half];
    }
    __syncthreads();
  }
  if (t == 0) {
    out[blockIdx.x] = part[0] + part[1] + part[2];
  }
}

__global__ void ByShuffles(const int* in, int* out) {
  int sum = in[blockIdx.x * 96u + threadIdx.x];
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
  }
  __shared__ int part[3];
  if (threadIdx.x % 32u == 0u) {
    part[threadIdx.x / 32u] = sum;
  }
  __syncthreads();
  if (threadIdx.x == 0u) {
    out[blockIdx.x] = part[0] + part[1] + part[2];
  }
}

__global__ void ByAtomics(const int* in, int* out) {
  (void)atomicAdd(&out[blockIdx.x], in[blockIdx.x * 96u + threadIdx.x]);
}

int main() {
  cudaStream_t stream = nullptr;
  Check(cudaStreamCreate(&stream));
  std::vector<int> numbers(3 * 96), wanted(3);
  for (int i = 0; i < 3 * 96; ++i) {
    numbers[(size_t)i] = i * 7 % 13;
    wanted[(size_t)(i / 96)] += i * 7 % 13;
  }
  const int* const in = OnGpu(numbers, stream);
  void (*const kernels[])(const int*, int*) = {ByBarriers, ByShuffles, ByAtomics};
  for (const auto kernel : kernels) {
    int* const out = OnGpu(std::vector<int>(3), stream);
    Launch(kernel, 3, 96, stream, in, out);
    if (Back(out, 3, stream) != wanted) {
      (void)printf("wrong\n");
      return 1;
    }
  }
  (void)printf("right\n");
  return 0;
}
