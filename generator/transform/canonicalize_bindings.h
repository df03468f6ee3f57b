// Bindings that only give another name to what has one are taken out of the way, and variables that
// need not leave their dataflow block no longer do.
//
//   y = x                         z = R.add(x, a)
//   t = (a, b)              →
//   u = t[0]
//   z = R.add(y, u)
//
// A cast that is certain to succeed is such a binding too, and what its shape variables are bound
// to takes their place. A variable keeps its binding when its annotation says something else than
// what is known of the value.
#ifndef LATHE_TRANSFORM_CANONICALIZE_BINDINGS_H_
#define LATHE_TRANSFORM_CANONICALIZE_BINDINGS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// Needs Value::info. Bindings that become unused are left for dead_code_elimination, except casts.
void CanonicalizeBindings(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_CANONICALIZE_BINDINGS_H_
