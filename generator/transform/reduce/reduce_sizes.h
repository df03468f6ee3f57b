// Replaces a size of tensors by a smaller one, in all shapes of a module or in one parameter.
//
//   x: R.Tensor((1, 64, 64))              x: R.Tensor((1, 1, 1))
//   y = R.reshape(x, (1, 4096))     →     y = R.reshape(x, (1, 1))
#ifndef LATHE_TRANSFORM_REDUCE_REDUCE_SIZES_H_
#define LATHE_TRANSFORM_REDUCE_REDUCE_SIZES_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/transform/reduce/reductions.h"

namespace lathe::transform {

// Each place is a size, a smaller size and the choice to scale the multiples of the size, too. The
// buffers and loops of PrimFuncs are resized, too. Constants keep their first elements. Annotations
// of bindings and results are dropped, because other sizes follow from the replaced ones.
Reduced ReduceSize(ir::Context& context, ir::Module& module, int place);

// Replaces a size of one parameter by a smaller one. Each place is an axis and a size. Annotations
// of bindings and of the result of its function are dropped.
Reduced ReduceAxis(ir::Context& context, ir::Module& module, int place);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_REDUCE_REDUCE_SIZES_H_
