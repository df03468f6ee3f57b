// Converts kernels whose loops the program bound to threads to launches, one for each loop nest.
#ifndef LATHE_SCHEDULE_CUDA_LAUNCHES_FROM_BINDINGS_H_
#define LATHE_SCHEDULE_CUDA_LAUNCHES_FROM_BINDINGS_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"
#include "generator/ir/program.h"
#include "generator/nest/failing_callees.h"
#include "generator/schedule/cuda/callee_uses.h"

namespace lathe::schedule {

// The launches of a kernel and the changes of its parameters.
struct ChosenLaunches {
  ir::GridLaunches launches;
  std::vector<ir::BufferRef> shared;  // global memory that launches share: new parameters
  std::vector<size_t> unused;         // parameters for memory that blocks and threads allocate
};

// Returns the launches of `kernel`. Fails on anything unsupported and names it. `callees` describes
// the memory accesses of functions; calls of functions in `failing` may fail.
absl::StatusOr<ChosenLaunches> LaunchesFromBindings(ir::Context& context, const ir::Kernel& kernel,
                                                    const CalleeUses& callees,
                                                    const nest::CalleeNames& failing);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_LAUNCHES_FROM_BINDINGS_H_
