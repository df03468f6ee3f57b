// Finds the functions that may fail an assertion. Kernels call them.
#ifndef LATHE_NEST_FAILING_CALLEES_H_
#define LATHE_NEST_FAILING_CALLEES_H_

#include <map>
#include <set>
#include <string>

#include "generator/ir/tir.h"

namespace lathe::nest {

using CalleeNames = std::set<std::string>;

// Returns the functions that contain an assertion or call one that does.
CalleeNames FailingCallees(const std::map<std::string, ir::PrimFunc>& callees);

// Returns whether an assertion in `stmt`, or in a function that it calls, may fail.
bool MayFail(const CalleeNames& failing, ir::StmtRef stmt);

}  // namespace lathe::nest

#endif  // LATHE_NEST_FAILING_CALLEES_H_
