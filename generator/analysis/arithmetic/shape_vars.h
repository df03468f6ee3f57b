// The shape variables inside scalar expressions and structural information: which there are, which
// are bound where they stand, and what becomes of them when a function is called.
//
//   R.Callable((R.Tensor((n, m * 2)), R.Shape([m])), R.Tensor((n + k,)))
//                         n, m stand alone in a parameter, so the function binds them; k is free
#ifndef LATHE_ANALYSIS_ARITHMETIC_SHAPE_VARS_H_
#define LATHE_ANALYSIS_ARITHMETIC_SHAPE_VARS_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "generator/ir/context.h"
#include "generator/ir/prim_expr.h"
#include "generator/ir/struct_info.h"

namespace lathe::analysis {

// The variables of `e` that it does not bind itself, each once, from left to right.
std::vector<ir::PrimRef> VarsIn(ir::PrimRef e);

// Every dimension or value that stands in `info` outside of function infos, in the order of the
// text, each once for every place in the interned structure.
void ForEachDim(ir::StructInfoRef info, absl::FunctionRef<void(ir::PrimRef)> visit);

// The variables in binding positions of `info`: alone as a dimension, as a member of a shape or as
// the value of a scalar. What stands in a function info is that function's own business.
std::vector<ir::PrimRef> BindingVars(ir::StructInfoRef info);

// The variables that stand in binding positions of the parameters of `f`. Those among them that no
// outer scope has bound are the function's own.
std::vector<ir::PrimRef> OwnVars(const ir::FuncInfo& f);

// The variables `info` uses without binding them: all, except those that a function info inside
// binds for itself.
std::vector<ir::PrimRef> FreeVars(ir::StructInfoRef info);

using ShapeVarMap = absl::flat_hash_map<ir::PrimRef, ir::PrimRef>;

// get_shape_var_mapping of the specification: what the variables in binding positions of `formal`
// are in `actual`. Only those that `unbound` says yes to; the first place of a variable wins.
//
// Three slips there are mended: a variable in a ShapeInfo maps to the member of the other shape,
// not to itself; the value of a PrimInfo is a binding position, as the specification says where it
// describes the start of a function; and what a FuncInfo binds is left to each of its calls.
void AddShapeVarMapping(ir::StructInfoRef formal, ir::StructInfoRef actual,
                        absl::FunctionRef<bool(ir::PrimRef)> unbound, ShapeVarMap& mapping);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_ARITHMETIC_SHAPE_VARS_H_
