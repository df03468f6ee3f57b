// Proves that sizes are equal, regardless of their integer width.
#ifndef LATHE_NEST_SAME_SIZES_H_
#define LATHE_NEST_SAME_SIZES_H_

#include <vector>

#include "generator/ir/context.h"

namespace lathe::nest {

bool SameSize(ir::Context& context, ir::PrimRef a, ir::PrimRef b);

// Returns true if all dimensions are proved equal, and false if the numbers of dimensions differ.
bool SameSizes(ir::Context& context, const std::vector<ir::PrimRef>& a,
               const std::vector<ir::PrimRef>& b);

}  // namespace lathe::nest

#endif  // LATHE_NEST_SAME_SIZES_H_
