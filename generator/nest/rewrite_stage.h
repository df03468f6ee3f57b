// A stage with other variables and buffers.
#ifndef LATHE_NEST_REWRITE_STAGE_H_
#define LATHE_NEST_REWRITE_STAGE_H_

#include "generator/nest/nest.h"
#include "generator/nest/rewrite_scalar.h"

namespace lathe::nest {

// All its expressions, and what it stores to; the variables of its axes stay.
void RewriteStage(RewriteScalar& rewrite, NestStage& stage);

// Without the axes of one step.
void DropSingleSteps(ir::Context& context, NestStage& stage);

}  // namespace lathe::nest

#endif  // LATHE_NEST_REWRITE_STAGE_H_
