// Finds the shape variables of scalar expressions and structural information, tells which are bound
// by their position, and maps those of a callee to the arguments of a call.
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

// Returns the free variables of `e`, each once, from left to right.
std::vector<ir::PrimRef> VarsIn(ir::PrimRef e);

// Calls `visit` for every dimension and value in `info`, except inside function infos, in source
// order. A tuple that occurs several times is visited once.
void ForEachDim(ir::StructInfoRef info, absl::FunctionRef<void(ir::PrimRef)> visit);

// Returns the variables in binding positions of `info`: alone as a dimension, as a member of a
// shape, or as the value of a scalar. Function infos bind their own variables and are skipped.
std::vector<ir::PrimRef> BindingVars(ir::StructInfoRef info);

// Returns the variables in binding positions of the parameters of `f`. Those that no outer scope
// has bound belong to the function.
std::vector<ir::PrimRef> OwnVars(const ir::FuncInfo& f);

// Returns the variables that `info` uses, except those that a function info inside binds itself.
std::vector<ir::PrimRef> FreeVars(ir::StructInfoRef info);

// Returns the variables that `info` uses, including those inside function infos.
std::vector<ir::PrimRef> AllVars(ir::StructInfoRef info);

using ShapeVarMap = absl::flat_hash_map<ir::PrimRef, ir::PrimRef>;

// The specification's get_shape_var_mapping: maps variables in binding positions of `formal` to
// their values in `actual`. Considers only variables for which `unbound` returns true; the first
// occurrence of a variable wins.
//
// Differs from the specification in three places: a variable in a ShapeInfo maps to the member of
// the other shape, not to itself; the value of a PrimInfo is a binding position, as the
// specification says where it describes the start of a function; variables bound by a FuncInfo are
// bound by each of its calls.
void AddShapeVarMapping(ir::StructInfoRef formal, ir::StructInfoRef actual,
                        absl::FunctionRef<bool(ir::PrimRef)> unbound, ShapeVarMap& mapping);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_ARITHMETIC_SHAPE_VARS_H_
