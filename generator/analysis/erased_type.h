// Erases an info to the specification's traditional types, which contain no expressions.
#ifndef LATHE_ANALYSIS_ERASED_TYPE_H_
#define LATHE_ANALYSIS_ERASED_TYPE_H_

#include "generator/ir/context.h"
#include "generator/ir/struct_info.h"

namespace lathe::analysis {

// Implements the specification's erase_struct_info, with types represented as infos:
// DynTensorType(ndim, dtype) is R.Tensor(dtype, ndim), PackedFuncType is the function of
// empty_derive. A FuncType has no purity, so it counts as impure, which accepts all functions.
ir::StructInfoRef EraseToType(ir::Context& context, ir::StructInfoRef info);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_ERASED_TYPE_H_
