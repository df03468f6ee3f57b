// Stages that compute as many neighbouring elements at once as a vector has: what is elementwise,
// windows that slide over channels or pixels, and rows that are added up.
#ifndef LATHE_SCHEDULE_VECTORS_MATCH_VECTOR_LOOPS_H_
#define LATHE_SCHEDULE_VECTORS_MATCH_VECTOR_LOOPS_H_

#include <optional>

#include "generator/ir/context.h"
#include "generator/ir/kernel_form.h"
#include "generator/target/target.h"

namespace lathe::schedule {

// The axis along which results lie side by side, where it is long enough.
std::optional<ir::NestAxis> AxisAlongResult(ir::Context& context, const ir::NestStage& stage,
                                            const Target& target);

// All of float32. Nothing where no axis has neighbours in memory, or is as long as a vector.
std::optional<ir::VectorLoops> MatchVectorLoops(ir::Context& context, const ir::NestStage& stage,
                                                const Target& target);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_VECTORS_MATCH_VECTOR_LOOPS_H_
