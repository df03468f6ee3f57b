// Work in streams, and captured work that runs again when a graph is launched.
#ifndef LATHE_EMULATION_STREAMS_H_
#define LATHE_EMULATION_STREAMS_H_

#include <stddef.h>

#include <functional>
#include <memory>
#include <vector>

#include "cuda_runtime_api.h"
#include "order.h"

namespace lathe_emulation {

using Task = std::function<void()>;

// A node of a capture: work of one of the streams, or an ordering between them.
struct Node {
  enum class Kind { kWork, kRecord, kWait };
  Kind kind = Kind::kWork;
  size_t stream = 0;  // its index among the captured streams
  size_t event = 0;   // for kWait: the node that recorded it
  Task work;
};

// Work of a stream, or of a graph in its place.
cudaError_t Enqueue(cudaStream_t stream, Task work);
int GpuOf(cudaStream_t stream);
bool IsCaptured(cudaStream_t stream);

}  // namespace lathe_emulation

struct CUgraph_st {
  std::vector<lathe_emulation::Node> nodes;
  std::vector<cudaStream_t> streams;  // the first is the one that started the capture
  bool invalid = false;               // a call was not permitted during capture
};
struct CUgraphExec_st {
  struct Work {
    std::vector<lathe_emulation::Node> nodes;
    std::vector<lathe_emulation::Strand> strands;  // of all streams but the first
  };
  std::shared_ptr<Work> work;  // may be released before it has run
};

#endif  // LATHE_EMULATION_STREAMS_H_
