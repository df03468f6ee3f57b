// How large the tensors of a program can get, from the declared ranges of its sizes.
#ifndef LATHE_SCHEDULE_FINISH_BOUND_TENSORS_H_
#define LATHE_SCHEDULE_FINISH_BOUND_TENSORS_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

// Sets Tensor::most_elements where there is a bound. A routine that others call gets its ranges
// from the calls too.
void BoundTensors(ir::Context& context, ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FINISH_BOUND_TENSORS_H_
