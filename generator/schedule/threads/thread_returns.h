// Where loops stand for threads, the end of a thread is that of a round.
#ifndef LATHE_SCHEDULE_THREADS_THREAD_RETURNS_H_
#define LATHE_SCHEDULE_THREADS_THREAD_RETURNS_H_

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::schedule {

// `body`, which is a round of a loop over threads: where a thread returned in it, the next one has
// its turn. Out of loops inside, which C leaves one at a time, a flag tells those around.
ir::StmtRef WithoutReturns(ir::Context& context, ir::StmtRef body);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_THREADS_THREAD_RETURNS_H_
