// Defines the int8 matrix product with requantization that schedule/int8/use_products creates from
// loops, for targets with vectors: int8 rows times weights in panels, with int8 results. Not part
// of TVMScript.
//
//   lathe_products_i8(rows, step, pieces, pitch, count, columns, start, shift, lo, hi,
//                     x[0], w[0], bias[0], factor, out[0])
//
// The loads give the start addresses; `factor` is a constant, or the first of one factor per
// column. Rows are `step` elements apart, the pieces of a row `pitch`; each piece has `count`
// contiguous elements.
#ifndef LATHE_IR_PRODUCTS_H_
#define LATHE_IR_PRODUCTS_H_

#include "generator/ir/int8_dot.h"

namespace lathe::ir {

inline constexpr char kProducts[] = "lathe_products_i8";

// Returns the number of k per row in the weights: each piece is padded to a multiple of four.
inline int64_t PiecesDepth(int64_t pieces, int64_t count) {
  return pieces * DotPanelFours(count) * kDotPanelDepth;
}

// Returns the index of the weight for element k of a piece, in column `lane` of a panel.
inline PrimRef PieceIndex(Context& context, PrimRef panel, PrimRef piece, PrimRef k, PrimRef lane,
                          int64_t pieces, int64_t count) {
  const PrimRef before =
      context.Make(BinaryOp::kMul, piece, context.Int(PiecesDepth(1, count), k->dtype()));
  return DotPanelIndex(context, panel, context.Make(BinaryOp::kAdd, before, k), lane,
                       PiecesDepth(pieces, count));
}

// Returns the number of columns of panel `panel`, of `columns` in total.
inline PrimRef PanelColumns(Context& context, PrimRef panel, int64_t columns) {
  const PrimRef most = context.Int(kDotPanelColumns, panel->dtype());
  if (columns % kDotPanelColumns == 0) return most;
  const PrimRef before = context.Make(BinaryOp::kMul, panel, most);
  const PrimRef left = context.Make(BinaryOp::kSub, context.Int(columns, panel->dtype()), before);
  return context.Make(BinaryOp::kMin, most, left);
}

}  // namespace lathe::ir

#endif  // LATHE_IR_PRODUCTS_H_
