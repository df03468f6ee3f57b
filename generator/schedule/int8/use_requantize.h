// Loops that make int8 of sums, and depthwise convolutions of int8, as ir::kRequantize and
// ir::kDepthwise.
#ifndef LATHE_SCHEDULE_INT8_USE_REQUANTIZE_H_
#define LATHE_SCHEDULE_INT8_USE_REQUANTIZE_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"
#include "generator/target/target.h"

namespace lathe::schedule {

// Only where the target has vectors in which numbers of 64 bits are made of 32 and 32.
void UseRequantize(ir::Context& context, ir::Program& program, const Target& target);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_INT8_USE_REQUANTIZE_H_
