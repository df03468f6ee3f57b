// The size of values, before anything walks over what they consist of.
#ifndef LATHE_LOWER_LIMIT_VALUES_H_
#define LATHE_LOWER_LIMIT_VALUES_H_

#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::lower {

// Reports the first value of `module` that has more than kMostPartsOfValue parts, those of its
// fields counted each time that they stand in it; true when there is none. In a module such tuples
// share their fields, and lowered they are written out.
bool LimitValues(const ir::Module& module, Diagnostics& diags);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LIMIT_VALUES_H_
