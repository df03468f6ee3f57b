// Decides whether two nested loops can be collapsed into one contiguous loop.
#ifndef LATHE_NEST_COLLAPSIBLE_LOOPS_H_
#define LATHE_NEST_COLLAPSIBLE_LOOPS_H_

#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/nest.h"

namespace lathe::nest {

// For one access: a step of `around` must advance the address as far as all steps of `axis`.
bool AreCollapsible(ir::Context& context, ir::PrimRef around, const ir::NestAxis& axis,
                    const ir::Buffer& buffer, const std::vector<ir::PrimRef>& indices);

// For all loads in `e`. False if `e` uses one of the two variables outside of a load. Loads of
// `but` are ignored: they are equal for both loops.
bool AreCollapsible(ir::Context& context, ir::PrimRef around, const ir::NestAxis& axis,
                    ir::PrimRef e, ir::BufferRef but);

}  // namespace lathe::nest

#endif  // LATHE_NEST_COLLAPSIBLE_LOOPS_H_
