// Each PrimFunc says what kind of kernel it is, for what fuses them.
//
//   @T.prim_func(private=True)
//   def add(x1: ..., x2: ..., out: ...):      →     T.func_attr({"kernel_kind": "elementwise"})
//       ...                                         ...
#ifndef LATHE_TRANSFORM_ANNOTATE_KERNELS_H_
#define LATHE_TRANSFORM_ANNOTATE_KERNELS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// One of the names of analysis::KernelKind.
inline constexpr char kKernelKind[] = "kernel_kind";

// What a PrimFunc said of itself before is not believed but replaced.
void AnnotateKernels(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_ANNOTATE_KERNELS_H_
