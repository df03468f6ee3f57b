// Functions of TVM's virtual machine that Relax has operators for become calls of those.
//
//   y: R.Tensor((6,)) = R.call_packed("vm.builtin.reshape", x, R.shape([6]), ...)
//     →  lv = R.reshape(x, R.shape([6]))
//        y = R.match_cast(lv, R.Tensor((6,)))
//
// and R.memory.view where the shape may have fewer elements than the tensor.
//
// A program that went through TVM's passes speaks of them; as operators they are planned, fused and
// checked like all others, and nobody has to link them.
#ifndef LATHE_TRANSFORM_UNPACK_BUILTINS_H_
#define LATHE_TRANSFORM_UNPACK_BUILTINS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// Leaves alone calls of which is not known that their arguments are what the operator takes. Needs
// Value::info.
void UnpackBuiltins(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_UNPACK_BUILTINS_H_
