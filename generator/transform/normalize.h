// The operators' own normal forms, applied over a module.
//
//   t = (x, y)                          t = (x, y)
//   z = R.call_tir(f, t, ...)     →     z = R.call_tir(f, (x, y), ...)
//
// What every call must obey after it is well-formedness rule 23: applying it again changes nothing.
// It needs Value::info, and gives it to the variables it adds.
#ifndef LATHE_TRANSFORM_NORMALIZE_H_
#define LATHE_TRANSFORM_NORMALIZE_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// True when something changed.
bool Normalize(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_NORMALIZE_H_
