// Finds the tensors of a routine that may share bytes although both are alive in one step: an input
// of a kernel that is not used later, and its output.
#ifndef LATHE_PLAN_FIND_OVERLAPS_H_
#define LATHE_PLAN_FIND_OVERLAPS_H_

#include <vector>

#include "generator/ir/program.h"
#include "generator/plan/pack.h"
#include "generator/plan/plan.h"

namespace lathe::plan {

// Returns the overlaps of `buffers`, numbered in their order. Steps in branches, and of routines
// that loop, have none.
std::vector<BlockOverlap> FindOverlaps(const ir::Program& program, const ir::Routine& routine,
                                       const std::vector<Buffer>& buffers);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_FIND_OVERLAPS_H_
