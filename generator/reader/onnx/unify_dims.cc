#include "generator/reader/onnx/unify_dims.h"

namespace lathe::onnx {
namespace {

// Returns true for min(whole, k) with k of at least 2: it is 1 only if `whole` is 1.
bool IsCut(PrimRef e, PrimRef whole) {
  const auto* least = e->As<ir::Binary>();
  if (least == nullptr || least->op != ir::BinaryOp::kMin) return false;
  const auto is = [&](PrimRef n, PrimRef k) {
    return n == whole && NodeCall::IntOf(k).value_or(0) >= 2;
  };
  return is(least->lhs, least->rhs) || is(least->rhs, least->lhs);
}

// Returns true for a variable with a lower bound of at least 2, which does not broadcast.
bool IsSeveral(NodeCall& n, PrimRef e) {
  const auto found = n.import().bounds.find(e);
  return found != n.import().bounds.end() && found->second.lo >= 2;
}

}  // namespace

void UnifyDims(NodeCall& n, Operand& a, Operand& b) {
  Dims first = n.DimsOf(a), second = n.DimsOf(b);
  bool changes_first = false, changes_second = false;
  for (size_t i = 1; i <= std::min(first.size(), second.size()); ++i) {
    PrimRef& x = first[first.size() - i];
    PrimRef& y = second[second.size() - i];
    if (IsCut(y, x)) {
      y = x;
      changes_second = true;
    } else if (IsCut(x, y)) {
      x = y;
      changes_first = true;
    } else if (x != y && IsSeveral(n, x) && IsSeveral(n, y)) {
      y = x;
      changes_second = true;
    }
  }
  if (changes_first) a = n.builder().MatchCast(a, n.ir().Tensor(first, n.TypeOf(a)));
  if (changes_second) b = n.builder().MatchCast(b, n.ir().Tensor(second, n.TypeOf(b)));
}

}  // namespace lathe::onnx
