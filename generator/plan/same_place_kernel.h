// Recognizes kernels that read an input only at the position of the result that they write.
#ifndef LATHE_PLAN_SAME_PLACE_KERNEL_H_
#define LATHE_PLAN_SAME_PLACE_KERNEL_H_

#include "absl/types/span.h"
#include "generator/ir/tir.h"

namespace lathe::plan {

// Returns true if `body` is one nest of loops around one store, to `to`, whose elements are written
// once, in the order of their addresses, and reads the buffers `from`, of the same shape, at the
// indices of the store only.
bool IsSamePlaceKernel(ir::StmtRef body, absl::Span<const ir::BufferRef> from, ir::BufferRef to);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_SAME_PLACE_KERNEL_H_
