// Rows of int8 times weights in panels, as int8 again, as one operation: what
// schedule/int8/use_products makes of loops, for targets with vectors. Not part of TVMScript.
//
//   lathe_products_i8(rows, step, pieces, pitch, count, columns, start, shift, lo, hi,
//                     x[0], w[0], bias[0], factor, out[0])
//
// The loads say where things begin; `factor` is a number, or the first of one for each column. Rows
// are `step` elements apart, the pieces of one `pitch`; each has `count` neighbours.
#ifndef LATHE_IR_PRODUCTS_H_
#define LATHE_IR_PRODUCTS_H_

#include "generator/ir/dots.h"

namespace lathe::ir {

inline constexpr char kProducts[] = "lathe_products_i8";

// The number of k of a row for which there are weights: each piece ends with a whole number of
// fours.
inline int64_t PiecesDepth(int64_t pieces, int64_t count) {
  return pieces * DotPanelFours(count) * kDotPanelDepth;
}

// Which of the weights that is for element k of a piece, in column `lane` of a panel.
inline PrimRef PiecePlace(Context& context, PrimRef panel, PrimRef piece, PrimRef k, PrimRef lane,
                          int64_t pieces, int64_t count) {
  const PrimRef before =
      context.Make(BinaryOp::kMul, piece, context.Int(PiecesDepth(1, count), k->dtype()));
  return DotPanelPlace(context, panel, context.Make(BinaryOp::kAdd, before, k), lane,
                       PiecesDepth(pieces, count));
}

// How many columns panel `panel` has of so many.
inline PrimRef PanelColumns(Context& context, PrimRef panel, int64_t columns) {
  const PrimRef most = context.Int(kDotPanelColumns, panel->dtype());
  if (columns % kDotPanelColumns == 0) return most;
  const PrimRef before = context.Make(BinaryOp::kMul, panel, most);
  const PrimRef left = context.Make(BinaryOp::kSub, context.Int(columns, panel->dtype()), before);
  return context.Make(BinaryOp::kMin, most, left);
}

}  // namespace lathe::ir

#endif  // LATHE_IR_PRODUCTS_H_
