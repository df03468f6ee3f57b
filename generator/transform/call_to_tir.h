// Converts an operator call to a call of the PrimFunc that computes it.
#ifndef LATHE_TRANSFORM_CALL_TO_TIR_H_
#define LATHE_TRANSFORM_CALL_TO_TIR_H_

#include <vector>

#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/ir/op.h"

namespace lathe::transform {

// A PrimFunc that computes an operator call, and what its extra parameters receive.
struct CallTirFunc {
  ir::PrimFunc func;
  std::vector<ir::PrimRef> sizes;  // arguments of the extra parameters
};

// Returns the PrimFunc that `compute` generates for `call` and the known infos of its arguments.
// Scalars that no parameter binds become extra parameters. The PrimFunc starts by asserting
// `needs`. Fails with the reason of `compute`, or if an extra parameter would not be int64.
absl::StatusOr<CallTirFunc> CallToTir(ir::Context& context, const ir::Module& module,
                                      const ir::Call& call, ir::ComputeFn compute,
                                      ir::StructInfoRef result,
                                      const std::vector<ir::PrimRef>& needs);

// Returns the scalars that `func` uses and does not define: they are neither a parameter, nor a
// dimension of the buffer of a parameter, nor bound in the body.
std::vector<ir::PrimRef> FreeScalars(const ir::PrimFunc& func);

// Appends the FreeScalars of `func` to its parameters and returns them. Fails without changes if
// one is not int64.
absl::StatusOr<std::vector<ir::PrimRef>> AddSizeParams(ir::PrimFunc& func);

// Returns R.call_tir(func, (tensors...), sizes, out_sinfo=result). Tuple literals in `tensors` are
// flattened.
ir::Call CallTir(ir::GlobalId func, const std::vector<ir::Operand>& tensors,
                 const std::vector<ir::PrimRef>& sizes, ir::StructInfoRef result);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_CALL_TO_TIR_H_
