// Converts kernels to GPU launches by rules based on their loops.
//
// A kernel's statements run in sequence, and no barrier spans a grid: each parallel loop nest at
// the top becomes a launch, and the statements between these run in one thread. Nests of an
// attention or on the same rows become one launch. A few long sums become two.
#ifndef LATHE_SCHEDULE_CUDA_CHOOSE_LAUNCHES_H_
#define LATHE_SCHEDULE_CUDA_CHOOSE_LAUNCHES_H_

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"
#include "generator/ir/program.h"
#include "generator/support/diagnostics.h"
#include "generator/target/gpu.h"

namespace lathe::schedule {

// Returns the launches of each kernel; none for kernels of the host. Memory shared by launches
// becomes an arena tensor that the kernel's steps pass to it, so this runs before memory planning.
// Reports kernels that cannot run on a GPU as unsupported, and returns no launches for these.
IdVector<ir::KernelId, ir::GridLaunches> ChooseLaunches(ir::Context& context, ir::Program& program,
                                                        const GpuChoice& gpus, Diagnostics& diags);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_CHOOSE_LAUNCHES_H_
