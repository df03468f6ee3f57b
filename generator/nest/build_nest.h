// Converts the stages of a nest back to loops and statements.
#ifndef LATHE_NEST_BUILD_NEST_H_
#define LATHE_NEST_BUILD_NEST_H_

#include "generator/ir/context.h"
#include "generator/nest/nest.h"

namespace lathe::nest {

// Returns the allocations of `nest` and the loops of its stages, each simplified by SimplifyStage.
ir::StmtRef BuildNest(ir::Context& context, const Nest& nest);

}  // namespace lathe::nest

#endif  // LATHE_NEST_BUILD_NEST_H_
