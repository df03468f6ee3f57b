#include "generator/schedule/accesses/wrapping_range.h"

#include "generator/analysis/arithmetic/bounds.h"

namespace lathe::schedule {
namespace {

using analysis::Interval;
using ir::BinaryOp;
using ir::PrimRef;

// Returns all values of the dtype. 64-bit ranges are unbounded.
Interval RangeOf(ir::DType dtype) {
  if (dtype.is_bool()) return {0, 1};
  if (!dtype.is_integer()) return {};
  if (dtype.is_int() && dtype.bits < 64) {
    return {-(int64_t{1} << (dtype.bits - 1)), (int64_t{1} << (dtype.bits - 1)) - 1};
  }
  if (dtype.is_int()) return {};
  return {0, dtype.bits < 63 ? (int64_t{1} << dtype.bits) - 1 : analysis::kPosInf};
}

class CertainRanges {
 public:
  CertainRanges(ir::Context& ir, const analysis::Assumptions& known) : ir_(ir), known_(known) {}

  Interval Of(PrimRef e) {
    if (const auto* n = e->As<ir::Binary>()) return OfBinary(e->dtype(), *n);
    if (const auto* n = e->As<ir::Cast>()) {
      return n->value->dtype().is_integer() ? Wrapped(Of(n->value), e->dtype())
                                            : RangeOf(e->dtype());
    }
    if (const auto* n = e->As<ir::Select>()) {
      const Interval if_true = Of(n->if_true);
      return Union(if_true, Of(n->if_false));
    }
    const auto* call = e->As<ir::Intrinsic>();
    if (call != nullptr && call->name == "if_then_else") {
      const Interval if_true = Of(call->args[1]);
      return Union(if_true, Of(call->args[2]));
    }
    const bool leaf = e->As<ir::SymVar>() != nullptr || e->As<ir::IntImm>() != nullptr;
    return leaf && e->dtype().is_int() ? analysis::BoundsOf(ir_, e, known_) : RangeOf(e->dtype());
  }

 private:
  // Returns the range unchanged if it fits into the dtype, else all values of the dtype.
  static Interval Wrapped(Interval range, ir::DType dtype) {
    const Interval all = RangeOf(dtype);
    const bool open =
        dtype.bits >= 64 && (range.hi == analysis::kPosInf || range.lo == analysis::kNegInf);
    return !open && range.lo >= all.lo && range.hi <= all.hi ? range : all;
  }

  Interval OfBinary(ir::DType dtype, const ir::Binary& n) {
    const Interval a = Of(n.lhs), b = Of(n.rhs);
    switch (n.op) {
      case BinaryOp::kAdd:
        return Wrapped(a + b, dtype);
      case BinaryOp::kSub:
        return Wrapped(a - b, dtype);
      case BinaryOp::kMul:
        return Wrapped(a * b, dtype);
      case BinaryOp::kMin:
        return Min(a, b);
      case BinaryOp::kMax:
        return Max(a, b);
      case BinaryOp::kFloorDiv:
        return b.Contains(0) ? RangeOf(dtype) : Wrapped(FloorDiv(a, b), dtype);
      case BinaryOp::kFloorMod:
        return b.lo > 0 ? FloorMod(a, b) : RangeOf(dtype);
      case BinaryOp::kDiv:
        return a.lo >= 0 && b.lo > 0 ? FloorDiv(a, b) : RangeOf(dtype);
      case BinaryOp::kMod:
        return a.lo >= 0 && b.lo > 0 ? FloorMod(a, b) : RangeOf(dtype);
      default:
        return RangeOf(dtype);
    }
  }

  ir::Context& ir_;
  const analysis::Assumptions& known_;
};

}  // namespace

Interval WrappingRange(ir::Context& context, PrimRef e, const analysis::Assumptions& known) {
  return CertainRanges(context, known).Of(e);
}

}  // namespace lathe::schedule
