// Drops annotations of bindings that lack a dtype, rank or size needed to assign memory, so that
// the derived info of the value takes their place.
//
//   a: R.Object = R.exp(x)      →      a = R.exp(x)
//
// An annotation is only an upper bound of the value's structure, so the meaning of the program is
// unchanged.
#ifndef LATHE_TRANSFORM_DROP_WEAK_ANNOTATIONS_H_
#define LATHE_TRANSFORM_DROP_WEAK_ANNOTATIONS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::transform {

// Keeps the annotations of parameters and results, and that of a copy whose value has a negative
// constant dimension. Derives infos again when it dropped one.
void DropWeakAnnotations(ir::Context& context, ir::Module& module, Diagnostics& diags);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_DROP_WEAK_ANNOTATIONS_H_
