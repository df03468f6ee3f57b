// Replaces calls of functions of TVM's virtual machine by calls of equivalent Relax operators.
//
//   y: R.Tensor((6,)) = R.call_packed("vm.builtin.reshape", x, R.shape([6]), ...)
//     →  lv = R.reshape(x, R.shape([6]))
//        y = R.match_cast(lv, R.Tensor((6,)))
//
// R.memory.view replaces vm.builtin.reshape when the shape may have fewer elements than the tensor.
//
// Programs that TVM's passes produced contain these calls. As operators they are planned, fused and
// checked like all others, and nothing must be linked.
#ifndef LATHE_TRANSFORM_UNPACK_BUILTINS_H_
#define LATHE_TRANSFORM_UNPACK_BUILTINS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// Skips calls whose arguments are not known to match the operator. Needs Value::info.
void UnpackBuiltins(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_UNPACK_BUILTINS_H_
