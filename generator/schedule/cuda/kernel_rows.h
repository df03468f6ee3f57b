// The statements at the top of a kernel, as far as they can be told apart.
#ifndef LATHE_SCHEDULE_CUDA_KERNEL_ROWS_H_
#define LATHE_SCHEDULE_CUDA_KERNEL_ROWS_H_

#include <string>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::schedule {

// `body` without the statements that only hold others: blocks without axes, sequences, bodies of
// bindings and allocations, which then stand before what was in them.
std::vector<ir::StmtRef> KernelRows(ir::Context& context, ir::StmtRef body);

// What the statements store to, first of all; `otherwise` where they store to nothing.
std::string NameOfRows(const std::vector<ir::StmtRef>& rows, const char* otherwise = "check");

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_KERNEL_ROWS_H_
