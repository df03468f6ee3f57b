// Explains why a thread loop could not be split for targets without threads.
#ifndef LATHE_SCHEDULE_THREADS_SHOW_MEETING_H_
#define LATHE_SCHEDULE_THREADS_SHOW_MEETING_H_

#include <string>

#include "generator/ir/tir.h"

namespace lathe::schedule {

// Returns the subject of "... cannot be printed as C yet", for a kernel that
// schedule/threads/thread_groups could not split at its synchronization points.
std::string ShowMeeting(ir::StmtRef body);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_THREADS_SHOW_MEETING_H_
