// Threads that meet, on a processor that has one: what all of them do before a meeting is a nest of
// loops, what they do behind it another.
#ifndef LATHE_SCHEDULE_THREADS_THREAD_GROUPS_H_
#define LATHE_SCHEDULE_THREADS_THREAD_GROUPS_H_

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::schedule {

// `body`, in which launches are loops bound to threads, with plain loops alone: split at barriers,
// and at loops over threads that stand in loops over the same. Null where that cannot be done: at a
// sum across threads, a shuffle of what memory holds, a meeting that not all threads come to, or
// where a thread would have to keep what it read from one side to the other.
ir::StmtRef SplitAtMeetings(ir::Context& context, ir::StmtRef body);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_THREADS_THREAD_GROUPS_H_
