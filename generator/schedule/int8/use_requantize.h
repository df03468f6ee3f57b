// Replaces loops that requantize sums to int8, and depthwise int8 convolutions, by ir::kRequantize
// and ir::kDepthwise.
#ifndef LATHE_SCHEDULE_INT8_USE_REQUANTIZE_H_
#define LATHE_SCHEDULE_INT8_USE_REQUANTIZE_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"
#include "generator/target/target.h"

namespace lathe::schedule {

// Programs for targets without dot-product instructions, or with vectors of less than 32 bytes, are
// unchanged: the code multiplies 32 by 32 bits to 64 bits in vectors.
void UseRequantize(ir::Context& context, ir::Program& program, const Target& target);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_INT8_USE_REQUANTIZE_H_
