// Which of the functions that kernels call may fail.
#ifndef LATHE_NEST_FAILING_CALLEES_H_
#define LATHE_NEST_FAILING_CALLEES_H_

#include <map>
#include <set>
#include <string>

#include "generator/ir/tir.h"

namespace lathe::nest {

using CalleeNames = std::set<std::string>;

// Those that have an assertion, or call such a one.
CalleeNames FailingCallees(const std::map<std::string, ir::PrimFunc>& callees);

// Whether an assertion in `stmt`, or in what it calls, may not hold.
bool MayFail(const CalleeNames& failing, ir::StmtRef stmt);

}  // namespace lathe::nest

#endif  // LATHE_NEST_FAILING_CALLEES_H_
