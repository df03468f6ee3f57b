// A processor has one thread: what launches of many compute, it computes in loops over them.
#ifndef LATHE_SCHEDULE_THREADS_THREAD_LOOPS_H_
#define LATHE_SCHEDULE_THREADS_THREAD_LOOPS_H_

#include <string>

#include "absl/container/flat_hash_map.h"
#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

// Launches and loops bound to threads become plain loops, one inside another over the same threads
// the index that the outer one has. Kernels whose threads meet in a way that loops do not say
// (schedule/threads/thread_groups) stay as they are.
void ThreadLoops(ir::Context& context, ir::Program& program);
void ThreadLoops(ir::Context& context, ir::PrimFunc& func);

// The same of one body; null where its threads meet so.
ir::StmtRef ThreadLoops(ir::Context& context, ir::StmtRef body);

// The same of a statement whose threads do not meet, inside of loops over those of `around`.
ir::StmtRef LoopsOf(ir::Context& context, ir::StmtRef stmt,
                    absl::flat_hash_map<std::string, ir::PrimRef> around);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_THREADS_THREAD_LOOPS_H_
