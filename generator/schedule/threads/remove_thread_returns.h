// Converts thread returns to the end of an iteration of a thread loop.
#ifndef LATHE_SCHEDULE_THREADS_REMOVE_THREAD_RETURNS_H_
#define LATHE_SCHEDULE_THREADS_REMOVE_THREAD_RETURNS_H_

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::schedule {

// Rewrites `body`, one iteration of a thread loop: a return continues with the next thread. From
// inner loops, which C leaves one at a time, a flag tells the outer ones to end.
ir::StmtRef RemoveThreadReturns(ir::Context& context, ir::StmtRef body);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_THREADS_REMOVE_THREAD_RETURNS_H_
