// Simplifies a stage: removes loops of extent 1 and simplifies index arithmetic.
#ifndef LATHE_NEST_SIMPLIFY_STAGE_H_
#define LATHE_NEST_SIMPLIFY_STAGE_H_

#include "generator/ir/context.h"
#include "generator/nest/nest.h"

namespace lathe::nest {

NestStage SimplifyStage(ir::Context& context, NestStage stage);

}  // namespace lathe::nest

#endif  // LATHE_NEST_SIMPLIFY_STAGE_H_
