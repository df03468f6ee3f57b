// Programs that say by T.cta_id and its like where a thread stands, as loops bound to blocks and
// threads.
#ifndef LATHE_IR_DEVICE_LAUNCHES_OF_SCOPES_H_
#define LATHE_IR_DEVICE_LAUNCHES_OF_SCOPES_H_

#include <string>

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::ir {

// `body`, what follows T.device_entry() as a launch: T.cta_id over blocks, T.thread_id over
// threads, T.warp_id and T.lane_id as parts of a thread's number. As it is where it has no such, or
// others (clusters, groups of warps), or where they do not all stand in one row.
StmtRef LaunchesOfScopes(Context& context, StmtRef body);

// The function of T that says so and was left as it is; empty where there is none.
std::string ScopeLeftIn(StmtRef body);

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_LAUNCHES_OF_SCOPES_H_
