// Checks for features that the C backend supports and the CUDA backend does not.
#ifndef LATHE_EMIT_CUDA_REFUSE_STEPS_H_
#define LATHE_EMIT_CUDA_REFUSE_STEPS_H_

#include "generator/ir/program.h"
#include "generator/support/diagnostics.h"

namespace lathe::emit {

// Reports the steps and tensors of `program` that cannot be printed as CUDA as unsupported. A
// routine has one report of each kind.
void RefuseSteps(const ir::Program& program, Diagnostics& diags);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_REFUSE_STEPS_H_
