#include "generator/analysis/arithmetic/fact_stack.h"

#include <algorithm>

#include "generator/analysis/arithmetic/negated.h"
#include "generator/ir/map_operands.h"
#include "generator/support/match.h"

namespace lathe::analysis {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

// Expressions share subexpressions: each is visited once.
void MemoryIn(PrimRef e, absl::flat_hash_set<PrimRef>& seen, std::vector<PrimRef>& reads) {
  if (e->As<ir::SymVar>() != nullptr || e->As<ir::IntImm>() != nullptr) return;
  if (!seen.insert(e).second) return;
  if (const auto* load = e->As<ir::Load>()) {
    if (std::find(reads.begin(), reads.end(), load->buffer->data) == reads.end()) {
      reads.push_back(load->buffer->data);
    }
  }
  ir::ForEachOperand(e, [&](PrimRef part) { MemoryIn(part, seen, reads); });
}

void MemoryIn(PrimRef e, std::vector<PrimRef>& reads) {
  absl::flat_hash_set<PrimRef> seen;
  MemoryIn(e, seen, reads);
}

std::vector<PrimRef> MemoryIn(PrimRef e) {
  std::vector<PrimRef> reads;
  MemoryIn(e, reads);
  return reads;
}

bool IsIndex(ir::DType dtype) { return dtype.is_integer() && dtype.lanes == 1; }

}  // namespace

FactStack::FactStack(ir::Context& context) : ir_(context) { ResetCache(); }

void FactStack::ResetCache() { arithmetic_.emplace(ir_, ranges_, Arithmetic::Goal::kReading); }

void FactStack::RestoreTo(const Mark& mark) {
  facts_.resize(mark.facts);
  disjunctions_.resize(mark.either);
  conditions_.resize(mark.conditions);
  if (bindings_.size() == mark.bindings) return;
  while (bindings_.size() > mark.bindings) {
    values_.erase(bindings_.back());
    bindings_.pop_back();
  }
  resolved_.clear();
}

// Widens to 64 bits and removes casts that change nothing.
PrimRef FactStack::Wide(PrimRef e) {
  e = Resolved(e);
  while (const auto* cast = e->As<ir::Cast>()) {
    if (!e->dtype().is_integer() || e->dtype().bits < 64) break;
    if (!cast->value->dtype().is_integer()) break;
    e = cast->value;
  }
  const auto* number = e->As<ir::IntImm>();
  if (number != nullptr && e->dtype().bits < 64) return ir_.Int(number->value);
  return ir_.MakeCast(ir::DType::Int(64), e);
}

PrimRef FactStack::Resolved(PrimRef e) {
  if (values_.empty()) return e;
  if (const auto it = values_.find(e); it != values_.end()) return it->second;
  if (e->As<ir::IntImm>() != nullptr || e->As<ir::SymVar>() != nullptr) return e;
  if (const auto it = resolved_.find(e); it != resolved_.end()) return it->second;
  PrimRef made = ir::MapOperands(ir_, e, [&](PrimRef part) { return Resolved(part); });
  // A cast to another type and back.
  const auto* back = made->As<ir::Cast>();
  const auto* there = back == nullptr ? nullptr : back->value->As<ir::Cast>();
  if (there != nullptr && there->value->dtype() == made->dtype() && made->dtype().is_int() &&
      back->value->dtype().is_integer() && back->value->dtype().bits >= made->dtype().bits) {
    made = there->value;
  }
  return resolved_[e] = made;
}

void FactStack::AddLoop(PrimRef var, PrimRef min, PrimRef extent) {
  const Sum first = SumOf(min), count = SumOf(extent);
  Sum last = first;
  if (!AddScaled(last, count, 1)) return;
  last.constant -= 1;
  const Interval low = BoundsOf(first), high = BoundsOf(last);
  AddRange(var, {low.lo, high.hi});
  const Sum counted = SumOf(var);
  if (counted.terms.size() != 1) return;
  loops_[counted.terms[0].factors[0]] = {first, last, static_cast<int>(facts_.size())};
  // The loop has a first iteration, so its extent is positive.
  Sum some = count;
  some.constant -= 1;
  if (BoundsOf(some).lo >= 0) return;
  std::vector<PrimRef> reads = MemoryIn(Resolved(extent));
  MemoryIn(Resolved(min), reads);
  AddAtLeastZero(some, reads);
  AddNonEmpty(extent);
}

void FactStack::AddRange(PrimRef var, Interval range) {
  if (ranges_.RangeOf(ir_, var) == range) return;
  ranges_.Bound(var, range);
  if (arithmetic_->HasSumOf(var)) ResetCache();
}

void FactStack::AddBinding(PrimRef var, PrimRef value) {
  // Indices computed from floats are recognized only if named floats are, too.
  const bool is_float = var->dtype().is_floating() && var->dtype().lanes == 1;
  if (!IsIndex(var->dtype()) && !var->dtype().is_bool() && !is_float) return;
  value = Resolved(value);
  std::vector<PrimRef> reads;
  MemoryIn(value, reads);
  const bool stays = !all_mutable_ && std::none_of(reads.begin(), reads.end(), [&](PrimRef data) {
    return mutable_data_.contains(data);
  });
  // A value that was read is unaffected by later writes to the memory.
  if (!stays && !reads.empty()) {
    if (!IsIndex(var->dtype())) return;
    const Sum name = SumOf(var), read = SumOf(value);
    for (int sign : {1, -1}) {
      Sum difference;
      if (AddScaled(difference, name, sign) && AddScaled(difference, read, -sign)) {
        AddAtLeastZero(difference, reads);
      }
    }
    if (const Interval range = BoundsOf(read); range != Interval()) AddRange(var, range);
    return;
  }
  values_[var] = ir_.MakeCast(var->dtype(), value);
  bindings_.push_back(var);
  resolved_.clear();
}

void FactStack::AddAtLeastZero(const Sum& sum, const std::vector<PrimRef>& reads) {
  if (BoundsOf(sum).hi < 0) return AddImpossible(reads);
  facts_.push_back({sum, true, reads});
  // x // 4 >= k is x >= 4 * k.
  if (sum.terms.size() != 1 || sum.terms[0].coefficient != 1) return;
  if (sum.terms[0].factors.size() != 1) return;
  const auto* quotient = Core(sum.terms[0].factors[0])->As<ir::Binary>();
  const auto* by = quotient == nullptr || quotient->op != BinaryOp::kFloorDiv
                       ? nullptr
                       : quotient->rhs->As<ir::IntImm>();
  if (by == nullptr || by->value <= 0) return;
  Sum whole = SumOf(quotient->lhs);
  if (AddScaled(whole, ConstantSum(sum.constant), by->value)) AddAtLeastZero(whole, reads);
}

// Adds a contradiction: the code is never reached.
void FactStack::AddImpossible(const std::vector<PrimRef>& reads) {
  facts_.push_back({ConstantSum(-1), true, reads});
}

// The extent of an executing loop is at least 1, and so are the operands of a min.
void FactStack::AddNonEmpty(PrimRef extent) {
  const PrimRef e = Core(Wide(extent));
  const auto some = [&](PrimRef part) { return ir_.Make(BinaryOp::kLt, ir_.Int(0), Wide(part)); };
  const auto both = [&](PrimRef a, PrimRef b) { return ir_.Make(BinaryOp::kAnd, a, b); };
  const auto* n = e->As<ir::Binary>();
  const auto* s = e->As<ir::Select>();
  if (n != nullptr && n->op == BinaryOp::kMin) {
    AddNonEmpty(n->lhs);
    AddNonEmpty(n->rhs);
  } else if (n != nullptr && n->op == BinaryOp::kMax) {
    Assume(ir_.Make(BinaryOp::kOr, some(n->lhs), some(n->rhs)));
  } else if (s != nullptr) {
    const PrimRef other = ir_.Make(ir::UnaryOp::kNot, s->cond);
    // A fact that holds in both cases holds.
    const auto also = [&](PrimRef cond, PrimRef taken, PrimRef part) {
      const Mark mark = Here();
      Assume(both(cond, some(taken)));
      const bool so = IsNotNegative(ir_.Make(BinaryOp::kSub, Wide(part), ir_.Int(1)));
      RestoreTo(mark);
      if (so) Assume(some(part));
    };
    also(s->cond, s->if_true, s->if_false);
    also(other, s->if_false, s->if_true);
    disjunctions_.push_back(
        {both(s->cond, some(s->if_true)), both(other, some(s->if_false)), MemoryIn(e)});
  }
}

void FactStack::AddComparison(BinaryOp op, PrimRef lhs, PrimRef rhs,
                              const std::vector<PrimRef>& reads) {
  const auto at_least = [&](PrimRef more, PrimRef less, int64_t by) {
    Sum sum = SumOf(more);
    if (!AddScaled(sum, SumOf(less), -1)) return;
    sum.constant -= by;
    AddAtLeastZero(sum, reads);
  };
  switch (op) {
    case BinaryOp::kEq:
      at_least(lhs, rhs, 0);
      return at_least(rhs, lhs, 0);
    case BinaryOp::kLt:
      return at_least(rhs, lhs, 1);
    case BinaryOp::kLe:
      return at_least(rhs, lhs, 0);
    case BinaryOp::kGt:
      return at_least(lhs, rhs, 1);
    case BinaryOp::kGe:
      return at_least(lhs, rhs, 0);
    default: {  // not equal: if one end of the range is excluded, the range shrinks
      Sum gap = SumOf(lhs);
      if (!AddScaled(gap, SumOf(rhs), -1)) return;
      const Interval range = BoundsOf(gap);
      if (range.lo == 0) return at_least(lhs, rhs, 1);
      if (range.hi == 0) return at_least(rhs, lhs, 1);
    }
  }
}

void FactStack::Add(PrimRef condition, bool holds) {
  condition = Resolved(condition);
  const std::vector<PrimRef> reads = MemoryIn(condition);
  AddResolved(condition, holds, reads.empty() ? &reads : nullptr);
}

// `none` is the empty list if no part of the condition reads memory, so that the parts need not be
// visited.
void FactStack::AddResolved(PrimRef condition, bool holds, const std::vector<PrimRef>* none) {
  if (const auto* n = condition->As<ir::Unary>(); n != nullptr && n->op == ir::UnaryOp::kNot) {
    return AddResolved(n->value, !holds, none);
  }
  if (const auto* call = condition->As<ir::Intrinsic>();
      call != nullptr && call->name == "likely" && call->args.size() == 1) {
    return AddResolved(call->args[0], holds, none);
  }
  if (const auto* cast = condition->As<ir::Cast>(); cast && cast->value->dtype().is_bool()) {
    return AddResolved(cast->value, holds, none);
  }
  const std::vector<PrimRef> reads = none != nullptr ? *none : MemoryIn(condition);
  if (KnownTruth(condition) == !holds) return AddImpossible(reads);
  conditions_.push_back({condition, holds, reads, true});
  const auto both = [&](PrimRef a, PrimRef b) { return ir_.Make(BinaryOp::kAnd, a, b); };
  const auto negated = [&](PrimRef e) { return ir_.Make(ir::UnaryOp::kNot, e); };
  if (const auto* s = condition->As<ir::Select>(); s != nullptr && s->if_true->dtype().is_bool()) {
    if (const auto* imm = s->if_true->As<ir::IntImm>(); imm && (imm->value != 0) != holds) {
      AddResolved(s->cond, false, none);
      return AddResolved(s->if_false, holds, none);
    }
    if (const auto* imm = s->if_false->As<ir::IntImm>(); imm && (imm->value != 0) != holds) {
      AddResolved(s->cond, true, none);
      return AddResolved(s->if_true, holds, none);
    }
    const PrimRef yes = holds ? s->if_true : negated(s->if_true);
    const PrimRef no = holds ? s->if_false : negated(s->if_false);
    disjunctions_.push_back({both(s->cond, yes), both(negated(s->cond), no), reads});
    return;
  }
  const auto* n = condition->As<ir::Binary>();
  if (n == nullptr) return;
  if (n->op == BinaryOp::kAnd || n->op == BinaryOp::kOr) {
    if ((n->op == BinaryOp::kAnd) == holds) {
      AddResolved(n->lhs, holds, none);
      return AddResolved(n->rhs, holds, none);
    }
    const auto side = [&](PrimRef e) { return holds ? e : negated(e); };
    disjunctions_.push_back({side(n->lhs), side(n->rhs), reads});
    return;
  }
  if (!ir::IsComparison(n->op)) return;
  if (n->lhs->dtype().is_bool()) {  // inside != 0
    const auto* imm = n->rhs->As<ir::IntImm>();
    if (imm == nullptr || (n->op != BinaryOp::kEq && n->op != BinaryOp::kNe)) return;
    return AddResolved(n->lhs, ((n->op == BinaryOp::kEq) == (imm->value != 0)) == holds, none);
  }
  if (!IsIndex(n->lhs->dtype()) || !IsIndex(n->rhs->dtype())) return;
  AddComparison(holds ? n->op : Opposite(n->op), n->lhs, n->rhs, reads);
}

std::optional<bool> FactStack::KnownTruth(PrimRef condition) const {
  bool holds = true;
  while (const auto* n = condition->As<ir::Unary>()) {
    if (n->op != ir::UnaryOp::kNot) break;
    condition = n->value;
    holds = !holds;
  }
  if (const auto* imm = condition->As<ir::IntImm>()) return (imm->value != 0) == holds;
  for (auto it = conditions_.rbegin(); it != conditions_.rend(); ++it) {
    if (it->alive && it->condition == condition) return it->holds == holds;
  }
  return std::nullopt;
}

void FactStack::Invalidate(PrimRef data) {
  const auto speaks = [&](const std::vector<PrimRef>& reads) {
    return std::find(reads.begin(), reads.end(), data) != reads.end();
  };
  for (Fact& fact : facts_) fact.alive = fact.alive && !speaks(fact.reads);
  for (Condition& said : conditions_) said.alive = said.alive && !speaks(said.reads);
  for (Either& either : disjunctions_) either.alive = either.alive && !speaks(either.reads);
}

}  // namespace lathe::analysis
