// Prints a comment above the call of a kernel whose result lies in the memory of an input, which a
// reader of the call could take for an error.
#ifndef LATHE_EMIT_C_PRINT_SHARED_MEMORY_H_
#define LATHE_EMIT_C_PRINT_SHARED_MEMORY_H_

#include <string>
#include <vector>

#include "generator/ir/program.h"
#include "generator/plan/plan.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// `writes` states which tensors of the step the kernel writes, `names` are their C names. Prints
// nothing if no input and result of the step share bytes of `frame`.
void PrintSharedMemory(const ir::Program& program, const plan::Frame& frame,
                       const ir::KernelStep& step, const std::vector<bool>& writes,
                       const std::vector<std::string>& names, LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_SHARED_MEMORY_H_
