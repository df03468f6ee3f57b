// Derives infos again after a pass, which may have created values without info or refined others.
#ifndef LATHE_TRANSFORM_REDERIVE_INFO_H_
#define LATHE_TRANSFORM_REDERIVE_INFO_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::transform {

// The module was derived before, and warnings were reported then. New certain errors, such as in
// dimensions that became numbers, are added to `diags`.
void RederiveInfo(ir::Context& context, ir::Module& module, Diagnostics& diags);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_REDERIVE_INFO_H_
