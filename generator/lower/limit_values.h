// Limits the number of parts of values before any traversal of them.
#ifndef LATHE_LOWER_LIMIT_VALUES_H_
#define LATHE_LOWER_LIMIT_VALUES_H_

#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::lower {

// Reports the first value of `module` with more than kMaxPartsOfValue parts. Returns true if there
// is none. A field counts each time that it occurs: tuples of the module share fields, but lowering
// expands them.
bool LimitValues(const ir::Module& module, Diagnostics& diags);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LIMIT_VALUES_H_
