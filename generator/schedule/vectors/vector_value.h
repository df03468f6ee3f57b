// Decides which scalar expressions can be vectorized along an axis: float32 throughout, with
// operands that are contiguous along the axis or invariant in it.
#ifndef LATHE_SCHEDULE_VECTORS_VECTOR_VALUE_H_
#define LATHE_SCHEDULE_VECTORS_VECTOR_VALUE_H_

#include "generator/ir/context.h"
#include "generator/ir/nest.h"

namespace lathe::schedule {

// Returns whether the operations on a complete sum, and its store, can be vectorized.
bool FinishesInVectors(ir::Context& context, const ir::NestStage& stage, ir::PrimRef axis);

// Returns whether all operations of the stage can be vectorized.
bool IsVectorStage(ir::Context& context, const ir::NestStage& stage, ir::PrimRef axis);

// Returns whether `e` can be vectorized and varies along the axis.
bool IsVectorAlong(ir::Context& context, ir::PrimRef e, ir::PrimRef axis);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_VECTORS_VECTOR_VALUE_H_
