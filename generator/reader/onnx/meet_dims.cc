#include "generator/reader/onnx/meet_dims.h"

namespace lathe::onnx {
namespace {

// Whether `e` is min(whole, k): where one of them is 1, both are.
bool IsCut(PrimRef e, PrimRef whole) {
  const auto* least = e->As<ir::Binary>();
  if (least == nullptr || least->op != ir::BinaryOp::kMin) return false;
  const auto is = [&](PrimRef n, PrimRef k) {
    return n == whole && NodeCall::IntOf(k).value_or(0) >= 2;
  };
  return is(least->lhs, least->rhs) || is(least->rhs, least->lhs);
}

// Whether it is a variable that is said to be 2 or more, and so broadcasts to nothing else.
bool IsSeveral(NodeCall& n, PrimRef e) {
  const auto found = n.import().bounds.find(e);
  return found != n.import().bounds.end() && found->second.lo >= 2;
}

}  // namespace

void MeetDims(NodeCall& n, Operand& a, Operand& b) {
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
