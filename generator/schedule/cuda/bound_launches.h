// Kernels whose loops the program bound to threads: a launch for each nest, as it is written.
#ifndef LATHE_SCHEDULE_CUDA_BOUND_LAUNCHES_H_
#define LATHE_SCHEDULE_CUDA_BOUND_LAUNCHES_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"
#include "generator/ir/program.h"
#include "generator/nest/failing_callees.h"
#include "generator/schedule/cuda/callee_uses.h"

namespace lathe::schedule {

// What becomes of a kernel.
struct ChosenLaunches {
  ir::GridLaunches launches;
  std::vector<ir::BufferRef> shared;  // memory of the GPU that launches share: new parameters
  std::vector<size_t> unused;  // parameters for memory that blocks and threads have themselves
};

// Fails, naming it, on what has no form. `callees` says what functions do with memory; calls of
// those of `failing` may fail.
absl::StatusOr<ChosenLaunches> BoundLaunches(ir::Context& context, const ir::Kernel& kernel,
                                             const CalleeUses& callees,
                                             const nest::CalleeNames& failing);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_BOUND_LAUNCHES_H_
