// The functions that stand where a value does: what may be called when the run says which.
#ifndef LATHE_LOWER_FUNCTIONS_AS_VALUES_H_
#define LATHE_LOWER_FUNCTIONS_AS_VALUES_H_

#include <vector>

#include "absl/container/flat_hash_set.h"
#include "generator/analysis/call_graph.h"
#include "generator/ir/module.h"
#include "generator/lower/form.h"

namespace lathe::lower {

// GlobalIds and ExternFuncs, in the order of the program.
std::vector<Form> FunctionsAsValues(const ir::Module& module);

// The functions that others mention, or themselves, called or passed on.
absl::flat_hash_set<const ir::Function*> UsedFunctions(const ir::Module& module,
                                                       const analysis::CallGraph& calls);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_FUNCTIONS_AS_VALUES_H_
