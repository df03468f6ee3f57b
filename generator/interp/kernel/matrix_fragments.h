// Maps the elements of matrix fragments to threads of a warp, as PTX defines for mma.sync.
//
// Each row of the left factor and each column of the right one is shared by four lanes. A lane
// holds the elements along the depth that fill its register. Eight such lines make the 32 lanes.
// Further registers hold the lines after the first eight, then further depth. In each row of sums
// that a lane has a part of, it holds two neighbours.
#ifndef LATHE_INTERP_KERNEL_MATRIX_FRAGMENTS_H_
#define LATHE_INTERP_KERNEL_MATRIX_FRAGMENTS_H_

#include <cstddef>
#include <cstdint>

#include "generator/ir/device/matrix_call.h"

namespace lathe::interp {

struct FragmentPlace {
  uint32_t lane;
  size_t index;  // among the lane's elements
};
struct MatrixElement {
  int row;
  int column;
};

// The number of elements of each matrix per lane.
struct FragmentSizes {
  size_t a, b, c;
};
constexpr FragmentSizes SizesOf(const ir::MmaForm& form) {
  const auto per_lane = [](int rows, int columns) {
    return static_cast<size_t>(rows * columns / 32);
  };
  return {per_lane(form.m, form.k), per_lane(form.k, form.n), per_lane(form.m, form.n)};
}

// Returns the place of element k of line `line` in a factor of `lines` lines. `per_register`
// elements fill a register.
constexpr FragmentPlace PlaceOfFactor(int lines, int per_register, int line, int k) {
  const int blocks = lines / 8;  // of eight lines
  const int side = 4 * per_register;
  const int which = line / 8 + blocks * (k / side);
  return {static_cast<uint32_t>(line % 8 * 4 + k % side / per_register),
          static_cast<size_t>(which * per_register + k % per_register)};
}

// Returns the row and column of element `index` of a lane's sums.
constexpr MatrixElement SumAt(uint32_t lane, size_t index) {
  const int at = static_cast<int>(index);
  return {static_cast<int>(lane / 4) + 8 * (at / 2), static_cast<int>(lane % 4) * 2 + at % 2};
}

// The same for 16 x 16 sums, which are two adjacent 16 x 8 ones.
constexpr MatrixElement WideSumAt(uint32_t lane, size_t index) {
  const MatrixElement half = SumAt(lane, index % 4);
  return {half.row, half.column + 8 * static_cast<int>(index / 4)};
}

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_MATRIX_FRAGMENTS_H_
