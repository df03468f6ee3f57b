// Whether two loops are one: the steps of the outer one go on where those of the inner one end.
#ifndef LATHE_NEST_GOES_ON_H_
#define LATHE_NEST_GOES_ON_H_

#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/nest.h"

namespace lathe::nest {

// Of one place in memory: a step of `around` is as far as all steps of `axis`.
bool GoesOn(ir::Context& context, ir::PrimRef around, const ir::NestAxis& axis,
            const ir::Buffer& buffer, const std::vector<ir::PrimRef>& indices);

// Of all that `e` reads; false where it mentions one of them elsewhere. What `but` holds is the
// same for both.
bool GoesOn(ir::Context& context, ir::PrimRef around, const ir::NestAxis& axis, ir::PrimRef e,
            ir::BufferRef but);

}  // namespace lathe::nest

#endif  // LATHE_NEST_GOES_ON_H_
