// The specification's traditional types: what is left of an info without expressions.
#ifndef LATHE_ANALYSIS_ERASED_TYPE_H_
#define LATHE_ANALYSIS_ERASED_TYPE_H_

#include "generator/ir/context.h"
#include "generator/ir/struct_info.h"

namespace lathe::analysis {

// erase_struct_info, as an info again: DynTensorType(ndim, dtype) is R.Tensor(dtype, ndim) and so
// on, PackedFuncType is the function of empty_derive. A FuncType has no purity, so it counts as
// impure, which all functions are accepted as.
ir::StructInfoRef EraseToType(ir::Context& context, ir::StructInfoRef info);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_ERASED_TYPE_H_
