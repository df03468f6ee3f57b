// Copies a function body with new variables and shape variables, so that both bodies can be in one
// module.
#ifndef LATHE_TRANSFORM_COPY_BODY_H_
#define LATHE_TRANSFORM_COPY_BODY_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/transform/replace_variables.h"

namespace lathe::transform {

// Returns a copy of the body of `f`. `f` must not capture variables other than those that `outside`
// replaces. `outside` already has replacements for the parameters and for the shape variables of
// the signature. The new variables are added to it.
ir::Body CopyBody(ir::Context& context, ir::Module& module, const ir::Function& f,
                  Replacement& outside);

// Adds to `outside` a new variable for each shape variable in `f` that `outside` does not replace.
void RenameShapeVars(ir::Context& context, const ir::Module& module, const ir::Function& f,
                     Replacement& outside);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_COPY_BODY_H_
