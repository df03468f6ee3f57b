// Removes thread bindings whose threads would write to the same bytes.
#ifndef LATHE_SCHEDULE_CUDA_UNBIND_PACKED_H_
#define LATHE_SCHEDULE_CUDA_UNBIND_PACKED_H_

#include "generator/ir/context.h"
#include "generator/ir/tir.h"
#include "generator/schedule/cuda/callee_uses.h"

namespace lathe::schedule {

// Converts a body with thread bindings and stores of packed elements to plain loops, which are
// parallelized again later. Returns the body unchanged if it uses memory of blocks or threads, or
// if its synchronization cannot be expressed by loops.
ir::StmtRef UnbindPacked(ir::Context& context, ir::StmtRef body, const CalleeUses& callees);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_UNBIND_PACKED_H_
