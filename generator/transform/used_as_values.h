// Functions of a module that are values: passed on, returned, kept in closures.
#ifndef LATHE_TRANSFORM_USED_AS_VALUES_H_
#define LATHE_TRANSFORM_USED_AS_VALUES_H_

#include "generator/ir/module.h"

namespace lathe::transform {

// One flag for each global. Not all calls of such a function are known.
IdVector<ir::GlobalId, char> UsedAsValues(const ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_USED_AS_VALUES_H_
