// Why loops over threads were left as they are where there are no threads.
#ifndef LATHE_SCHEDULE_THREADS_SHOW_MEETING_H_
#define LATHE_SCHEDULE_THREADS_SHOW_MEETING_H_

#include <string>

#include "generator/ir/tir.h"

namespace lathe::schedule {

// "what threads do that meet": of a kernel whose loops over threads schedule/threads/thread_loops
// could not split, in words to go before "cannot be printed as C yet".
std::string ShowMeeting(ir::StmtRef body);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_THREADS_SHOW_MEETING_H_
