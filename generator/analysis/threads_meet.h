// Whether threads must run side by side, or one after the other gives the same.
#ifndef LATHE_ANALYSIS_THREADS_MEET_H_
#define LATHE_ANALYSIS_THREADS_MEET_H_

#include <set>
#include <string>

#include "absl/strings/string_view.h"
#include "generator/ir/device/gpu_call.h"
#include "generator/ir/tir.h"

namespace lathe::analysis {

// 0, 1, 2 for threadIdx.x, y, z; -1 for blocks and virtual threads, which never meet.
int ThreadAxis(absl::string_view tag);

// True when threads meet in `s`, or ask where among the others they stand: at a barrier, a warp
// shuffle, a reduction across threads, a product of matrices of a warp, or a loop over threads that
// stands in one over the same, here or among those `launched` around: what threads do together
// there must be done before and after.
bool ThreadsMeet(ir::StmtRef s, const std::set<std::string>& launched);
// Who has to come to what `e` computes before any thread goes on.
ir::GpuMeeting MeetingIn(ir::PrimRef e);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_THREADS_MEET_H_
