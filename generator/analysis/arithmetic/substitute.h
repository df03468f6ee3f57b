// Shape variables, and variables that stand as shapes, replaced by what they are.
#ifndef LATHE_ANALYSIS_ARITHMETIC_SUBSTITUTE_H_
#define LATHE_ANALYSIS_ARITHMETIC_SUBSTITUTE_H_

#include <map>

#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/ir/context.h"
#include "generator/ir/prim_expr.h"
#include "generator/ir/struct_info.h"

namespace lathe::analysis {

// R.Tensor(s) where s is a parameter: what the shape is at a call.
using ShapeVarOfCallee = std::map<ir::ValueId, ir::TensorInfo::ShapeOrVar>;

ir::PrimRef Substitute(ir::Context& context, ir::PrimRef e, const ShapeVarMap& mapping);

// The scope of `mapping` includes the function infos inside `info`: the caller leaves out of it
// what they bind themselves. Dimensions are not simplified.
ir::StructInfoRef Substitute(ir::Context& context, ir::StructInfoRef info,
                             const ShapeVarMap& mapping, const ShapeVarOfCallee& shapes = {});

// `info` with its function infos' own variables (those `outer` says no to) replaced by new ones of
// the same name, so that no variable is bound by two functions, or by one and around it.
ir::StructInfoRef RenameOwnVars(ir::Context& context, ir::StructInfoRef info,
                                absl::FunctionRef<bool(ir::PrimRef)> outer);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_ARITHMETIC_SUBSTITUTE_H_
