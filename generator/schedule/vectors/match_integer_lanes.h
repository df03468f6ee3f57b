// Matches elementwise stages of quantized operators, whose elements are computed as int32: sums and
// products of int8 tensors, requantization, clamping.
#ifndef LATHE_SCHEDULE_VECTORS_MATCH_INTEGER_LANES_H_
#define LATHE_SCHEDULE_VECTORS_MATCH_INTEGER_LANES_H_

#include <optional>

#include "generator/ir/context.h"
#include "generator/ir/kernel_form.h"
#include "generator/target/target.h"

namespace lathe::schedule {

// Collapses the loops that are contiguous in all accesses. Returns nullopt if the stage reduces, if
// an operation has no vector form, or if fewer elements than a vector are adjacent.
std::optional<ir::IntegerLanes> MatchIntegerLanes(ir::Context& context, const ir::NestStage& stage,
                                                  const Target& target);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_VECTORS_MATCH_INTEGER_LANES_H_
