// Analyzes which tensors and scalars each step of a routine reads and writes, and which steps
// produce what a step reads.
#ifndef LATHE_DRIVER_STEP_FLOW_H_
#define LATHE_DRIVER_STEP_FLOW_H_

#include <vector>

#include "generator/emit/text/emitted_model.h"
#include "generator/ir/program.h"

namespace lathe::driver {

struct StepFlow {
  std::vector<ir::TensorId> reads;   // arguments, in order; without scratch memory
  std::vector<ir::TensorId> writes;  // results, in order
  std::vector<int> producers;        // steps whose results it reads, ascending
};

using EmittedKernels = IdVector<ir::KernelId, emit::EmittedKernel>;

// Returns the flow of each step of the routine, numbered as ForEachStep visits them. A view has the
// producers of the viewed tensor. A write in a branch does not hide earlier ones.
std::vector<StepFlow> FlowOfSteps(const ir::Program& program, const EmittedKernels& kernels,
                                  const ir::Routine& routine);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_STEP_FLOW_H_
