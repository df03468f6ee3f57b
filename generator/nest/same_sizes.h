// Sizes that are the same whatever runs, whether they count in 32 or in 64 bits.
#ifndef LATHE_NEST_SAME_SIZES_H_
#define LATHE_NEST_SAME_SIZES_H_

#include <vector>

#include "generator/ir/context.h"

namespace lathe::nest {

bool SameSize(ir::Context& context, ir::PrimRef a, ir::PrimRef b);

// Of all dimensions, as many on both sides.
bool SameSizes(ir::Context& context, const std::vector<ir::PrimRef>& a,
               const std::vector<ir::PrimRef>& b);

}  // namespace lathe::nest

#endif  // LATHE_NEST_SAME_SIZES_H_
