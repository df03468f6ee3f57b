// Infos after a pass: what it made has none yet, what it changed may be known better.
#ifndef LATHE_TRANSFORM_DERIVE_AGAIN_H_
#define LATHE_TRANSFORM_DERIVE_AGAIN_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::transform {

// Derives the infos of a module that was derived before. Warnings were given then; what is certain
// to go wrong only now (dimensions that became numbers) is an error in `diags`.
void DeriveAgain(ir::Context& context, ir::Module& module, Diagnostics& diags);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_DERIVE_AGAIN_H_
