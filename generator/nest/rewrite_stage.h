// Replaces variables and buffers in a stage.
#ifndef LATHE_NEST_REWRITE_STAGE_H_
#define LATHE_NEST_REWRITE_STAGE_H_

#include "generator/nest/nest.h"
#include "generator/nest/rewrite_scalar.h"

namespace lathe::nest {

// Rewrites all expressions of the stage and its destination. Loop variables are unchanged.
void RewriteStage(RewriteScalar& rewrite, NestStage& stage);

// Removes the axes of extent 1.
void DropSingleSteps(ir::Context& context, NestStage& stage);

}  // namespace lathe::nest

#endif  // LATHE_NEST_REWRITE_STAGE_H_
