// Shares the set-up of the emulation's test cases: GPU memory with numbers, a stream, and copies
// back.
#ifndef LATHE_TESTS_CUDA_CASES_CASE_H_
#define LATHE_TESTS_CUDA_CASES_CASE_H_

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include <type_traits>
#include <vector>

static inline void Check(cudaError_t error) {
  if (error == cudaSuccess) return;
  (void)printf("status %d\n", (int)error);
  exit(1);
}

template <typename T>
T* OnGpu(const std::vector<T>& values, cudaStream_t stream) {
  void* memory = nullptr;
  Check(cudaMalloc(&memory, values.size() * sizeof(T)));
  Check(cudaMemcpyAsync(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice,
                        stream));
  return (T*)memory;
}

template <typename T>
std::vector<T> Back(const T* memory, size_t count, cudaStream_t stream) {
  std::vector<T> values(count);
  Check(cudaMemcpyAsync(values.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost, stream));
  Check(cudaStreamSynchronize(stream));
  return values;
}

template <typename... Params, typename... Args>
void Launch(void (*kernel)(Params...), unsigned blocks, unsigned threads, cudaStream_t stream,
            Args... args) {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.stream = stream;
  Check(cudaLaunchKernelEx(&config, kernel, args...));
}

// The tries of a program: the one whose number, from 1, is its argument, or all.
class Tries {
 public:
  Tries(int argc, char** argv) : only_(argc == 2 ? atoi(argv[1]) : 0) {
    Check(cudaStreamCreate(&stream_));
  }
  // Whether the next one is among them.
  bool Next() { return ++number_ == only_ || only_ == 0; }
  cudaStream_t stream() const { return stream_; }

 private:
  const int only_;
  int number_ = 0;
  cudaStream_t stream_ = nullptr;
};

#endif  // LATHE_TESTS_CUDA_CASES_CASE_H_
