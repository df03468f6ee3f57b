// The element of a buffer that an address of PTX leads to: X.ptr_to([i]), T.ptx.addr(X.data, 16).
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

  // The element `n` of `lanes` of dtype `dtype` that are accessed at once, behind an address; null
  // where no buffer has such there. An address is a multiple of what is accessed, so that all lie
  // in one row where rows are such multiples.
  PrimRef At(PrimRef address, DType dtype, int64_t n, int64_t lanes);

 private:
  PrimRef Further(PrimRef index, int64_t by);
  // `behind` elements further on, in whichever row that is.
  void Move(std::vector<PrimRef>& indices, const std::vector<PrimRef>& shape, int64_t behind);
  // The indices up to `last`, of the place `behind` further on among all that they count.
  void Renumber(std::vector<PrimRef>& indices, const std::vector<PrimRef>& shape, size_t last,
                int64_t behind);

  Context& ir_;
  absl::flat_hash_map<PrimRef, BufferRef> buffers_;  // the first that is declared over its data
};

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_PTX_ELEMENT_H_
