// Computes the range of an integer expression with wraparound. It is used for values computed from
// data, because the range analysis of sizes assumes that arithmetic does not wrap.
#ifndef LATHE_SCHEDULE_ACCESSES_WRAPPING_RANGE_H_
#define LATHE_SCHEDULE_ACCESSES_WRAPPING_RANGE_H_

#include "generator/analysis/arithmetic/assumptions.h"
#include "generator/ir/context.h"

namespace lathe::schedule {

analysis::Interval WrappingRange(ir::Context& context, ir::PrimRef e,
                                 const analysis::Assumptions& known);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_ACCESSES_WRAPPING_RANGE_H_
