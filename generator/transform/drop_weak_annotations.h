// Annotations that say less of a value than is needed to place it are dropped, where the value
// itself says more.
//
//   a: R.Object = R.exp(x)      →      a = R.exp(x)
//
// An annotation is no more than a bound of what the value is, so the program stays the same.
#ifndef LATHE_TRANSFORM_DROP_WEAK_ANNOTATIONS_H_
#define LATHE_TRANSFORM_DROP_WEAK_ANNOTATIONS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::transform {

// Those of bindings, not of parameters and results. Infos are derived again when one is dropped.
void DropWeakAnnotations(ir::Context& context, ir::Module& module, Diagnostics& diags);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_DROP_WEAK_ANNOTATIONS_H_
