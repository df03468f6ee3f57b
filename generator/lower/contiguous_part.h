// PrimFuncs that copy a tensor out of a larger one, or into it, where it is contiguous.
//
//   for i, j in grid(4, 8): out[i, j] = x[turn, i, j]      # 32 elements of x, from 32 * turn
#ifndef LATHE_LOWER_CONTIGUOUS_PART_H_
#define LATHE_LOWER_CONTIGUOUS_PART_H_

#include <optional>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::lower {

struct ContiguousPart {
  ir::BufferRef whole = nullptr, part = nullptr;  // parameters; `whole` is the first
  bool is_stored = false;                         // the part is copied to the whole
  // For each dimension of `whole`, where the part begins, over the scalar parameters.
  std::vector<ir::PrimRef> begin;
};

// Nothing where the function does anything else, or the part may not be contiguous.
std::optional<ContiguousPart> ContiguousPartOf(ir::Context& context, const ir::PrimFunc& func);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_CONTIGUOUS_PART_H_
