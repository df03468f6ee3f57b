// Marks shape variables that may be negative: values of scalars that are not sizes.
#ifndef LATHE_ANALYSIS_SIGNED_VARS_H_
#define LATHE_ANALYSIS_SIGNED_VARS_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "generator/ir/context.h"
#include "generator/ir/struct_info.h"
#include "generator/ir/tir.h"

namespace lathe::analysis {

// Marks as signed the variables that `infos`, which are bound together, bind as the value of an
// R.Prim and do not bind in a shape. Variables for which `bound` is true are unchanged.
void FindSignedVars(ir::Context& context, const std::vector<ir::StructInfoRef>& infos,
                    absl::FunctionRef<bool(ir::PrimRef)> bound);

// Marks the scalar parameters of `func` that are not dimensions of its buffers. `func` must be a
// PrimFunc of the program, not one that was generated for an operator.
void FindSignedVars(ir::Context& context, const ir::PrimFunc& func);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_SIGNED_VARS_H_
