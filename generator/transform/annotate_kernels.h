// Annotates each PrimFunc with its kind of kernel, for fusion.
//
//   @T.prim_func(private=True)
//   def add(x1: ..., x2: ..., out: ...):      →     T.func_attr({"kernel_kind": "elementwise"})
//       ...                                         ...
#ifndef LATHE_TRANSFORM_ANNOTATE_KERNELS_H_
#define LATHE_TRANSFORM_ANNOTATE_KERNELS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// The name of the attribute. Its value is a name of analysis::KernelKind.
inline constexpr char kKernelKind[] = "kernel_kind";

// Annotates every PrimFunc of the module. Replaces existing annotations, which are not trusted.
void AnnotateKernels(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_ANNOTATE_KERNELS_H_
