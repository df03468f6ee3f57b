// Replaces operator calls by R.call_tir of PrimFuncs that the operators generate.
//
//   @T.prim_func(private=True)
//   def add(x1: T.Buffer((n, 4)), x2: T.Buffer((4,)), out: T.Buffer((n, 4))): ...
//
//   y = R.add(x, w)     →     y = R.call_tir(add, (x, w), out_sinfo=R.Tensor((n, 4), "float32"))
//
// Collectives become calls of functions that the user links (ops/external_call.h). Calls with the
// same computation on arguments of equal infos share a PrimFunc.
#ifndef LATHE_TRANSFORM_LEGALIZE_H_
#define LATHE_TRANSFORM_LEGALIZE_H_

#include <set>
#include <string>

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// The PrimFunc attribute that holds the name of the operator it computes.
inline constexpr char kOperatorName[] = "operator_name";

// Skips the operators in `keep`, operators that compute nothing (views, effects, external calls),
// and calls with unknown shapes or dtypes: later stages handle these or report them. The PrimFunc
// computes the inferred result; a stricter annotation becomes a run-time check. Needs an up-to-date
// Value::info of every variable.
void Legalize(ir::Context& context, ir::Module& module, const std::set<std::string>& keep = {});

// Returns true if a PrimFunc can compute a value with this info: tensors of known shape and dtype.
bool IsComputable(ir::StructInfoRef info);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_LEGALIZE_H_
