// The values of an integer, whatever wraps around in it: of what a program computes of its data,
// where arithmetic of sizes, which does not wrap, would say too much.
#ifndef LATHE_SCHEDULE_ACCESSES_CERTAIN_RANGE_H_
#define LATHE_SCHEDULE_ACCESSES_CERTAIN_RANGE_H_

#include "generator/analysis/arithmetic/assumptions.h"
#include "generator/ir/context.h"

namespace lathe::schedule {

analysis::Interval CertainRange(ir::Context& context, ir::PrimRef e,
                                const analysis::Assumptions& known);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_ACCESSES_CERTAIN_RANGE_H_
