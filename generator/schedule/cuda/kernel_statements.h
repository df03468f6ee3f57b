// Splits a kernel body into its top-level statements, and finds the bindings that they need.
#ifndef LATHE_SCHEDULE_CUDA_KERNEL_STATEMENTS_H_
#define LATHE_SCHEDULE_CUDA_KERNEL_STATEMENTS_H_

#include <string>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::schedule {

// Returns the top-level statements of `body`. Flattens sequences, blocks without axes, attributes,
// and the bodies of bindings, allocations, declarations and assertions, which become statements
// before their contents. A loop bound to threads is one statement, and so is a reduction in a
// variable: its allocation, initial value, loop and store.
std::vector<ir::StmtRef> KernelStatements(ir::Context& context, ir::StmtRef body);

// Returns the name of the first buffer in global memory that the statements store to, or
// `otherwise` if there is none.
std::string NameOfStatements(const std::vector<ir::StmtRef>& rows, const char* otherwise = "check");

// Returns the bindings and allocations of `preamble` that `body` needs, directly or through others.
std::vector<ir::StmtRef> NeededBy(ir::Context& context, const std::vector<ir::StmtRef>& preamble,
                                  ir::StmtRef body);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_KERNEL_STATEMENTS_H_
