// What waits in streams, and what is captured of them and runs again when a graph is launched.
#ifndef LATHE_TESTS_CUDA_EMULATION_STREAMS_H_
#define LATHE_TESTS_CUDA_EMULATION_STREAMS_H_

#include <stddef.h>

#include <functional>
#include <memory>
#include <vector>

#include "cuda_runtime_api.h"
#include "order.h"

namespace lathe_emulation {

using Task = std::function<void()>;

// Work of one of the streams that are captured, or what orders it among that of the others.
struct Node {
  enum class Kind { kWork, kRecord, kWait };
  Kind kind = Kind::kWork;
  size_t stream = 0;  // its number among those captured
  size_t event = 0;   // the node that recorded it, for kWait
  Task work;
};

// What the stream does in its turn, or a graph in its place.
cudaError_t Enqueue(cudaStream_t stream, Task work);
int GpuOf(cudaStream_t stream);
bool IsCaptured(cudaStream_t stream);

}  // namespace lathe_emulation

struct CUgraph_st {
  std::vector<lathe_emulation::Node> nodes;
  std::vector<cudaStream_t> streams;  // the first is the one that the capture began with
  bool invalid = false;               // something was called that cannot be captured
};
struct CUgraphExec_st {
  struct Work {
    std::vector<lathe_emulation::Node> nodes;
    std::vector<lathe_emulation::Strand> strands;  // of all streams but the first
  };
  std::shared_ptr<Work> work;  // it may go before it has run
};

#endif  // LATHE_TESTS_CUDA_EMULATION_STREAMS_H_
