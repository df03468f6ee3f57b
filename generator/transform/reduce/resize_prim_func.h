// Replaces a size by another one in the buffers and loops of a PrimFunc.
//
//   x: T.Buffer((64, 8))                   x: T.Buffer((1, 8))
//   for i in range(64): y[i] = x[i, 0]     →     for i in range(1): y[i] = x[i, 0]
#ifndef LATHE_TRANSFORM_REDUCE_RESIZE_PRIM_FUNC_H_
#define LATHE_TRANSFORM_REDUCE_RESIZE_PRIM_FUNC_H_

#include <cstdint>

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::transform {

// A replacement of one size, and of its multiples on request.
struct Resize {
  int64_t from = 0;
  int64_t to = 0;
  bool scales = false;

  int64_t operator()(int64_t size) const {
    if (size == from) return to;
    return scales && size > from && size % from == 0 ? size / from * to : size;
  }
};

// Resizes the shapes of buffers, the extents of loops, of axes of blocks and of regions. Numbers in
// other expressions stay, so the result may access elements that its buffers do not have. Returns
// false, and leaves `func` as it is, if nothing changes, or for regions in expressions and for
// constants of T.allocate_const.
bool ResizePrimFunc(ir::Context& context, const Resize& resize, ir::PrimFunc& func);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_REDUCE_RESIZE_PRIM_FUNC_H_
