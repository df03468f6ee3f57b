// Defines the int8 dot product operations that schedule/int8/use_dot_products creates from loops,
// for targets with suitable instructions. Not part of TVMScript.
//
//   lathe_dots_i8(count, step, sums[0], w[c], x0[r], x1[r])     one or two rows, four columns
//
// The loads give the start of each row; the columns of w are `step` elements apart.
//
// For targets with vectors, whose lanes are adjacent columns:
//
//   lathe_dot_panels_i8(count, panels, sums[0], w[0], x0[0], ...)   up to four rows
//
#ifndef LATHE_IR_INT8_DOT_H_
#define LATHE_IR_INT8_DOT_H_

#include <cstdint>

#include "generator/ir/context.h"

namespace lathe::ir {

inline constexpr char kInt8Dot[] = "lathe_dots_i8";
inline constexpr int64_t kDotColumns = 4;

inline constexpr char kDotPanels[] = "lathe_dot_panels_i8";
inline constexpr int64_t kDotPanelRows = 4;  // at most
inline constexpr int64_t kDotPanelColumns = 16;

// Returns the index of the weight for column c of panel p: four k are adjacent, then columns.
//
//   (p * fours + k / 4) * 64 + 4 * c + k % 4       where fours = (count + 3) / 4
inline int64_t DotPanels(int64_t columns) {
  return (columns + kDotPanelColumns - 1) / kDotPanelColumns;
}
inline constexpr int64_t kDotPanelDepth = 4;
inline int64_t DotPanelFours(int64_t count) {
  return (count + kDotPanelDepth - 1) / kDotPanelDepth;
}
inline PrimRef DotPanelIndex(Context& context, PrimRef panel, PrimRef k, PrimRef column,
                             int64_t count) {
  const auto number = [&](int64_t n) { return context.Int(n, k->dtype()); };
  const auto make = [&](BinaryOp op, PrimRef a, PrimRef b) { return context.Make(op, a, b); };
  const PrimRef depth = number(kDotPanelDepth);
  PrimRef place = make(BinaryOp::kMul, panel, number(DotPanelFours(count)));
  place = make(BinaryOp::kAdd, place, make(BinaryOp::kFloorDiv, k, depth));
  place = make(BinaryOp::kMul, place, number(kDotPanelDepth * kDotPanelColumns));
  place = make(BinaryOp::kAdd, place, make(BinaryOp::kMul, column, depth));
  return make(BinaryOp::kAdd, place, make(BinaryOp::kFloorMod, k, depth));
}

}  // namespace lathe::ir

#endif  // LATHE_IR_INT8_DOT_H_
