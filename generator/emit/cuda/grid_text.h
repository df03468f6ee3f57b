// How a launch is enqueued.
#ifndef LATHE_EMIT_CUDA_GRID_TEXT_H_
#define LATHE_EMIT_CUDA_GRID_TEXT_H_

#include <string>
#include <vector>

namespace lathe::emit {

// What the host passes, in terms of the kernel's parameters.
struct GridWay {
  std::string condition;  // taken where it holds, and none before it did; empty in the last one
  std::string instance;   // of a template: "<lathe_tile<...>>"
  std::string blocks;     // of type int64_t
  std::string threads;    // of a block; empty where the function knows
  std::string function = "lathe_launch";
  std::vector<std::string> factors = {};  // what that is told before the blocks
};

struct GridText {
  std::string head = "__global__ void __launch_bounds__(LATHE_BLOCK)";
  std::vector<GridWay> ways;
  std::vector<std::string> own_params = {};  // that the function of the host makes
  std::vector<std::string> names = {};       // lines of the host that all ways use
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_GRID_TEXT_H_
