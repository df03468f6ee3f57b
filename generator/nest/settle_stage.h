// A stage as a person would write it: no loop that turns once, arithmetic of sizes and places done.
#ifndef LATHE_NEST_SETTLE_STAGE_H_
#define LATHE_NEST_SETTLE_STAGE_H_

#include "generator/ir/context.h"
#include "generator/nest/nest.h"

namespace lathe::nest {

NestStage SettleStage(ir::Context& context, NestStage stage);

}  // namespace lathe::nest

#endif  // LATHE_NEST_SETTLE_STAGE_H_
