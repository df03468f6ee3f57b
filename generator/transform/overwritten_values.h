// Finds variables whose memory the program may overwrite. Two such variables must not be merged,
// and none may become a constant.
//
//   a = R.zeros(...)
//   b = R.zeros(...)                            # b must not become a
//   c = R.call_tir_inplace(f, (a,), [0], ...)   # a is overwritten
#ifndef LATHE_TRANSFORM_OVERWRITTEN_VALUES_H_
#define LATHE_TRANSFORM_OVERWRITTEN_VALUES_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// Returns one flag for each variable. In a module without effects nothing is overwritten. In one
// with effects, overwritten arguments are tracked through the calls of the module's functions.
// Everything that a function value takes or returns may be overwritten.
IdVector<ir::ValueId, char> OverwrittenValues(ir::Context& context, const ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_OVERWRITTEN_VALUES_H_
