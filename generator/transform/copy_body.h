// A copy of a function's body that can stand beside the original: everything it binds is new.
#ifndef LATHE_TRANSFORM_COPY_BODY_H_
#define LATHE_TRANSFORM_COPY_BODY_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/transform/replace_variables.h"

namespace lathe::transform {

// `f` is no literal inside another function, or one whose outer variables `outside` replaces. What
// stands for its parameters and the shape variables of its signature is in `outside` already; it is
// added to.
ir::Body CopyBody(ir::Context& context, ir::Module& module, const ir::Function& f,
                  Replacement& outside);

// New variables for the shape variables that `f` mentions anywhere, except those that `outside` has
// something for.
void RenameShapeVars(ir::Context& context, const ir::Module& module, const ir::Function& f,
                     Replacement& outside);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_COPY_BODY_H_
