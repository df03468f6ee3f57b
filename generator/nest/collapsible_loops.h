// Decides whether two nested loops can be collapsed into one contiguous loop.
#ifndef LATHE_NEST_COLLAPSIBLE_LOOPS_H_
#define LATHE_NEST_COLLAPSIBLE_LOOPS_H_

#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/nest.h"

namespace lathe::nest {

// Returns true if the loop over the variable `around` and the loop over `axis`, directly inside it,
// can be collapsed for the access buffer[indices]: a step of `around` advances the address as far
// as all steps of `axis`. Returns false if this is not certain.
bool AreCollapsible(ir::Context& context, ir::PrimRef around, const ir::NestAxis& axis,
                    const ir::Buffer& buffer, const std::vector<ir::PrimRef>& indices);

// Returns true if the loops can be collapsed for all loads in `e`. Loads of `except` must not use
// the two variables. Returns false if `e` uses one of them outside of a load.
bool AreCollapsible(ir::Context& context, ir::PrimRef around, const ir::NestAxis& axis,
                    ir::PrimRef e, ir::BufferRef except);

}  // namespace lathe::nest

#endif  // LATHE_NEST_COLLAPSIBLE_LOOPS_H_
