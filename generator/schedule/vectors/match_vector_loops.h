// Matches stages that can be vectorized along an axis: elementwise stages, windows that slide over
// channels or pixels, and sums along rows.
#ifndef LATHE_SCHEDULE_VECTORS_MATCH_VECTOR_LOOPS_H_
#define LATHE_SCHEDULE_VECTORS_MATCH_VECTOR_LOOPS_H_

#include <optional>

#include "generator/ir/context.h"
#include "generator/ir/kernel_form.h"
#include "generator/target/target.h"

namespace lathe::schedule {

// Returns the axis along which results are contiguous, if it is long enough.
std::optional<ir::NestAxis> AxisAlongResult(ir::Context& context, const ir::NestStage& stage,
                                            const Target& target);

// Matches a stage whose values are all float32. Returns nullopt if no axis is contiguous in memory
// and at least about one vector long.
std::optional<ir::VectorLoops> MatchVectorLoops(ir::Context& context, const ir::NestStage& stage,
                                                const Target& target);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_VECTORS_MATCH_VECTOR_LOOPS_H_
