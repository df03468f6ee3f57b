// Commits one fault each that a GPU or a contract of generated code does not permit; the argument
// is its number.
#include "case.h"

__global__ void Store(int* out, int where) { out[where + (int)threadIdx.x] = 1; }

// Every block writes the same place.
__global__ void Together(int* out) {
  if (threadIdx.x == 0u) {
    out[0] = (int)blockIdx.x;
  }
}

__global__ void HalfAtBarrier(int* out) {
  if (threadIdx.x < 8u) {
    (void)__shfl_xor_sync(0xffffffffu, 1, 1);
  } else {
    __syncthreads();
  }
  out[threadIdx.x] = 1;
}

__global__ void ReadsBeforeWriting(int* out) {
  __shared__ int left[32];
  const int before = blockIdx.x == 0u ? 0 : left[threadIdx.x];
  left[threadIdx.x] = 1;
  out[blockIdx.x * 32u + threadIdx.x] = before;
}

int main(int argc, char** argv) {
  const int fault = argc == 2 ? atoi(argv[1]) : 0;
  cudaStream_t stream = nullptr;
  Check(cudaStreamCreate(&stream));
  int* const memory = OnGpu(std::vector<int>(64), stream);
  if (fault == 1) {  // one element too far
    Launch(Store, 1, 32, stream, memory, 33);
  } else if (fault == 2) {  // barrier of the grid
    Launch(Together, 2, 32, stream, memory);
  } else if (fault == 3) {  // threads wait for each other
    Launch(HalfAtBarrier, 1, 32, stream, memory);
  } else if (fault == 4) {  // what another block left
    Launch(ReadsBeforeWriting, 2, 32, stream, memory);
  } else if (fault == 5) {  // the host reads memory of the GPU
    (void)printf("%d\n", *(volatile int*)memory);
  } else if (fault == 6) {  // the default stream
    Launch(Store, 1, 32, (cudaStream_t) nullptr, memory, 0);
  } else if (fault == 7) {  // a capture in which memory is taken
    cudaGraph_t graph = nullptr;
    void* more = nullptr;
    Check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    (void)cudaMalloc(&more, 16);
    Check(cudaStreamEndCapture(stream, &graph));
  } else if (fault == 8) {  // a result that is read without a wait
    std::vector<int> ones(64, 1), got(64);
    Launch(Store, 1, 64, stream, memory, 0);
    Check(cudaMemcpyAsync(got.data(), memory, 256, cudaMemcpyDeviceToHost, stream));
    (void)printf(got == ones ? "there\n" : "not there yet\n");
    return 1;
  } else if (fault == 9) {  // more threads than a block has
    Launch(Store, 1, 2048, stream, memory, 0);
  }
  Check(cudaStreamSynchronize(stream));
  return 0;
}
