// Describes the printed form of a launch: the head of its kernel, and the host calls that enqueue
// it.
#ifndef LATHE_EMIT_CUDA_GRID_TEXT_H_
#define LATHE_EMIT_CUDA_GRID_TEXT_H_

#include <string>
#include <vector>

namespace lathe::emit {

// A launch configuration. All fields are host expressions of the kernel's parameters.
struct GridWay {
  std::string condition;  // the host takes the first configuration that holds; empty: always
  std::string instance;   // template arguments of the kernel: "<lathe_tile<...>>"
  std::string blocks;     // the number of blocks (int64_t), or a lathe_extents
  std::string threads;    // of a block, in the same form; empty: `function` chooses
  std::string function = "lathe_launch";  // the runtime function that enqueues
  std::vector<std::string> factors = {};  // arguments of `function` before `blocks`
};

// The printed form of a launch.
struct GridText {
  // The declaration of the kernel up to its name.
  std::string head = "__global__ void __launch_bounds__(LATHE_BLOCK)";
  std::vector<GridWay> ways;                 // in the order in which the host tests them
  std::vector<std::string> own_params = {};  // kernel parameters that GridWay::function adds
  std::vector<std::string> names = {};       // host declarations that all `ways` use
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_GRID_TEXT_H_
