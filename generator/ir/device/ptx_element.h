// Maps PTX addresses to buffer elements: X.ptr_to([i]), T.ptx.addr(X.data, 16).
#ifndef LATHE_IR_DEVICE_PTX_ELEMENT_H_
#define LATHE_IR_DEVICE_PTX_ELEMENT_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::ir {

class PtxElements {
 public:
  PtxElements(Context& context, const PrimFunc& func);

  // Returns element `n` of an access of `lanes` elements of `dtype` at `address`; null if no buffer
  // has such elements there. An address is a multiple of the access size, so that all elements are
  // in one row if rows are multiples too.
  PrimRef At(PrimRef address, DType dtype, int64_t n, int64_t lanes);

 private:
  PrimRef Further(PrimRef index, int64_t by);
  // Advances `indices` by `offset` elements, possibly into another row.
  void Move(std::vector<PrimRef>& indices, const std::vector<PrimRef>& shape, int64_t offset);
  // Recomputes the indices up to `last` for a position `offset` elements later in their flattened
  // order.
  void Renumber(std::vector<PrimRef>& indices, const std::vector<PrimRef>& shape, size_t last,
                int64_t offset);

  Context& ir_;
  absl::flat_hash_map<PrimRef, BufferRef> buffers_;  // the first buffer declared over its data
};

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_PTX_ELEMENT_H_
