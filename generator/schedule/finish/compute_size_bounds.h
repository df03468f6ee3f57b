// Computes the largest size of each tensor from the declared ranges of size variables.
#ifndef LATHE_SCHEDULE_FINISH_COMPUTE_SIZE_BOUNDS_H_
#define LATHE_SCHEDULE_FINISH_COMPUTE_SIZE_BOUNDS_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

// Sets Tensor::max_elements if there is a bound, and Tensor::max_shape if a shape has bounds in
// terms of the sizes known at the start of its routine. The ranges of a routine also follow from
// its calls.
void ComputeSizeBounds(ir::Context& context, ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FINISH_COMPUTE_SIZE_BOUNDS_H_
