// Decides whether threads must run concurrently or may be run one after another.
#ifndef LATHE_ANALYSIS_THREADS_SYNCHRONIZE_H_
#define LATHE_ANALYSIS_THREADS_SYNCHRONIZE_H_

#include <set>
#include <string>

#include "absl/strings/string_view.h"
#include "generator/ir/device/gpu_call.h"
#include "generator/ir/tir.h"

namespace lathe::analysis {

// 0, 1, 2 for threadIdx.x, y, z; -1 for blocks and virtual threads, which never synchronize.
int ThreadAxis(absl::string_view tag);

// Returns true if threads in `s` synchronize or query their position: at a barrier, a warp shuffle,
// a cross-thread reduction or a warp matrix product, or at a thread loop nested in one over the
// same threads, in `s` or among those `launched` around it: the inner loop is a synchronization
// point before and after.
bool ThreadsSynchronize(ir::StmtRef s, const std::set<std::string>& launched);
// The widest scope of threads that must reach the intrinsics in `e` together.
ir::SyncScope SyncScopeIn(ir::PrimRef e);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_THREADS_SYNCHRONIZE_H_
