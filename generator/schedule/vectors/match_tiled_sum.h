// Matrix products and convolutions, known by what their loops do: a sum of products of which one
// factor lies along rows of the result, the other along its columns.
#ifndef LATHE_SCHEDULE_VECTORS_MATCH_TILED_SUM_H_
#define LATHE_SCHEDULE_VECTORS_MATCH_TILED_SUM_H_

#include <optional>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/kernel_form.h"
#include "generator/target/target.h"

namespace lathe::schedule {

// The ways to see the stage so, but for its panels: each factor may be the one along columns.
std::vector<ir::TiledSum> MatchTiledSum(ir::Context& context, const ir::NestStage& stage,
                                        const Target& target);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_VECTORS_MATCH_TILED_SUM_H_
