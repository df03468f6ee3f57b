// Converts an operator call to a call of the PrimFunc that computes it.
#ifndef LATHE_TRANSFORM_CALL_TO_TIR_H_
#define LATHE_TRANSFORM_CALL_TO_TIR_H_

#include <vector>

#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/ir/op.h"

namespace lathe::transform {

// The loop nest of the operator for the known infos of the arguments. Shape variables that no
// buffer binds are extra parameters. The PrimFunc starts by asserting `needs`. Fails with a reason
// when there is none.
struct CallTirFunc {
  ir::PrimFunc func;
  std::vector<ir::PrimRef> sizes;  // arguments of the extra parameters
};
absl::StatusOr<CallTirFunc> CallToTir(ir::Context& context, const ir::Module& module,
                                      const ir::Call& call, ir::ComputeFn compute,
                                      ir::StructInfoRef result,
                                      const std::vector<ir::PrimRef>& needs);

// Returns the scalars in `func` that are neither a parameter nor a dimension of one.
std::vector<ir::PrimRef> FreeScalars(const ir::PrimFunc& func);

// Adds the scalars in `func` that no parameter's buffer binds as its last parameters.
absl::StatusOr<std::vector<ir::PrimRef>> AddSizeParams(ir::PrimFunc& func);

// Returns R.call_tir(func, (tensors...), sizes, out_sinfo=result). Tuple literals in `tensors` are
// flattened.
ir::Call CallTir(ir::GlobalId func, const std::vector<ir::Operand>& tensors,
                 const std::vector<ir::PrimRef>& sizes, ir::StructInfoRef result);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_CALL_TO_TIR_H_
