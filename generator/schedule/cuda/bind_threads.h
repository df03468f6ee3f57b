// Loops that the program binds to blocks and threads of a GPU, as it wrote them.
#ifndef LATHE_SCHEDULE_CUDA_BIND_THREADS_H_
#define LATHE_SCHEDULE_CUDA_BIND_THREADS_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"
#include "generator/nest/failing_callees.h"
#include "generator/schedule/cuda/callee_uses.h"

namespace lathe::schedule {

// A loop bound to a thread, or T.launch_thread.
struct ThreadLoop {
  ir::PrimRef var = nullptr;
  std::string thread;  // "threadIdx.x"
  ir::PrimRef extent = nullptr;
  ir::StmtRef body = nullptr;  // null: the rest of the sequence it stands in
};
// Nothing where `stmt` is something else.
std::optional<ThreadLoop> ThreadLoopOf(ir::StmtRef stmt);

// Whether it is one of the threads or blocks that a grid has; "vthread" is none, but a loop in
// each.
bool IsGridThread(const ThreadLoop& loop);

// Whether something in `stmt` is bound to a thread, or only threads can do.
bool BindsThreads(ir::StmtRef stmt);

// Memory of a block or a thread, not of the whole GPU: "shared", "local".
bool IsOfLaunch(const ir::Buffer& buffer);

// The launch that `stmt` is, which binds threads. Fails, naming it, on what the schedule leaves
// open or what has no form yet. `callees` says what functions do with memory; calls of those of
// `failing` may end a thread.
absl::StatusOr<ir::BoundThreads> BindThreads(ir::Context& context, ir::StmtRef stmt,
                                             const CalleeUses& callees,
                                             const nest::CalleeNames& failing);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_BIND_THREADS_H_
