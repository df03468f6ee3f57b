#include "generator/analysis/arithmetic/prove.h"

#include <algorithm>

#include "generator/analysis/arithmetic/arithmetic.h"

namespace lathe::analysis {
namespace {

using ir::PrimRef;
using ir::Tri;

Tri Answer(bool yes, bool no) { return yes ? Tri::kYes : no ? Tri::kNo : Tri::kUnknown; }

// The range of b - a, derived from both forms of writing it; invalid if nothing is known.
struct Gap {
  bool known = false;
  Interval range;
  bool never_zero = false;
};
Gap GapBetween(ir::Context& context, PrimRef a, PrimRef b, const Assumptions& known) {
  Gap gap;
  if (!IsSignedScalar(a->dtype()) || !IsSignedScalar(b->dtype())) return gap;
  for (const auto goal : {Arithmetic::Goal::kReading, Arithmetic::Goal::kProving}) {
    Arithmetic arithmetic(context, known, goal);
    Sum difference;
    if (!AddScaled(difference, arithmetic.AsSum(b), 1)) continue;
    if (!AddScaled(difference, arithmetic.AsSum(a), -1)) continue;
    const Interval range = arithmetic.BoundsOf(difference);
    gap.range = {std::max(gap.range.lo, range.lo), std::min(gap.range.hi, range.hi)};
    // 2n = 2m + 1 has no solution: the left is even.
    const int64_t gcd = CoefficientGcd(difference);
    if (gcd > 1 && difference.constant % gcd != 0) gap.never_zero = true;
    gap.known = true;
    if (difference.is_constant()) break;
  }
  return gap;
}

}  // namespace

Tri ProveEqual(ir::Context& context, PrimRef a, PrimRef b, const Assumptions& known) {
  if (a == b) return Tri::kYes;
  const auto* left = a->As<ir::IntImm>();
  const auto* right = b->As<ir::IntImm>();
  if (left != nullptr && right != nullptr) return Answer(left->value == right->value, true);
  const Gap gap = GapBetween(context, a, b, known);
  if (!gap.known) return Tri::kUnknown;
  return Answer(gap.range.lo == 0 && gap.range.hi == 0, gap.never_zero || !gap.range.Contains(0));
}

Tri ProveLess(ir::Context& context, PrimRef a, PrimRef b, const Assumptions& known) {
  const Gap gap = GapBetween(context, a, b, known);
  return gap.known ? Answer(gap.range.lo > 0, gap.range.hi <= 0) : Tri::kUnknown;
}

Tri ProveLessEqual(ir::Context& context, PrimRef a, PrimRef b, const Assumptions& known) {
  const Gap gap = GapBetween(context, a, b, known);
  return gap.known ? Answer(gap.range.lo >= 0, gap.range.hi < 0) : Tri::kUnknown;
}

Tri Prove(ir::Context& context, PrimRef condition, const Assumptions& known) {
  for (const auto goal : {Arithmetic::Goal::kReading, Arithmetic::Goal::kProving}) {
    const PrimRef e = Arithmetic(context, known, goal).Simplify(condition);
    if (const auto* n = e->As<ir::IntImm>()) return Answer(n->value != 0, true);
  }
  return Tri::kUnknown;
}

}  // namespace lathe::analysis
