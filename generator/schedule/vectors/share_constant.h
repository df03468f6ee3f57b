// Deduplicates derived constants: the iterations of an unrolled layer request the same ones
// repeatedly.
#ifndef LATHE_SCHEDULE_VECTORS_SHARE_CONSTANT_H_
#define LATHE_SCHEDULE_VECTORS_SHARE_CONSTANT_H_

#include "generator/ir/program.h"

namespace lathe::schedule {

// Returns a tensor like `tensor` with the value `constant`, reusing an earlier equal one.
ir::TensorId ShareConstant(ir::Program& program, ir::Tensor tensor, ir::Constant constant);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_VECTORS_SHARE_CONSTANT_H_
