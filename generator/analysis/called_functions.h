// Lists the functions that a PrimFunc calls by name.
#ifndef LATHE_ANALYSIS_CALLED_FUNCTIONS_H_
#define LATHE_ANALYSIS_CALLED_FUNCTIONS_H_

#include <set>
#include <string>

#include "generator/ir/tir.h"

namespace lathe::analysis {

// Returns the names of external functions and of other PrimFuncs, without those that these call.
std::set<std::string> CalledFunctions(const ir::PrimFunc& func);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_CALLED_FUNCTIONS_H_
