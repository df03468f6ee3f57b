// Decides whether row operations of several operators (for example mean, difference, variance) form
// one launch, in which a team of threads processes each row.
#ifndef LATHE_SCHEDULE_FUSE_JOIN_ROW_LAUNCHES_H_
#define LATHE_SCHEDULE_FUSE_JOIN_ROW_LAUNCHES_H_

#include "generator/nest/nest_call.h"
#include "generator/target/gpu.h"

namespace lathe::schedule {

// Returns whether one launch by rows covers the whole kernel, and `handed` holds one number for
// each row. Returns false for a few long rows, which are split among blocks in separate launches.
bool IsOneRowLaunch(ir::Context& context, const nest::NestCall& call, ir::BufferRef handed,
                    const GpuChoice& gpus);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_JOIN_ROW_LAUNCHES_H_
