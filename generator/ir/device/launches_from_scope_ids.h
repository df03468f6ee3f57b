// Lowers T.cta_id and related scope ids to loops bound to blocks and threads.
#ifndef LATHE_IR_DEVICE_LAUNCHES_FROM_SCOPE_IDS_H_
#define LATHE_IR_DEVICE_LAUNCHES_FROM_SCOPE_IDS_H_

#include <string>

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::ir {

// Returns `body` with the code after T.device_entry() as a launch: T.cta_id becomes a loop over
// blocks, T.thread_id one over threads, T.warp_id and T.lane_id become parts of the thread index.
// Returns `body` unchanged if it has no scope ids, unsupported ones (clusters, warpgroups), or ids
// that are not all in one sequence of statements.
StmtRef LaunchesFromScopeIds(Context& context, StmtRef body);

// Returns the name of a scope id function that was not lowered; empty if there is none.
std::string FindUnloweredScopeId(StmtRef body);

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_LAUNCHES_FROM_SCOPE_IDS_H_
