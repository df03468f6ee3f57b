// Loop nests for unique: what is different among the elements of a tensor, or among its slices.
#ifndef LATHE_OPS_UNIQUE_KERNELS_H_
#define LATHE_OPS_UNIQUE_KERNELS_H_

#include <optional>

#include "generator/ops/data_kernels.h"

namespace lathe::ops {

// What unique tells apart: all elements, or the slices along an axis.
struct Slices {
  std::optional<int> axis;
  ir::PrimRef count = nullptr;
};
// (x, place, first, count): for each slice the number of its like among the different ones, in
// order or as they first come; whether it is the first of its like; how many different ones.
MadeNest PlaceUnique(ir::Context& context, ir::StructInfoRef x, const Slices& slices, bool sorted);
// (x, place, first, out): the `different` ones.
MadeNest FillUnique(ir::Context& context, ir::StructInfoRef x, const Slices& slices,
                    ir::PrimRef different);
// (place, first, out): where each of them comes first; or, without `first`, how many are like it.
MadeNest FirstUnique(ir::Context& context, const Slices& slices, ir::PrimRef different);
MadeNest CountUnique(ir::Context& context, const Slices& slices, ir::PrimRef different);

}  // namespace lathe::ops

#endif  // LATHE_OPS_UNIQUE_KERNELS_H_
