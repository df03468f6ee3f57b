// Recognizes loops that read an input only at the position of the result that they write.
#ifndef LATHE_PLAN_SAME_PLACE_KERNEL_H_
#define LATHE_PLAN_SAME_PLACE_KERNEL_H_

#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "generator/ir/tir.h"

namespace lathe::plan {

// The loops around the store, outermost first, and the store.
struct SamePlaceNest {
  std::vector<const ir::ForStmt*> loops;
  ir::BufferRef written = nullptr;
  std::vector<ir::PrimRef> indices;
  bool reads = false;  // one of the inputs
};

// Returns the nest if `body` is one nest of loops around one store, to the memory of `to`, whose
// elements are written once, in the order of their addresses, and if it reads the memory of the
// buffers `from`, through views of the shape that the store has, at the indices of the store only.
// Each index has at most one variable of the loops, alone or as the second part of a sum.
std::optional<SamePlaceNest> SamePlaceNestOf(ir::StmtRef body, absl::Span<const ir::BufferRef> from,
                                             ir::BufferRef to);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_SAME_PLACE_KERNEL_H_
