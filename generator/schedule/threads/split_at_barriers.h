// Splits thread loops at synchronization points for processors with one thread: the code of all
// threads before a barrier becomes one loop nest, the code after it another.
#ifndef LATHE_SCHEDULE_THREADS_SPLIT_AT_BARRIERS_H_
#define LATHE_SCHEDULE_THREADS_SPLIT_AT_BARRIERS_H_

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::schedule {

// Returns `body`, whose launches are loops bound to threads, with plain loops only. Splits at
// barriers and at nested loops over the same threads. Returns null if that is not possible: at an
// allreduce, at a shuffle of a value loaded from memory, at a barrier that not all threads reach,
// or if a thread would have to keep a loaded value across the split.
ir::StmtRef SplitAtBarriers(ir::Context& context, ir::StmtRef body);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_THREADS_SPLIT_AT_BARRIERS_H_
