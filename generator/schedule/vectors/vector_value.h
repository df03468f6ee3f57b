// Which scalar expressions can be computed for as many neighbouring elements as a vector has: those
// of float32 all over, of elements that lie side by side along an axis or are the same for all.
#ifndef LATHE_SCHEDULE_VECTORS_VECTOR_VALUE_H_
#define LATHE_SCHEDULE_VECTORS_VECTOR_VALUE_H_

#include "generator/ir/context.h"
#include "generator/ir/nest.h"

namespace lathe::schedule {

// Whether what the stage does with a complete sum, and where it stores it, is of this kind.
bool FinishesInVectors(ir::Context& context, const ir::NestStage& stage, ir::PrimRef axis);

// The same of all that the stage does.
bool IsVectorStage(ir::Context& context, const ir::NestStage& stage, ir::PrimRef axis);

// Of one expression, which is not the same for all elements.
bool IsVectorAlong(ir::Context& context, ir::PrimRef e, ir::PrimRef axis);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_VECTORS_VECTOR_VALUE_H_
