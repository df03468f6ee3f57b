// A `return` inside of loops over threads: it ends the thread that comes to it, and no other.
#ifndef LATHE_ANALYSIS_ENDS_OF_THREADS_H_
#define LATHE_ANALYSIS_ENDS_OF_THREADS_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "generator/ir/tir.h"

namespace lathe::analysis {

// A `return`, in whatever form; inside of loops over threads it is the end of one.
bool EndsThread(ir::StmtRef stmt);
// Whether such a one stands in `stmt`.
bool MayEndThread(ir::StmtRef stmt);

// "threadIdx.x" and "blockIdx.x" and their kin: what a thread of a grid is told by. Virtual threads
// are loops in each of them.
bool IsOfGrid(absl::string_view thread);

// Where all threads of a block, or of a warp, have to come together, but one of them may have ended
// before: on a GPU the others would wait for it, or read what it no longer says. Those that end
// together, since what they ask for is the same for all of them, leave nobody behind; nor do those
// that have arrived at an mbarrier, where whoever waits does so for arrivals.
struct MeetingBehindEnd {
  ir::StmtRef meeting = nullptr;
  ir::StmtRef end = nullptr;  // the return
};
// Nothing where `body` has no such place.
std::optional<MeetingBehindEnd> FindMeetingBehindEnd(ir::StmtRef body);

// "the return at model.py:12:17": where a thread may end.
std::string ShowEnd(ir::StmtRef end);
inline constexpr absl::string_view kWhereThreadsCanEnd =
    "threads can return behind the last barrier, exchange or product of their block, or all of a "
    "block together";

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_ENDS_OF_THREADS_H_
