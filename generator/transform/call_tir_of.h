// A call of an operator as a call of the PrimFunc that computes it.
#ifndef LATHE_TRANSFORM_CALL_TIR_OF_H_
#define LATHE_TRANSFORM_CALL_TIR_OF_H_

#include <vector>

#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/ir/op.h"

namespace lathe::transform {

// The operator's loop nest for what is known of the call's arguments, with the shape variables that
// no buffer binds as further parameters; it begins by asserting `needs`. Fails, saying why, when
// there is none.
struct TirOfCall {
  ir::PrimFunc func;
  std::vector<ir::PrimRef> sizes;  // what the further parameters are given
};
absl::StatusOr<TirOfCall> TirOf(ir::Context& context, const ir::Module& module,
                                const ir::Call& call, ir::ComputeFn compute,
                                ir::StructInfoRef result, const std::vector<ir::PrimRef>& needs);

// The scalars that no parameter, and no dimension of one, says.
std::vector<ir::PrimRef> FreeScalars(const ir::PrimFunc& func);

// Scalars that `func` mentions and no buffer of a parameter binds become its last parameters.
absl::StatusOr<std::vector<ir::PrimRef>> AddSizeParams(ir::PrimFunc& func);

// R.call_tir(func, (tensors...), sizes, out_sinfo=result); the tensors of `args`, tuple literals
// taken apart.
ir::Call CallTir(ir::GlobalId func, const std::vector<ir::Operand>& tensors,
                 const std::vector<ir::PrimRef>& sizes, ir::StructInfoRef result);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_CALL_TIR_OF_H_
