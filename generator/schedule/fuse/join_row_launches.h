// What a program says of rows in several operators, a mean, what is off it, a variance: one kernel,
// so that a team of threads does all of it to the row that it has.
#ifndef LATHE_SCHEDULE_FUSE_JOIN_ROW_LAUNCHES_H_
#define LATHE_SCHEDULE_FUSE_JOIN_ROW_LAUNCHES_H_

#include "generator/nest/nest_call.h"
#include "generator/target/gpu.h"

namespace lathe::schedule {

// Whether all that the kernel does is done to rows in one launch, and what it keeps in `handed` is
// one number of each.
bool IsOneRowLaunch(ir::Context& context, const nest::NestCall& call, ir::BufferRef handed,
                    const GpuChoice& gpus);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_JOIN_ROW_LAUNCHES_H_
