// Checks for features that the C backend supports and the CUDA backend does not.
#ifndef LATHE_EMIT_CUDA_REFUSE_STEPS_H_
#define LATHE_EMIT_CUDA_REFUSE_STEPS_H_

#include "generator/ir/program.h"
#include "generator/support/diagnostics.h"

namespace lathe::emit {

// Reports the steps and tensors of `program` that cannot be printed as CUDA as unsupported: values
// of dynamic structure, and with several devices, packed elements, results whose sizes are known
// only after a call, and external functions on host tensors. In a routine, steps with the same
// description are reported once; a description names the tensor or external function, if any.
void RefuseSteps(const ir::Program& program, Diagnostics& diags);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_REFUSE_STEPS_H_
