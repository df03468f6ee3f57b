// Tests two GPUs and the host: correctly ordered work, and one fault each; the argument is its
// number.
#include "case.h"

namespace {

constexpr int kCount = 64;
constexpr size_t kBytes = kCount * sizeof(int);

__global__ void Add(int* to, const int* from, int more) {
  to[threadIdx.x] = from[threadIdx.x] + more;
}

struct Gpu {
  int number;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  int *a = nullptr, *b = nullptr;

  explicit Gpu(int number_) : number(number_) {
    Check(cudaSetDevice(number));
    Check(cudaStreamCreate(&stream));
    Check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    a = OnGpu(std::vector<int>(kCount, number), stream);
    b = OnGpu(std::vector<int>(kCount), stream);
  }
  void Run(int* to, const int* from, int more) const {
    Check(cudaSetDevice(number));
    Launch(Add, 1, kCount, stream, to, from, more);
  }
};

void Wait(const Gpu& waits, const Gpu& on) {
  Check(cudaEventRecord(on.event, on.stream));
  Check(cudaStreamWaitEvent(waits.stream, on.event));
}

struct Doubled {
  int* numbers;
};
void Double(void* given) {
  int* const numbers = ((const Doubled*)given)->numbers;
  for (int i = 0; i < kCount; ++i) numbers[i] *= 2;
}

}  // namespace

int main(int argc, char** argv) {
  const int fault = argc == 2 ? atoi(argv[1]) : 0;
  Gpu first(0), second(1);
  int* host = nullptr;
  Check(cudaMallocHost((void**)&host, kBytes));
  if (fault == 3) first.Run(first.b, second.a, 1);  // memory of the other GPU
  if (fault == 4) {                                 // the stream of the other GPU
    Check(cudaSetDevice(1));
    Launch(Add, 1, kCount, first.stream, second.b, (const int*)second.a, 1);
  }
  if (fault == 5) Check(cudaEventRecord(first.event, second.stream));  // the event of the other GPU
  if (fault == 6) Check(cudaMemcpyPeerAsync(second.a, 0, first.a, 0, kBytes, first.stream));
  if (fault == 7) {  // a capture that does not join the other stream
    cudaGraph_t graph = nullptr;
    Check(cudaStreamSynchronize(second.stream));
    Check(cudaStreamBeginCapture(first.stream, cudaStreamCaptureModeThreadLocal));
    Wait(second, first);
    second.Run(second.b, second.a, 1);
    Check(cudaStreamEndCapture(first.stream, &graph));
  }
  if (fault == 8) {  // a capture that waits for what is not in it
    cudaGraph_t graph = nullptr;
    Check(cudaStreamBeginCapture(first.stream, cudaStreamCaptureModeThreadLocal));
    Wait(first, second);
    Check(cudaStreamEndCapture(first.stream, &graph));
  }
  first.Run(first.b, first.a, 5);
  if (fault != 1) Wait(second, first);  // else the copy may come first
  Check(cudaMemcpyPeerAsync(second.b, 1, first.b, 0, kBytes, second.stream));
  if (fault != 2) Wait(first, second);  // else it may be written while it is copied
  first.Run(first.b, first.a, 7);
  second.Run(second.b, second.b, 1);
  // The host, in the order of the second stream.
  Check(cudaMemcpyAsync(host, second.b, kBytes, cudaMemcpyDeviceToHost, second.stream));
  Doubled given = {fault == 9 ? second.b : host};  // memory of a GPU
  Check(cudaLaunchHostFunc(fault == 10 ? first.stream : second.stream, Double, &given));
  Check(cudaMemcpyAsync(second.a, host, kBytes, cudaMemcpyHostToDevice, second.stream));
  const std::vector<int> got = Back(second.a, kCount, second.stream);
  Check(cudaStreamSynchronize(first.stream));
  (void)printf(got == std::vector<int>(kCount, 12) ? "right\n" : "wrong\n");
  return 0;
}
