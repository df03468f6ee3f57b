// Applies the normal forms of operators to all calls of a module.
//
//   t = (x, y)                          t = (x, y)
//   z = R.call_tir(f, t, ...)     →     z = R.call_tir(f, (x, y), ...)
//
// Establishes well-formedness rule 23 for every call and is idempotent. Needs Value::info, and sets
// it for the variables it adds.
#ifndef LATHE_TRANSFORM_NORMALIZE_H_
#define LATHE_TRANSFORM_NORMALIZE_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// Returns true if it changed something.
bool Normalize(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_NORMALIZE_H_
