// Builds scalar expressions. Converts operands to a common dtype and omits neutral operations (x +
// 0, x * 1, a cast to the same dtype).
#ifndef LATHE_OPS_TE_SCALAR_MATH_H_
#define LATHE_OPS_TE_SCALAR_MATH_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "generator/ir/context.h"

namespace lathe::ops {

class ScalarMath {
 public:
  using PrimRef = ir::PrimRef;

  explicit ScalarMath(ir::Context& context) : context_(context) {}

  PrimRef Int(int64_t value) { return context_.Int(value); }
  // Returns a constant of any dtype: truncated to the range of int64 for integers, 0 or 1 for bool.
  PrimRef Const(double value, ir::DType dtype);
  PrimRef Lowest(ir::DType dtype);   // -inf where there is one
  PrimRef Highest(ir::DType dtype);  // +inf where there is one
  static bool HasInfinity(ir::DType dtype);
  PrimRef Cast(PrimRef value, ir::DType dtype);

  // The right side is cast to the dtype of the left. Comparisons cast both to a dtype that
  // represents them.
  PrimRef Add(PrimRef a, PrimRef b);
  PrimRef Sub(PrimRef a, PrimRef b);
  PrimRef Mul(PrimRef a, PrimRef b);
  PrimRef Div(PrimRef a, PrimRef b);
  PrimRef FloorDiv(PrimRef a, PrimRef b);
  PrimRef FloorMod(PrimRef a, PrimRef b);
  PrimRef Min(PrimRef a, PrimRef b) { return Binary(ir::BinaryOp::kMin, a, b); }
  PrimRef Max(PrimRef a, PrimRef b) { return Binary(ir::BinaryOp::kMax, a, b); }
  PrimRef Eq(PrimRef a, PrimRef b) { return Binary(ir::BinaryOp::kEq, a, b); }
  PrimRef Ne(PrimRef a, PrimRef b) { return Binary(ir::BinaryOp::kNe, a, b); }
  PrimRef Lt(PrimRef a, PrimRef b) { return Binary(ir::BinaryOp::kLt, a, b); }
  PrimRef Le(PrimRef a, PrimRef b) { return Binary(ir::BinaryOp::kLe, a, b); }
  PrimRef And(PrimRef a, PrimRef b);
  PrimRef Or(PrimRef a, PrimRef b) { return Binary(ir::BinaryOp::kOr, a, b); }
  PrimRef Not(PrimRef a) { return context_.Make(ir::UnaryOp::kNot, a); }
  PrimRef Neg(PrimRef a) { return context_.Make(ir::UnaryOp::kNeg, a); }
  PrimRef Binary(ir::BinaryOp op, PrimRef a, PrimRef b);

  // Evaluates both sides.
  PrimRef Select(PrimRef cond, PrimRef if_true, PrimRef if_false);
  // Evaluates only the selected side, for reads that may be out of bounds.
  PrimRef IfThenElse(PrimRef cond, PrimRef if_true, PrimRef if_false);
  PrimRef Call(absl::string_view name, std::vector<PrimRef> args);  // dtype of the first

  // lo <= i < hi
  PrimRef InRange(PrimRef i, PrimRef lo, PrimRef hi) { return And(Le(lo, i), Lt(i, hi)); }
  // Row-major position of `indices` in a box of `dims`, and back.
  PrimRef Flatten(const std::vector<PrimRef>& indices, const std::vector<PrimRef>& dims);
  std::vector<PrimRef> Unflatten(PrimRef position, const std::vector<PrimRef>& dims);

  ir::Context& ir() { return context_; }

 private:
  ir::Context& context_;
};

// Return the constants 0 and 1 of the dtype of `x`.
inline ir::PrimRef Zero(ScalarMath& m, ir::PrimRef x) { return m.Const(0, x->dtype()); }
inline ir::PrimRef One(ScalarMath& m, ir::PrimRef x) { return m.Const(1, x->dtype()); }

}  // namespace lathe::ops

#endif  // LATHE_OPS_TE_SCALAR_MATH_H_
