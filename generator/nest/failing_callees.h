// Finds the functions called by kernels that may fail an assertion. Requires that
// schedule/finish/lift_calls has made each call a statement or the value of a Let.
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

// Returns whether `stmt` contains an assertion or calls one of the functions `failing`.
bool MayFail(const CalleeNames& failing, ir::StmtRef stmt);

}  // namespace lathe::nest

#endif  // LATHE_NEST_FAILING_CALLEES_H_
