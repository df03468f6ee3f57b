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

// Rewrites `body` of `threads`, the only thread loop of a block: a variable bound to a shuffle of a
// load-free value is bound to the value computed for the source lane. Other shuffles are unchanged.
ir::StmtRef RemoveThreadShuffles(ir::Context& context, ir::StmtRef body,
                                 const ir::ForStmt& threads);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_THREADS_REMOVE_THREAD_SHUFFLES_H_
