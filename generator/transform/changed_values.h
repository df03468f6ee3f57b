// Which variables may stand for memory that the program overwrites. Two of them must not become
// one, and a constant must not take the place of one.
//
//   a = R.zeros(...)
//   b = R.zeros(...)                            # b must not become a
//   c = R.call_tir_inplace(f, (a,), [0], ...)   # a is overwritten
#ifndef LATHE_TRANSFORM_CHANGED_VALUES_H_
#define LATHE_TRANSFORM_CHANGED_VALUES_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// One flag for each variable. In a module without effects nothing is overwritten. In one with them,
// what a call overwrites is followed through the calls of the module's functions; of functions that
// are values, whatever they are given or return may be.
IdVector<ir::ValueId, char> ChangedValues(ir::Context& context, const ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_CHANGED_VALUES_H_
