// Where in memory an element is, as the axes of a loop nest advance.
#ifndef LATHE_NEST_AFFINE_ACCESS_H_
#define LATHE_NEST_AFFINE_ACCESS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::nest {

// start + the sum of stride * axis, in elements from the buffer's first. What is not one of the
// axes counts as fixed.
struct AffineAccess {
  ir::PrimRef start = nullptr;
  std::vector<ir::PrimRef> strides;  // one for each axis
};

// Nothing where it is no such sum, or other data says where it is.
std::optional<AffineAccess> AccessOf(ir::Context& context, const ir::Buffer& buffer,
                                     const std::vector<ir::PrimRef>& indices,
                                     const std::vector<ir::PrimRef>& axes);

}  // namespace lathe::nest

#endif  // LATHE_NEST_AFFINE_ACCESS_H_
