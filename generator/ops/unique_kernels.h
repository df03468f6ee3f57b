// Generates the loop nests of unique, which finds the different elements or slices of a tensor.
#ifndef LATHE_OPS_UNIQUE_KERNELS_H_
#define LATHE_OPS_UNIQUE_KERNELS_H_

#include <optional>

#include "generator/ops/data_kernels.h"

namespace lathe::ops {

// The compared items: all elements, or the `count` slices along an axis. Each function below
// returns a PrimFunc; the list in parentheses is its parameters.
struct Slices {
  std::optional<int> axis;
  ir::PrimRef count = nullptr;
};
// Returns (x, place, first, count): it computes, for each slice, the index of its value among the
// different ones (sorted or by first occurrence) and whether it is the first occurrence. `count` is
// the number of different slices.
NestResult PlaceUnique(ir::Context& context, ir::StructInfoRef x, const Slices& slices,
                       bool sorted);
// Returns (x, place, first, out): it stores the `different` unique slices.
NestResult FillUnique(ir::Context& context, ir::StructInfoRef x, const Slices& slices,
                      ir::PrimRef different);
// Returns (place, first, out): it stores the index of each first occurrence.
NestResult FirstUnique(ir::Context& context, const Slices& slices, ir::PrimRef different);
// Returns (place, out): it stores the number of occurrences of each different slice.
NestResult CountUnique(ir::Context& context, const Slices& slices, ir::PrimRef different);

}  // namespace lathe::ops

#endif  // LATHE_OPS_UNIQUE_KERNELS_H_
