// Explains why a thread loop could not be split for targets without threads.
#ifndef LATHE_SCHEDULE_THREADS_DESCRIBE_SYNC_H_
#define LATHE_SCHEDULE_THREADS_DESCRIBE_SYNC_H_

#include <string>

#include "generator/ir/tir.h"

namespace lathe::schedule {

// Returns the subject of "... cannot be printed as C yet", for a kernel that
// schedule/threads/split_at_barriers could not split at its synchronization points.
std::string DescribeSync(ir::StmtRef body);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_THREADS_DESCRIBE_SYNC_H_
