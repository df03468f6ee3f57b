// What a kernel is on a GPU: launches of grids of threads, one behind the other on a stream.
#ifndef LATHE_IR_LAUNCH_H_
#define LATHE_IR_LAUNCH_H_

#include <string>
#include <variant>
#include <vector>

#include "generator/ir/tir.h"

namespace lathe::ir {

// One loop of those that a grid takes apart.
struct GridAxis {
  PrimRef var = nullptr;
  PrimRef min = nullptr;
  PrimRef extent = nullptr;  // over the kernel's scalars alone
};

// Threads take what the axes count in turns, each value alone. Without axes one thread does it all.
struct GridStride {
  std::vector<GridAxis> axes;  // outermost first
  StmtRef body = nullptr;
};

// A launch is in exactly one of these forms.
using LaunchForm = std::variant<GridStride>;

struct GridLaunch {
  std::string name;               // what it computes: "out"
  std::vector<StmtRef> preamble;  // scalars and names of buffers that the form uses
  LaunchForm form;
  bool guarded = false;  // does nothing once an assertion of the kernel did not hold
};

using GridLaunches = std::vector<GridLaunch>;

}  // namespace lathe::ir

#endif  // LATHE_IR_LAUNCH_H_
