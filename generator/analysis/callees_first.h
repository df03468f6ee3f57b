// Orders the routines of a program so that callees precede their callers.
#ifndef LATHE_ANALYSIS_CALLEES_FIRST_H_
#define LATHE_ANALYSIS_CALLEES_FIRST_H_

#include <vector>

#include "generator/ir/program.h"

namespace lathe::analysis {

// Returns all routines. Those that call each other are in an unspecified order.
std::vector<ir::RoutineId> CalleesFirst(const ir::Program& program);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_CALLEES_FIRST_H_
