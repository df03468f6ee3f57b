// Kernels that hand values to each other become one kernel, and the values vanish.
#ifndef LATHE_SCHEDULE_FUSE_FUSE_H_
#define LATHE_SCHEDULE_FUSE_FUSE_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"
#include "generator/target/gpu.h"
#include "generator/target/target.h"

namespace lathe::schedule {

// Within runs of steps that nothing interrupts: no branch, call or effect, nothing written in
// place. Kernels of operators are rewritten to keep what they add up in a local variable, and take
// the form that the library of kernels has for them on `target`. `gpus`: it is for them, where
// kernels that are an attention together become one.
void Fuse(ir::Context& context, ir::Program& program, const Target& target,
          const GpuChoice* gpus = nullptr);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_FUSE_H_
