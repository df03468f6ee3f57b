// Replaces shuffles of values that depend only on the thread index, which need no exchange on a
// processor with one thread.
#ifndef LATHE_SCHEDULE_THREADS_REMOVE_THREAD_SHUFFLES_H_
#define LATHE_SCHEDULE_THREADS_REMOVE_THREAD_SHUFFLES_H_

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::schedule {

// Returns whether `e` has no loads and no calls, so that it has the same value whenever it is
// evaluated.
bool IsLoadFree(ir::PrimRef e);

// Rewrites `body` of `threads`, the only thread loop of a block: a shuffle becomes the value
// computed for the source lane.
ir::StmtRef RemoveThreadShuffles(ir::Context& context, ir::StmtRef body,
                                 const ir::ForStmt& threads);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_THREADS_REMOVE_THREAD_SHUFFLES_H_
