// Describes the calls of each kernel of a binary model, for the comment above the kernel.
#ifndef LATHE_EMIT_C_KERNEL_CALL_TEXTS_H_
#define LATHE_EMIT_C_KERNEL_CALL_TEXTS_H_

#include <string>

#include "generator/ir/program.h"
#include "generator/support/ids.h"

namespace lathe::emit {

// Returns a text for each kernel: "conv1, 1x8x8x3 -> 1x8x8x16 and 2 more" for a kernel of three
// nodes, the first of which is conv1. The text is empty for kernels of programs in text, whose
// comments name bindings.
IdVector<ir::KernelId, std::string> KernelCallTexts(const ir::Program& program);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_CALL_TEXTS_H_
