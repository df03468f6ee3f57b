// Loops bound to threads that would write into the same bytes.
#ifndef LATHE_SCHEDULE_CUDA_UNBIND_PACKED_H_
#define LATHE_SCHEDULE_CUDA_UNBIND_PACKED_H_

#include "generator/ir/context.h"
#include "generator/ir/tir.h"
#include "generator/schedule/cuda/callee_uses.h"

namespace lathe::schedule {

// A body that binds loops to threads and stores elements which share bytes as plain loops, of which
// it is found anew what threads do. As it was where it has memory of blocks or threads, and where
// its threads meet in a way that loops do not say.
ir::StmtRef UnbindPacked(ir::Context& context, ir::StmtRef body, const CalleeUses& callees);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_UNBIND_PACKED_H_
