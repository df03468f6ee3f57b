// Shuffles of what a thread knows of itself, which are no exchange on a processor that has one
// thread.
#ifndef LATHE_SCHEDULE_THREADS_THREAD_SHUFFLES_H_
#define LATHE_SCHEDULE_THREADS_THREAD_SHUFFLES_H_

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::schedule {

// What says the same whenever it is evaluated: no memory, no calls.
bool IsOfNumbers(ir::PrimRef e);

// `body` of `threads`, the one loop over threads of a block: what a thread says of itself there,
// another says of it.
ir::StmtRef WithoutShuffles(ir::Context& context, ir::StmtRef body, const ir::ForStmt& threads);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_THREADS_THREAD_SHUFFLES_H_
