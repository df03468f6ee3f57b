// Converts GPU launches to plain loops for processors with one thread.
#ifndef LATHE_SCHEDULE_THREADS_SPLIT_THREAD_LOOPS_H_
#define LATHE_SCHEDULE_THREADS_SPLIT_THREAD_LOOPS_H_

#include <string>

#include "absl/container/flat_hash_map.h"
#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

// Launches and loops bound to threads become plain loops. A loop nested in one over the same
// threads becomes the index of the outer one. Kernels whose synchronization cannot be expressed by
// loops (schedule/threads/split_at_barriers) are unchanged.
void SplitThreadLoops(ir::Context& context, ir::Program& program);
void SplitThreadLoops(ir::Context& context, ir::PrimFunc& func);

// The same for one body. Returns null if its synchronization cannot be expressed by loops.
ir::StmtRef SplitThreadLoops(ir::Context& context, ir::StmtRef body);

// Converts a statement without synchronization, inside of loops over the threads in `around`.
ir::StmtRef LoopsOf(ir::Context& context, ir::StmtRef stmt,
                    absl::flat_hash_map<std::string, ir::PrimRef> around);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_THREADS_SPLIT_THREAD_LOOPS_H_
