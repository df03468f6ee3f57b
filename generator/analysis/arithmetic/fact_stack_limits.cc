// Implements the part of FactStack that bounds the atoms of a sum.
#include <algorithm>
#include <utility>

#include "generator/analysis/arithmetic/fact_stack.h"

namespace lathe::analysis {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

// Returns whether `sum` is a constant multiple of `by`.
bool Divides(const Sum& sum, const Sum& by, Sum& quotient) {
  if (sum.terms.empty() || by.terms.empty()) return false;
  const int64_t times = sum.terms[0].coefficient / by.terms[0].coefficient;
  Sum rest = sum;
  quotient = ConstantSum(times);
  return times != 0 && AddScaled(rest, by, -times) && rest.is_constant() && rest.constant == 0;
}

int Sign(Interval range) { return range.lo >= 0 ? 1 : range.hi <= 0 ? -1 : 0; }

}  // namespace

// Returns the sign of a symbolic sum as far as it follows from the facts.
int FactStack::SignOf(const Sum& sum, int depth) {
  const int sign = Sign(BoundsOf(sum));
  if (sign != 0 || sum.is_constant() || depth < 8) return sign;
  if (Prove(sum, 4)) return 1;
  Sum opposite;
  return AddScaled(opposite, sum, -1) && Prove(opposite, 4) ? -1 : 0;
}

PrimRef FactStack::Core(PrimRef atom) {
  while (const auto* cast = atom->As<ir::Cast>()) {
    const ir::DType from = cast->value->dtype();
    if (!from.is_integer() || from.bits > atom->dtype().bits) break;
    if (from.is_uint() && atom->dtype().is_int() && from.bits == atom->dtype().bits) break;
    atom = cast->value;
  }
  return atom;
}

// Replaces loop variables by their first or last value, and quotients and remainders by their
// bounds.
bool FactStack::ProveByBounds(const Part& part, int depth) {
  const int sign = SignOf(part.times, depth);
  if (const auto it = loops_.find(part.atom); it != loops_.end()) {
    if (sign == 0) return false;
    const Loop loop = it->second;
    return ProveWith(part, sign > 0 ? loop.first : loop.last, depth);
  }
  const PrimRef core = Core(part.atom);
  const auto* n = core->As<ir::Binary>();
  if (n != nullptr && n->op == BinaryOp::kFloorDiv) {
    // The quotient times its divisor is within one divisor of the dividend.
    const Sum by = SumOf(n->rhs);
    Sum times = part.times, rest = part.rest, quotient;
    if (by.is_constant() && times.is_constant() && by.constant > 1) {
      Sum scaled, further;
      const bool fits =
          AddScaled(scaled, times, by.constant) && AddScaled(further, rest, by.constant);
      if (fits) {
        times = std::move(scaled);
        rest = std::move(further);
      }
    }
    const bool single = by.terms.size() + (by.constant != 0 ? 1 : 0) == 1;
    const bool divides =
        single ? SplitMultiples(times, by, quotient) && times.is_constant() && times.constant == 0
               : Divides(times, by, quotient);
    if (divides) {
      Sum positive = by;
      positive.constant -= 1;
      const int of = Prove(positive, depth - 1) ? SignOf(quotient, depth) : 0;
      Sum end = SumOf(n->lhs);
      if (of > 0) {
        if (!AddScaled(end, by, -1)) return false;
        end.constant += 1;
      }
      const Part whole{part.atom, quotient, rest};
      if (of != 0 && ProveWith(whole, end, depth)) return true;
    }
  }
  if (sign == 0) return false;
  for (const Sum& limit : BoundsOfAtom(core, sign < 0, depth)) {
    if (ProveWith(part, limit, depth)) return true;
  }
  return false;
}

// Returns sums that are upper (or lower) bounds of the value.
std::vector<Sum> FactStack::BoundsOfAtom(PrimRef core, bool upper, int depth) {
  std::vector<Sum> limits;
  if (const auto* load = core->As<ir::Load>()) {
    const auto it = element_ends_.find(load->buffer->data);
    if (it == element_ends_.end()) return limits;
    Sum last = it->second;
    last.constant -= 1;
    return {upper ? last : Sum()};
  }
  // Truncation does not increase a number that is not negative.
  const auto* narrow = core->As<ir::Cast>();
  if (upper && narrow != nullptr && narrow->value->dtype().is_int()) {
    const Sum whole = SumOf(narrow->value);
    if (Prove(whole, depth - 1)) limits.push_back(whole);
    return limits;
  }
  const auto* n = core->As<ir::Binary>();
  if (n == nullptr || (n->op != BinaryOp::kFloorDiv && n->op != BinaryOp::kFloorMod)) {
    return limits;
  }
  const Sum value = SumOf(n->lhs), by = SumOf(n->rhs);
  Sum above = by;
  above.constant -= 1;
  if (!Prove(above, depth - 1)) return limits;
  if (n->op == BinaryOp::kFloorMod) {
    if (!upper) return {Sum()};
    limits.push_back(above);
    if (Prove(value, depth - 1)) limits.push_back(value);
    return limits;
  }
  const Sum end = ExtremeOf(value, upper);
  const PrimRef made = ir_.Make(BinaryOp::kFloorDiv, ToExpr(ir_, end, ir::DType::Int(64)),
                                ToExpr(ir_, by, ir::DType::Int(64)));
  const Sum quotient = arithmetic_->AsSum(made);
  const std::vector<PrimRef> atoms = AtomsOf(quotient);
  if (std::none_of(atoms.begin(), atoms.end(), [&](PrimRef a) { return Core(a) == core; })) {
    limits.push_back(quotient);
  }
  for (size_t i = facts_.size(); i-- > 0 && by.is_constant();) {
    if (!facts_[i].alive) continue;
    Sum rest = facts_[i].sum;  // value <= fact + value, and value >= value - fact
    if (!AddScaled(rest, value, upper ? 1 : -1) || !rest.is_constant()) continue;
    limits.push_back(ConstantSum(FloorDiv(upper ? rest.constant : -rest.constant, by.constant)));
  }
  if (!upper) {
    if (Prove(value, depth - 1)) limits.push_back(Sum());
  } else if (Prove(value, depth - 1)) {
    limits.push_back(value);
  }
  return limits;
}

// Replaces loop variables by the end of their range that maximizes (or minimizes) the sum, if the
// sign of their factor is known.
Sum FactStack::ExtremeOf(Sum sum, bool upper) {
  for (int pass = 0; pass < 8; ++pass) {
    bool changed = false;
    for (PrimRef atom : AtomsOf(sum)) {
      const auto it = loops_.find(atom);
      const auto part = it == loops_.end() ? std::nullopt : PartOf(sum, atom);
      const int sign = part ? Sign(BoundsOf(part->times)) : 0;
      if (sign == 0) continue;
      Sum next;
      const Sum& end = (sign > 0) == upper ? it->second.last : it->second.first;
      if (!Multiply(part->times, end, next) || !AddScaled(next, part->rest, 1)) continue;
      sum = std::move(next);
      changed = true;
      break;
    }
    if (!changed) break;
  }
  return sum;
}

}  // namespace lathe::analysis
