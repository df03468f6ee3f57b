// Parses loops that the program binds to blocks and threads of a GPU.
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
  ir::StmtRef body = nullptr;  // null: the rest of the enclosing sequence
};
// Returns the thread loop `stmt`. Returns nullopt for other statements.
std::optional<ThreadLoop> ThreadLoopOf(ir::StmtRef stmt);

// Returns whether the thread is a dimension of a grid. A "vthread" is not: it is a loop in each
// thread.
bool IsGridThread(const ThreadLoop& loop);

// Returns whether `stmt` contains thread bindings or operations that only threads can execute.
bool BindsThreads(ir::StmtRef stmt);

// Returns whether the buffer is memory of a block or a thread ("shared", "local"), not of the whole
// GPU.
bool IsOfLaunch(const ir::Buffer& buffer);

// Returns the launch for `stmt`, which binds threads. Fails on anything unsupported and names it.
// `callees` describes the memory accesses of functions; calls of functions in `failing` may end a
// thread.
absl::StatusOr<ir::BoundThreads> BindThreads(ir::Context& context, ir::StmtRef stmt,
                                             const CalleeUses& callees,
                                             const nest::CalleeNames& failing);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_BIND_THREADS_H_
