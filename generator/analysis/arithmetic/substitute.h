// Substitutes shape variables, and Relax variables used as shapes, by their values.
#ifndef LATHE_ANALYSIS_ARITHMETIC_SUBSTITUTE_H_
#define LATHE_ANALYSIS_ARITHMETIC_SUBSTITUTE_H_

#include <map>

#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/ir/context.h"
#include "generator/ir/prim_expr.h"
#include "generator/ir/struct_info.h"

namespace lathe::analysis {

// For R.Tensor(s), where s is a parameter of the callee: the shape of s at a call.
using ShapeVarOfCallee = std::map<ir::ValueId, ir::TensorInfo::ShapeOrVar>;

ir::PrimRef Substitute(ir::Context& context, ir::PrimRef e, const ShapeVarMap& mapping);

// `mapping` also applies inside function infos in `info`, so callers exclude the variables that
// these bind. Dimensions are not simplified.
ir::StructInfoRef Substitute(ir::Context& context, ir::StructInfoRef info,
                             const ShapeVarMap& mapping, const ShapeVarOfCallee& shapes = {});

// Replaces the variables that function infos in `info` bind (those for which `outer` returns false)
// by fresh ones of the same name, so that no variable is bound both by a function info and by
// another one or an outer scope.
ir::StructInfoRef RenameOwnVars(ir::Context& context, ir::StructInfoRef info,
                                absl::FunctionRef<bool(ir::PrimRef)> outer);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_ARITHMETIC_SUBSTITUTE_H_
