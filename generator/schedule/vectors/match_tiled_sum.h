// Matches matrix products and convolutions by their loops: a float32 sum of products in which one
// factor varies along the rows of the result and the other along its columns.
#ifndef LATHE_SCHEDULE_VECTORS_MATCH_TILED_SUM_H_
#define LATHE_SCHEDULE_VECTORS_MATCH_TILED_SUM_H_

#include <optional>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/kernel_form.h"
#include "generator/target/target.h"

namespace lathe::schedule {

// Returns the possible matches, without panels: each factor may be the one along columns.
std::vector<ir::TiledSum> MatchTiledSum(ir::Context& context, const ir::NestStage& stage,
                                        const Target& target);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_VECTORS_MATCH_TILED_SUM_H_
