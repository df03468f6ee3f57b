// What the road to C knows and the one to CUDA does not.
#ifndef LATHE_EMIT_CUDA_REFUSE_STEPS_H_
#define LATHE_EMIT_CUDA_REFUSE_STEPS_H_

#include "generator/ir/program.h"
#include "generator/support/diagnostics.h"

namespace lathe::emit {

// Reports each step and each tensor that has no form on a GPU, once for each kind and routine.
void RefuseSteps(const ir::Program& program, Diagnostics& diags);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_REFUSE_STEPS_H_
