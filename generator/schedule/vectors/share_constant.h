// Constants made of constants, each once: layers that are written out turn by turn ask for the same
// ones again and again.
#ifndef LATHE_SCHEDULE_VECTORS_SHARE_CONSTANT_H_
#define LATHE_SCHEDULE_VECTORS_SHARE_CONSTANT_H_

#include "generator/ir/program.h"

namespace lathe::schedule {

// A tensor like `tensor` that holds `constant`: one that was made before, where there is such a
// one.
ir::TensorId ShareConstant(ir::Program& program, ir::Tensor tensor, ir::Constant constant);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_VECTORS_SHARE_CONSTANT_H_
