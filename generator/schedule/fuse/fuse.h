// Fuses kernels, so that intermediate tensors disappear.
#ifndef LATHE_SCHEDULE_FUSE_FUSE_H_
#define LATHE_SCHEDULE_FUSE_FUSE_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"
#include "generator/target/gpu.h"
#include "generator/target/target.h"

namespace lathe::schedule {

// Fuses within step sequences without branches, calls, effects or in-place writes. Kernels of
// operators are rewritten to accumulate in local variables, and they get the library form for
// `target`. With `gpus`, fuses for these GPUs: kernels that form an attention, or one launch over
// rows, are merged.
void Fuse(ir::Context& context, ir::Program& program, const Target& target,
          const GpuChoice* gpus = nullptr);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_FUSE_H_
