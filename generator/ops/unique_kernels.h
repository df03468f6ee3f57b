// Generates the loop nests of unique, which finds the different elements or slices of a tensor.
#ifndef LATHE_OPS_UNIQUE_KERNELS_H_
#define LATHE_OPS_UNIQUE_KERNELS_H_

#include <optional>

#include "generator/ops/data_kernels.h"

namespace lathe::ops {

// The compared items: all elements, or the slices along an axis.
struct Slices {
  std::optional<int> axis;
  ir::PrimRef count = nullptr;
};
// (x, place, first, count): for each slice, the index of its value among the different ones (sorted
// or by first occurrence) and whether it is the first occurrence; and the number of different
// slices.
NestResult PlaceUnique(ir::Context& context, ir::StructInfoRef x, const Slices& slices,
                       bool sorted);
// (x, place, first, out): the `different` unique slices.
NestResult FillUnique(ir::Context& context, ir::StructInfoRef x, const Slices& slices,
                      ir::PrimRef different);
// (place, first, out): the index of each first occurrence; without `first`, the number of
// occurrences.
NestResult FirstUnique(ir::Context& context, const Slices& slices, ir::PrimRef different);
NestResult CountUnique(ir::Context& context, const Slices& slices, ir::PrimRef different);

}  // namespace lathe::ops

#endif  // LATHE_OPS_UNIQUE_KERNELS_H_
