// Removes bindings that only rename a value, and makes variables dataflow variables when their
// block is the only user.
//
//   y = x                         t = (a, b)    # unused
//   t = (a, b)              →     z = R.add(x, a)
//   u = t[0]
//   z = R.add(y, u)
//
// A cast that certainly succeeds is such a binding too; its shape variables are replaced by their
// values. A variable is kept when its annotation differs from the known info of the value.
#ifndef LATHE_TRANSFORM_CANONICALIZE_BINDINGS_H_
#define LATHE_TRANSFORM_CANONICALIZE_BINDINGS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// Needs Value::info. Bindings that become unused are left for dead_code_elimination, except casts.
void CanonicalizeBindings(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_CANONICALIZE_BINDINGS_H_
