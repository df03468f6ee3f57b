// Kernels as launches on a GPU: by rule, from what their loops show.
//
// A kernel's statements run one after the other, and no barrier holds a whole grid: each loop nest
// at its top is a launch of its own, and what is between them is one thread's.
#ifndef LATHE_SCHEDULE_CUDA_CHOOSE_LAUNCHES_H_
#define LATHE_SCHEDULE_CUDA_CHOOSE_LAUNCHES_H_

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"
#include "generator/ir/program.h"
#include "generator/support/diagnostics.h"
#include "generator/target/gpu.h"

namespace lathe::schedule {

// For each kernel its launches, none for those of the host. Memory that several launches of a
// kernel share becomes a tensor of the arena, which its steps hand it: before memory is planned.
// What cannot run on a GPU is reported as unsupported.
IdVector<ir::KernelId, ir::GridLaunches> ChooseLaunches(ir::Context& context, ir::Program& program,
                                                        const GpuChoice& gpus, Diagnostics& diags);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_CHOOSE_LAUNCHES_H_
