// Calls of operators become calls of PrimFuncs, made by the operators' own computation.
//
//   @T.prim_func(private=True)
//   def add(x1: T.Buffer((n, 4)), x2: T.Buffer((4,)), out: T.Buffer((n, 4))): ...
//
//   y = R.add(x, w)     →     y = R.call_tir(add, (x, w), out_sinfo=R.Tensor((n, 4), "float32"))
//
// Exchanges between workers become calls of functions that the user links (ops/external_call.h).
// Calls that compute the same of arguments that are known alike share a PrimFunc.
#ifndef LATHE_TRANSFORM_LEGALIZE_H_
#define LATHE_TRANSFORM_LEGALIZE_H_

#include <set>
#include <string>

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// The attribute of a PrimFunc that says which operator it computes.
inline constexpr char kOperatorName[] = "operator_name";

// Leaves alone the operators in `keep`, those that are no computation (views, effects, external
// calls), and calls of which shapes or dtypes are not known: what comes later has a way for them,
// or says that it has none. What is computed is what inference says; an annotation that says more
// is matched when it runs. Needs Value::info, and every variable's to be up to date.
void Legalize(ir::Context& context, ir::Module& module, const std::set<std::string>& keep = {});

// Whether a PrimFunc can compute it: tensors with dimensions and dtypes, one or several.
bool IsComputable(ir::StructInfoRef info);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_LEGALIZE_H_
