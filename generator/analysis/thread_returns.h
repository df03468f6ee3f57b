// Finds `return` statements inside thread loops, which end only the thread that executes them.
#ifndef LATHE_ANALYSIS_THREAD_RETURNS_H_
#define LATHE_ANALYSIS_THREAD_RETURNS_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "generator/ir/tir.h"

namespace lathe::analysis {

// Returns whether `stmt` is a return statement, ret() or thread_return().
bool IsThreadReturn(ir::StmtRef stmt);
// Returns whether `stmt` contains a thread return.
bool ContainsThreadReturn(ir::StmtRef stmt);

// Returns whether `thread` is threadIdx.{x,y,z} or blockIdx.{x,y,z}. Virtual threads are loops
// within each thread.
bool IsGridThread(absl::string_view thread);

// A synchronization point of a block or warp that some thread may not reach because it has
// returned: on a GPU the others would wait for it or read stale data. Uniform returns are allowed,
// since all threads take them together; so are returns after arriving at an mbarrier, where waiting
// threads wait for arrivals only.
struct SyncAfterReturn {
  ir::StmtRef sync = nullptr;
  ir::StmtRef end = nullptr;  // the return
};
// Returns nothing if `body` has no such point.
std::optional<SyncAfterReturn> FindSyncAfterReturn(ir::StmtRef body);

// "the return at model.py:12:17".
std::string DescribeReturn(ir::StmtRef end);
inline constexpr absl::string_view kSupportedThreadReturns =
    "threads can return after the last barrier, shuffle or matrix product (mma) of their block, or "
    "all threads of a block together";

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_THREAD_RETURNS_H_
