// Expresses the address of a buffer element as an affine function of the axes of a loop nest.
#ifndef LATHE_NEST_AFFINE_ACCESS_H_
#define LATHE_NEST_AFFINE_ACCESS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::nest {

// start + the sum of stride * axis, in elements from the start of the buffer. Every variable that
// is not an axis counts as invariant.
struct AffineAccess {
  ir::PrimRef start = nullptr;
  std::vector<ir::PrimRef> strides;  // one for each axis
};

// Returns the address of buffer[indices]. Returns nothing if it is not affine in the axes or
// depends on loaded data, or if the buffer has strides or an element offset.
std::optional<AffineAccess> AccessOf(ir::Context& context, const ir::Buffer& buffer,
                                     const std::vector<ir::PrimRef>& indices,
                                     const std::vector<ir::PrimRef>& axes);

}  // namespace lathe::nest

#endif  // LATHE_NEST_AFFINE_ACCESS_H_
