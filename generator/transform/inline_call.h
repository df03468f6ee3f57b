// Expands one call of a Relax function of the module.
#ifndef LATHE_TRANSFORM_INLINE_CALL_H_
#define LATHE_TRANSFORM_INLINE_CALL_H_

#include <optional>
#include <vector>

#include "generator/analysis/shape_scope.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// The replacement of `v = f(x)`: casts of the arguments, the blocks of the body, and the right-hand
// side of `v`.
struct InlinedCall {
  std::vector<ir::Binding> casts;
  std::vector<ir::Block> blocks;
  ir::Rhs value;
};

// Returns what replaces `call`, a call of `f`. Returns nullopt if the number of arguments is wrong,
// if the annotation of a parameter has a variable as its shape, R.Tensor(s), or if a shape variable
// of `f` would be used before it is bound. `bound` is BoundShapeVars of the module.
std::optional<InlinedCall> InlineCall(ir::Context& context, ir::Module& module,
                                      const analysis::ShapeScope& bound, const ir::Call& call,
                                      const ir::Function& f, const Location& loc);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_INLINE_CALL_H_
