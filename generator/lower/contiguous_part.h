// Matches PrimFuncs that copy a contiguous slice out of a tensor, or into one.
//
//   for i, j in grid(4, 8): out[i, j] = x[step, i, j]      # 32 elements of x, from 32 * step
//   for i, j in grid(2, 8): out[i, j] = x[i + 1, j]        # 16 elements, from 8
#ifndef LATHE_LOWER_CONTIGUOUS_PART_H_
#define LATHE_LOWER_CONTIGUOUS_PART_H_

#include <optional>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::lower {

struct ContiguousPart {
  ir::BufferRef whole = nullptr, part = nullptr;  // parameters; `whole` is the first
  bool is_stored = false;                         // the slice is copied into `whole`
  // For each dimension of `whole`, the start of the slice, in terms of the scalar parameters, and
  // its size. Whether the dimension has as many elements is not checked.
  std::vector<ir::PrimRef> begin, extent;
};

// Returns nothing if the function does anything else or the slice may not be contiguous.
std::optional<ContiguousPart> ContiguousPartOf(ir::Context& context, const ir::PrimFunc& func);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_CONTIGUOUS_PART_H_
