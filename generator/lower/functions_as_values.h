// Lists the functions that are used as values: the possible callees of dynamic calls.
#ifndef LATHE_LOWER_FUNCTIONS_AS_VALUES_H_
#define LATHE_LOWER_FUNCTIONS_AS_VALUES_H_

#include <vector>

#include "absl/container/flat_hash_set.h"
#include "generator/analysis/call_graph.h"
#include "generator/ir/module.h"
#include "generator/lower/form.h"

namespace lathe::lower {

// Returns these functions as GlobalIds and ExternFuncs, in the order of their first use.
std::vector<Form> FunctionsAsValues(const ir::Module& module);

// Returns the functions that are called or passed on by others or by themselves.
absl::flat_hash_set<const ir::Function*> UsedFunctions(const ir::Module& module,
                                                       const analysis::CallGraph& calls);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_FUNCTIONS_AS_VALUES_H_
