// Implements the rules of Arithmetic for min and max.
#include <algorithm>
#include <utility>

#include "generator/analysis/arithmetic/arithmetic.h"
#include "generator/ir/canonical_order.h"

namespace lathe::analysis {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

// Expressions with more operands are not flattened.
constexpr size_t kMaxOperands = 16;

void Flatten(BinaryOp op, PrimRef e, int depth, std::vector<PrimRef>& operands) {
  const auto* n = e->As<ir::Binary>();
  if (n != nullptr && n->op == op && depth < 64) {
    Flatten(op, n->lhs, depth + 1, operands);
    Flatten(op, n->rhs, depth + 1, operands);
  } else {
    operands.push_back(e);
  }
}

}  // namespace

// Removes operands that another operand is known to dominate.
Sum Arithmetic::MinMaxSum(BinaryOp op, PrimRef e) {
  std::vector<PrimRef> operands;
  Flatten(op, e, 0, operands);
  if (operands.size() > kMaxOperands) return AtomSum(e);
  std::vector<std::pair<PrimRef, Sum>> kept;
  for (PrimRef operand : operands) {
    const Sum sum = AsSum(operand);
    // Returns whether `a` dominates `b`, so that `b` can be dropped.
    const auto beats = [&](const Sum& a, const Sum& b) {
      Sum gap;
      if (!AddScaled(gap, b, 1) || !AddScaled(gap, a, -1)) return false;
      const Interval range = BoundsOf(gap);
      return op == BinaryOp::kMin ? range.lo >= 0 : range.hi <= 0;
    };
    if (std::any_of(kept.begin(), kept.end(),
                    [&](const auto& k) { return beats(k.second, sum); })) {
      continue;
    }
    std::erase_if(kept, [&](const auto& k) { return beats(sum, k.second); });
    kept.emplace_back(Expr(sum, e->dtype()), sum);
  }
  if (kept.size() == 1) return kept.front().second;
  std::sort(kept.begin(), kept.end(),
            [](const auto& a, const auto& b) { return ir::PrecedesCanonically(a.first, b.first); });
  PrimRef result = kept.front().first;
  for (size_t i = 1; i < kept.size(); ++i) result = context_.Make(op, result, kept[i].first);
  return AtomSum(result);
}

}  // namespace lathe::analysis
