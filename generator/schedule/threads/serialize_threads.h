// Serializes the threads of GPU launches: converts launches and thread loops to plain loops for
// processors without threads.
#ifndef LATHE_SCHEDULE_THREADS_SERIALIZE_THREADS_H_
#define LATHE_SCHEDULE_THREADS_SERIALIZE_THREADS_H_

#include <string>

#include "absl/container/flat_hash_map.h"
#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

// Makes launches and loops bound to threads plain loops. If an enclosing loop runs over the same
// thread index, the inner loop is removed and its variable is set to the outer one. Kernels whose
// synchronization cannot be expressed by loops (schedule/threads/split_at_barriers) are unchanged.
void SerializeThreads(ir::Context& context, ir::Program& program);
void SerializeThreads(ir::Context& context, ir::PrimFunc& func);

// Converts one body. Returns null if its synchronization cannot be expressed by loops.
ir::StmtRef SerializeThreads(ir::Context& context, ir::StmtRef body);

// Converts a statement without synchronization. `around` maps a thread name to the variable of an
// enclosing loop.
ir::StmtRef SerializeWithoutBarriers(ir::Context& context, ir::StmtRef stmt,
                                     absl::flat_hash_map<std::string, ir::PrimRef> around);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_THREADS_SERIALIZE_THREADS_H_
