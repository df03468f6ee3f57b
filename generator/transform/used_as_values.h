// Finds functions of a module that are used as values: passed on, returned, stored in closures.
#ifndef LATHE_TRANSFORM_USED_AS_VALUES_H_
#define LATHE_TRANSFORM_USED_AS_VALUES_H_

#include "generator/ir/module.h"

namespace lathe::transform {

// Returns one flag for each global. Not all calls of a flagged function are known.
IdVector<ir::GlobalId, char> UsedAsValues(const ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_USED_AS_VALUES_H_
