// Implements the proofs of FactStack.
#include <algorithm>
#include <utility>

#include "generator/analysis/arithmetic/fact_stack.h"
#include "generator/ir/canonical_order.h"
#include "generator/ir/map_operands.h"

namespace lathe::analysis {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

// Steps of one proof, and the number of facts it combines.
constexpr int kMaxSteps = 250;
// After this many steps of failed proofs, only short proofs are attempted.
constexpr int kMaxInVain = 20000;
constexpr int kFewSteps = 30;
constexpr int kDeepest = 14;
// Case splits, each of which doubles the work.
constexpr int kMaxEither = 3;
constexpr int kMaxLevels = 1;
constexpr int kStepsToRefute = 40;
constexpr int kStepsOfExtreme = 30;

struct Choice {
  PrimRef cond = nullptr, if_true = nullptr, if_false = nullptr;
};
std::optional<Choice> ChoiceOf(PrimRef core) {
  if (const auto* s = core->As<ir::Select>()) return Choice{s->cond, s->if_true, s->if_false};
  const auto* call = core->As<ir::Intrinsic>();
  if (call == nullptr || call->name != "if_then_else" || call->args.size() != 3) {
    return std::nullopt;
  }
  return Choice{call->args[0], call->args[1], call->args[2]};
}

// Finds a select inside an atom that is not a select itself.
PrimRef ChoiceInside(PrimRef e, int depth) {
  if (depth == 0 || e->As<ir::Load>() != nullptr) return nullptr;
  const auto* n = e->As<ir::Binary>();
  const bool either = n != nullptr && (n->op == BinaryOp::kMin || n->op == BinaryOp::kMax);
  if (either || ChoiceOf(e)) return e;
  PrimRef found = nullptr;
  ir::ForEachOperand(e, [&](PrimRef part) {
    if (found == nullptr && part->dtype().is_integer()) found = ChoiceInside(part, depth - 1);
  });
  return found;
}

}  // namespace

bool FactStack::IsNotNegative(PrimRef e) { return ProveSum(SumOf(e)); }

bool FactStack::IsBelow(PrimRef e, PrimRef end) {
  return IsAtMost(e, ir_.Make(BinaryOp::kSub, ir_.MakeCast(ir::DType::Int(64), end), ir_.Int(1)));
}

bool FactStack::IsAtMost(PrimRef e, PrimRef most) {
  Sum gap = SumOf(most);
  return AddScaled(gap, SumOf(e), -1) && ProveSum(gap);
}

bool FactStack::IsAssumed(PrimRef condition) {
  const auto is_assumed = [&](PrimRef e, const auto& self) -> bool {
    if (KnownTruth(e) == true) return true;
    const auto* n = e->As<ir::Binary>();
    return n != nullptr && n->op == BinaryOp::kAnd && self(n->lhs, self) && self(n->rhs, self);
  };
  return is_assumed(Resolved(condition), is_assumed);
}

bool FactStack::IsReached() const {
  return std::none_of(facts_.begin(), facts_.end(), [](const Fact& fact) {
    return fact.alive && fact.sum.is_constant() && fact.sum.constant < 0;
  });
}

bool FactStack::ProveSum(const Sum& sum) {
  if (BoundsOf(sum).lo >= 0) return true;
  // Without loop variables, the proof of the extreme is short where there is one.
  const Sum least = ExtremeOf(sum, false);
  const bool has_loops = !Equal(least, sum);
  if (has_loops && BoundsOf(least).lo >= 0) return true;
  if (has_loops && failed_steps_ < kMaxInVain) {
    steps_ = kStepsOfExtreme;
    if (ProveByParts(least, kDeepest)) return true;
    failed_steps_ += kStepsOfExtreme - std::max(steps_, 0);
  }
  const int most = failed_steps_ < kMaxInVain ? kMaxSteps : kFewSteps;
  steps_ = most;
  if (ProveByParts(sum, kDeepest) || !IsReached()) return true;
  failed_steps_ += most - std::max(steps_, 0);
  if (failed_steps_ >= kMaxInVain) return false;
  steps_ = most;
  if (ProveByCases(sum, kMaxLevels)) return true;
  failed_steps_ += most - std::max(steps_, 0);
  return false;
}

// First uses disjunctions of which one side is refuted, then splits cases on the others.
bool FactStack::ProveByCases(const Sum& sum, int levels) {
  if (levels == 0) return false;
  const Mark start = Here();
  bool learned = false;
  for (size_t i = 0; i < start.either && steps_ > 0; ++i) {
    if (!disjunctions_[i].alive) continue;
    const Either either = disjunctions_[i];
    const bool no_left = Refutes(either.left, true);
    if (!no_left && !Refutes(either.right, true)) continue;
    Assume(no_left ? either.right : either.left);
    learned = true;
  }
  const auto proved = [&] {
    return Prove(sum, kDeepest) || !IsReached() || IsImpossible(start, kDeepest);
  };
  bool fine = learned && proved();
  int tried = 0;
  for (size_t i = disjunctions_.size(); !fine && i-- > 0 && tried < kMaxEither && steps_ > 0;) {
    if (!disjunctions_[i].alive) continue;
    const Either either = disjunctions_[i];
    ++tried;
    disjunctions_[i].alive = false;  // used once
    const auto under = [&](PrimRef cond) {
      const Mark mark = Here();
      Assume(cond);
      const bool so = proved() || ProveByCases(sum, levels - 1);
      RestoreTo(mark);
      return so;
    };
    fine = under(either.left) && under(either.right);
    disjunctions_[i].alive = true;
  }
  RestoreTo(start);
  return fine;
}

// Returns whether `condition` is known to be different from `holds`.
bool FactStack::Refutes(PrimRef condition, bool holds) {
  if (const auto says = KnownTruth(condition)) return *says != holds;
  if (const auto* n = condition->As<ir::Unary>(); n != nullptr && n->op == ir::UnaryOp::kNot) {
    return Refutes(n->value, !holds);
  }
  const auto* n = condition->As<ir::Binary>();
  if (n == nullptr) return false;
  if (n->op == BinaryOp::kAnd || n->op == BinaryOp::kOr) {
    const bool one = (n->op == BinaryOp::kAnd) == holds;  // one is sufficient
    const bool left = Refutes(n->lhs, holds);
    return left == one ? one : Refutes(n->rhs, holds);
  }
  const bool numbers = n->lhs->dtype().is_integer() && n->rhs->dtype().is_integer() &&
                       n->lhs->dtype().lanes == 1 && !n->lhs->dtype().is_bool();
  if (!ir::IsComparison(n->op) || !numbers) return false;
  const Mark mark = Here();
  Add(condition, holds);
  const int steps = std::exchange(steps_, kStepsToRefute);
  const bool refuted = !IsReached() || IsImpossible(mark, 6);
  steps_ = steps - 1;
  RestoreTo(mark);
  return refuted;
}

std::optional<FactStack::Part> FactStack::PartOf(const Sum& sum, PrimRef atom) {
  Part part{atom, {}, {}};
  part.rest.constant = sum.constant;
  for (const Term& term : sum.terms) {
    const auto count = std::count(term.factors.begin(), term.factors.end(), atom);
    if (count > 1) return std::nullopt;
    if (count == 0) {
      part.rest.terms.push_back(term);
      continue;
    }
    Term less = term;
    less.factors.erase(std::find(less.factors.begin(), less.factors.end(), atom));
    const Sum one = less.factors.empty() ? ConstantSum(less.coefficient) : Sum{{less}, 0};
    if (!AddScaled(part.times, one, 1)) return std::nullopt;
  }
  return part;
}

// Composite atoms before the atoms they contain, then the innermost loops first.
std::vector<PrimRef> FactStack::AtomsOf(const Sum& sum) const {
  std::vector<PrimRef> atoms;
  for (const Term& term : sum.terms) {
    for (PrimRef factor : term.factors) {
      if (std::find(atoms.begin(), atoms.end(), factor) == atoms.end()) atoms.push_back(factor);
    }
  }
  const auto rank = [&](PrimRef atom) {
    if (Core(atom)->As<ir::SymVar>() == nullptr) return 1 << 20;
    const auto it = loops_.find(atom);
    return it == loops_.end() ? -1 : it->second.depth;
  };
  std::sort(atoms.begin(), atoms.end(), [&](PrimRef a, PrimRef b) {
    const int x = rank(a), y = rank(b);
    return x != y ? x > y : ir::PrecedesCanonically(Core(b), Core(a));
  });
  return atoms;
}

bool FactStack::Prove(const Sum& sum, int depth) {
  if (BoundsOf(sum).lo >= 0) return true;
  if (depth == 0 || --steps_ < 0 || sum.is_constant()) return false;
  return BoundsOf(ExtremeOf(sum, false)).lo >= 0 || ProveByParts(sum, depth);
}

// Proves a sum whose own bounds, and those of its extreme, do not decide.
bool FactStack::ProveByParts(const Sum& sum, int depth) {
  if (ProveByWholeFact(sum, depth)) return true;
  std::vector<Part> parts;
  for (PrimRef atom : AtomsOf(sum)) {
    const auto part = PartOf(sum, atom);
    if (!part) continue;
    bool decided = false;
    bool proved = ProveByDivision(*part, depth, decided);
    if (!decided) proved = ProveBySelect(*part, depth, decided);
    if (decided) return proved;
    parts.push_back(*part);
  }
  for (const Part& part : parts) {
    if (ProveByBounds(part, depth)) return true;
  }
  for (const Part& part : parts) {
    if (ProveByFacts(sum, part, depth)) return true;
  }
  return false;
}

// Subtracts a whole fact if the remainder is provable, as for a guard of this very index.
bool FactStack::ProveByWholeFact(const Sum& sum, int depth) {
  const std::vector<PrimRef> atoms = AtomsOf(sum);
  for (size_t i = facts_.size(); i-- > 0;) {
    if (!facts_[i].alive) continue;
    const std::vector<PrimRef> own = AtomsOf(facts_[i].sum);
    const bool all = !own.empty() && std::all_of(own.begin(), own.end(), [&](PrimRef atom) {
      return std::find(atoms.begin(), atoms.end(), atom) != atoms.end();
    });
    if (!all) continue;
    const auto part = PartOf(sum, own.front());
    const auto less =
        part ? Eliminate(sum, *part, facts_[i].sum) : EliminateFirstTerm(sum, facts_[i].sum);
    if (!less) continue;
    const std::vector<PrimRef> left = AtomsOf(*less);
    const bool gone = std::none_of(own.begin(), own.end(), [&](PrimRef atom) {
      return std::find(left.begin(), left.end(), atom) != left.end();
    });
    if (!gone) continue;
    facts_[i].alive = false;  // used once
    const bool proved = Prove(*less, depth - 1);
    facts_[i].alive = true;
    if (proved) return true;
  }
  return false;
}

// Combines a quotient times its divisor with the remainder to the dividend.
bool FactStack::ProveByDivision(const Part& part, int depth, bool& decided) {
  const PrimRef core = Core(part.atom);
  const auto* n = core->As<ir::Binary>();
  if (n == nullptr || n->op != BinaryOp::kFloorMod) return false;
  const PrimRef quotient = ir_.Make(BinaryOp::kFloorDiv, n->lhs, n->rhs);
  const std::vector<PrimRef> others = AtomsOf(part.rest);
  const auto it = std::find_if(others.begin(), others.end(),
                               [&](PrimRef atom) { return Core(atom) == quotient; });
  if (it == others.end()) return false;
  Sum taken, whole = SumOf(n->lhs), sum;
  if (!Multiply(SumOf(n->rhs), AtomSum(*it), taken) || !AddScaled(whole, taken, -1) ||
      !Multiply(part.times, whole, sum) || !AddScaled(sum, part.rest, 1)) {
    return false;
  }
  const std::vector<PrimRef> left = AtomsOf(sum);
  if (std::find(left.begin(), left.end(), *it) != left.end()) return false;
  decided = true;
  return Prove(sum, depth - 1);
}

bool FactStack::ProveWith(const Part& part, const Sum& value, int depth) {
  Sum sum;
  if (!Multiply(part.times, value, sum) || !AddScaled(sum, part.rest, 1)) return false;
  return Prove(sum, depth - 1);
}

bool FactStack::ProveUnder(PrimRef condition, bool holds, const Part& part, const Sum& value,
                           int depth) {
  if (KnownTruth(condition) == !holds) return true;  // unreachable case
  const Mark mark = Here();
  Add(condition, holds);
  const bool fine = ProveWith(part, value, depth) || IsImpossible(mark, depth);
  RestoreTo(mark);
  return fine;
}

// Returns whether a fact added since `since` contradicts an earlier one.
bool FactStack::IsImpossible(const Mark& since, int depth) {
  for (size_t i = since.facts; i < facts_.size(); ++i) {
    Sum opposite;
    if (!AddScaled(opposite, facts_[i].sum, -1)) continue;
    opposite.constant -= 1;
    facts_[i].alive = false;
    const bool contradicts = Prove(opposite, std::min(depth - 1, 4));
    facts_[i].alive = true;
    if (contradicts) return true;
  }
  return false;
}

// Proves the sum for both values of a select, each under its condition.
bool FactStack::ProveBySelect(const Part& part, int depth, bool& decided) {
  const PrimRef core = Core(part.atom);
  if (const auto choice = ChoiceOf(core)) {
    decided = true;
    return ProveUnder(choice->cond, true, part, SumOf(choice->if_true), depth) &&
           ProveUnder(choice->cond, false, part, SumOf(choice->if_false), depth);
  }
  const auto* n = core->As<ir::Binary>();
  if (n != nullptr && (n->op == BinaryOp::kMin || n->op == BinaryOp::kMax)) {
    decided = true;
    const bool least = n->op == BinaryOp::kMin;
    const PrimRef left_first = ir_.Make(least ? BinaryOp::kLe : BinaryOp::kGe, n->lhs, n->rhs);
    return ProveUnder(left_first, true, part, SumOf(n->lhs), depth) &&
           ProveUnder(left_first, false, part, SumOf(n->rhs), depth);
  }
  if (n == nullptr) return false;
  const PrimRef inside = ChoiceInside(core, 6);
  if (inside == nullptr) return false;
  decided = true;
  const auto as = [&](PrimRef value) {
    absl::flat_hash_map<PrimRef, PrimRef> done = {{inside, value}};
    const auto put = [&](PrimRef e, const auto& self) -> PrimRef {
      if (const auto it = done.find(e); it != done.end()) return it->second;
      const PrimRef made =
          ir::MapOperands(ir_, e, [&](PrimRef part_of) { return self(part_of, self); });
      return done[e] = made;
    };
    return SumOf(put(core, put));
  };
  if (const auto choice = ChoiceOf(inside)) {
    return ProveUnder(choice->cond, true, part, as(choice->if_true), depth) &&
           ProveUnder(choice->cond, false, part, as(choice->if_false), depth);
  }
  const auto* either = inside->As<ir::Binary>();
  const PrimRef left_first = ir_.Make(either->op == BinaryOp::kMin ? BinaryOp::kLe : BinaryOp::kGe,
                                      either->lhs, either->rhs);
  return ProveUnder(left_first, true, part, as(either->lhs), depth) &&
         ProveUnder(left_first, false, part, as(either->rhs), depth);
}

// Returns the sum, or a multiple of it, minus the multiple of the fact that eliminates the atom.
std::optional<Sum> FactStack::Eliminate(const Sum& sum, const Part& part, const Sum& fact) {
  const auto of = PartOf(fact, part.atom);
  if (!of || (of->times.is_constant() && of->times.constant == 0)) return std::nullopt;
  Sum scale, taken, less;
  int64_t whole = 1;
  if (Equal(of->times, part.times)) {
    scale = ConstantSum(1);
  } else if (of->times.is_constant() && part.times.is_constant()) {
    if ((of->times.constant > 0) != (part.times.constant > 0)) return std::nullopt;
    whole = std::abs(of->times.constant);
    scale = ConstantSum(std::abs(part.times.constant));
  } else if (of->times.is_constant() && std::abs(of->times.constant) == 1) {
    if (!AddScaled(scale, part.times, of->times.constant) || BoundsOf(scale).lo < 0) {
      return std::nullopt;
    }
  } else {
    return std::nullopt;
  }
  if (!Multiply(scale, fact, taken) || !AddScaled(less, sum, whole) ||
      !AddScaled(less, taken, -1)) {
    return std::nullopt;
  }
  return less;
}

bool FactStack::ProveByFacts(const Sum& sum, const Part& part, int depth) {
  for (size_t i = facts_.size(); i-- > 0;) {
    if (!facts_[i].alive) continue;
    const auto less = Eliminate(sum, part, facts_[i].sum);
    if (!less) continue;
    facts_[i].alive = false;  // used once
    const bool proved = Prove(*less, depth - 1);
    facts_[i].alive = true;
    if (proved) return true;
    if (steps_ < 0) return false;
  }
  return false;
}

}  // namespace lathe::analysis
