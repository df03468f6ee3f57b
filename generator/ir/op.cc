#include "generator/ir/op.h"

#include <utility>

#include "generator/ir/context.h"

namespace lathe::ir {

bool InferContext::CanEqual(PrimRef a, PrimRef b) { return CanBeAnEqualPair({{a, b}}); }

bool InferContext::CanEqualOrBeOne(PrimRef a, PrimRef b) {
  return CanBeAnEqualPair({{a, ir().Int(1, a->dtype())}, {a, b}});
}

bool InferContext::CanBroadcast(PrimRef a, PrimRef b) {
  // Orders the operands, so that both orders yield the same run-time check.
  if (a->As<IntImm>() == nullptr && b->As<IntImm>() == nullptr && ToString(b) < ToString(a)) {
    std::swap(a, b);
  }
  return CanBeAnEqualPair({{a, ir().Int(1, a->dtype())}, {b, ir().Int(1, b->dtype())}, {a, b}});
}

bool InferContext::CanBeAtMost(PrimRef a, PrimRef b) {
  const Tri at_most = ProveLessEqual(a, b);
  if (at_most == Tri::kUnknown)
    RequireAtRunTime(ir().Make(BinaryOp::kLe, a, ir().MakeCast(a->dtype(), b)));
  return at_most != Tri::kNo;
}

bool InferContext::CanDiffer(PrimRef a, PrimRef b) {
  const Tri equal = ProveEqual(a, b);
  if (equal == Tri::kUnknown)
    RequireAtRunTime(ir().Make(BinaryOp::kNe, a, ir().MakeCast(a->dtype(), b)));
  return equal != Tri::kYes;
}

bool InferContext::CanBeAnEqualPair(std::initializer_list<std::pair<PrimRef, PrimRef>> pairs) {
  PrimRef need = nullptr;
  for (const auto& [a, b] : pairs) {
    const Tri equal = ProveEqual(a, b);
    if (equal == Tri::kYes) return true;
    if (equal == Tri::kNo) continue;
    PrimRef one = ir().Make(BinaryOp::kEq, a, ir().MakeCast(a->dtype(), b));
    need = need == nullptr ? one : ir().Make(BinaryOp::kOr, need, one);
  }
  if (need != nullptr) RequireAtRunTime(need);
  return need != nullptr;
}

}  // namespace lathe::ir
