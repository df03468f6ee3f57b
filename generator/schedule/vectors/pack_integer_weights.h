// Replaces constant integer weights of a tiled sum, and their scales, by panels.
#ifndef LATHE_SCHEDULE_VECTORS_PACK_INTEGER_WEIGHTS_H_
#define LATHE_SCHEDULE_VECTORS_PACK_INTEGER_WEIGHTS_H_

#include "generator/ir/kernel_form.h"
#include "generator/nest/nest_call.h"

namespace lathe::schedule {

// Packs the weights of `sum`, which is a form of `stage` of `call`, for panels of `width` columns.
// Returns false without changes if they are not constant, have other readers, or if blocks of steps
// that share a scale are too short.
bool PackIntegerWeights(ir::Context& context, ir::Program& program, int64_t width,
                        nest::NestCall& call, ir::NestStage& stage, ir::TiledSum& sum);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_VECTORS_PACK_INTEGER_WEIGHTS_H_
