#include "generator/schedule/finish/compute_size_bounds.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "generator/analysis/arithmetic/bounds.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/analysis/arithmetic/simplify.h"

namespace lathe::schedule {
namespace {

using analysis::Interval;
using ir::PrimRef;

// A range that still grows after this many iterations is unbounded.
constexpr int kRounds = 8;

class SizeRanges {
 public:
  SizeRanges(ir::Context& context, const ir::Program& program) : ir_(context), program_(program) {}

  analysis::Assumptions Settle() {
    for (int32_t i = 0; i < std::ssize(program_.routines); ++i) {
      const ir::Routine& routine = program_.routines[ir::RoutineId{i}];
      if (!routine.exported) continue;
      for (PrimRef var : Scalars(routine)) (void)Widen(var, DeclaredIn(routine, var));
    }
    for (int round = 0; Round(); ++round) unbounded_ = round >= kRounds;
    analysis::Assumptions known;
    for (const auto& [var, range] : ranges_) known.Bound(var, range);
    for (int32_t i = 0; i < std::ssize(program_.routines); ++i) {
      for (const ir::UpperBound& late : program_.routines[ir::RoutineId{i}].upper_bounds) {
        known.Bound(late.var, {0, Of(late.most, known).hi});
      }
    }
    return known;
  }

 private:
  static std::vector<PrimRef> Scalars(const ir::Routine& routine) {
    std::vector<PrimRef> scalars = routine.sizes;
    for (const ir::Part& part : routine.inputs) {
      if (const auto* var = std::get_if<PrimRef>(&part)) scalars.push_back(*var);
    }
    return scalars;
  }

  static Interval DeclaredIn(const ir::Routine& routine, PrimRef var) {
    for (const ir::Range& range : routine.ranges) {
      if (range.var == var) return {range.low, range.high};
    }
    for (PrimRef size : routine.sizes) {
      if (size == var) return Interval::AtLeast(0);
    }
    return {};
  }

  bool Reached(const ir::Routine& routine) const {
    for (PrimRef var : Scalars(routine)) {
      if (!ranges_.contains(var)) return false;
    }
    return true;
  }

  // Propagates ranges through calls and loops. Returns whether a range grew.
  bool Round() {
    analysis::Assumptions known;
    for (const auto& [var, range] : ranges_) known.Bound(var, range);
    bool grew = false;
    const auto pass = [&](const std::vector<ir::Part>& formal,
                          const std::vector<ir::Part>& actual) {
      for (size_t i = 0; i < formal.size() && i < actual.size(); ++i) {
        const auto* to = std::get_if<PrimRef>(&formal[i]);
        const auto* from = std::get_if<PrimRef>(&actual[i]);
        if (to != nullptr && from != nullptr) grew |= Widen(*to, Of(*from, known));
      }
    };
    for (int32_t i = 0; i < std::ssize(program_.routines); ++i) {
      const ir::Routine& routine = program_.routines[ir::RoutineId{i}];
      if (!Reached(routine)) continue;
      ir::ForEachStep(routine.steps, [&](const ir::Step& step) {
        if (const auto* again = std::get_if<ir::TailCallStep>(&step.node)) {
          pass(routine.inputs, again->inputs);
        }
        const auto* call = std::get_if<ir::CallStep>(&step.node);
        if (call == nullptr) return;
        const ir::Routine& callee = program_.routines[call->routine];
        pass(callee.inputs, call->inputs);
        for (size_t k = 0; k < call->sizes.size(); ++k) {
          grew |= Widen(callee.sizes[k], Of(call->sizes[k], known));
        }
      });
    }
    return grew;
  }

  Interval Of(PrimRef e, const analysis::Assumptions& known) {
    return analysis::BoundsOf(ir_, e, known);
  }

  bool Widen(PrimRef var, Interval range) {
    const auto [it, is_new] = ranges_.try_emplace(var, range);
    if (is_new) return true;
    const Interval wider = analysis::Union(it->second, range);
    if (wider == it->second) return false;
    it->second = unbounded_ ? Interval() : wider;
    return true;
  }

  ir::Context& ir_;
  const ir::Program& program_;
  absl::flat_hash_map<PrimRef, Interval> ranges_;
  bool unbounded_ = false;
};

// Returns an upper bound of `e` without the variables in `most`, or null if `e` may grow while one
// of them shrinks. Sizes are nonnegative.
PrimRef MostOf(ir::Context& context, PrimRef e, const analysis::ShapeVarMap& most) {
  const auto& vars = analysis::VarsIn(e);
  const bool late =
      std::any_of(vars.begin(), vars.end(), [&](PrimRef var) { return most.contains(var); });
  if (!late) return e;
  if (e->As<ir::SymVar>() != nullptr) return most.at(e);
  const auto* binary = e->As<ir::Binary>();
  if (binary == nullptr) return nullptr;
  const auto* number = binary->rhs->As<ir::IntImm>();
  switch (binary->op) {
    case ir::BinaryOp::kAdd:
    case ir::BinaryOp::kMin:
    case ir::BinaryOp::kMax:
      break;
    case ir::BinaryOp::kMul:  // with two negative operands, it would shrink
      if (analysis::BoundsOf(context, binary->lhs).lo < 0) return nullptr;
      if (analysis::BoundsOf(context, binary->rhs).lo < 0) return nullptr;
      break;
    case ir::BinaryOp::kSub:
      if (number == nullptr) return nullptr;
      break;
    case ir::BinaryOp::kFloorDiv:
      if (number == nullptr || number->value <= 0) return nullptr;
      break;
    default:
      return nullptr;
  }
  const PrimRef a = MostOf(context, binary->lhs, most), b = MostOf(context, binary->rhs, most);
  return a == nullptr || b == nullptr ? nullptr : context.Make(binary->op, a, b);
}

// Returns bounds of dynamic sizes in terms of the sizes known at the start of their routines.
analysis::ShapeVarMap LateBounds(ir::Context& context, const ir::Program& program) {
  analysis::ShapeVarMap most;
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    for (const ir::UpperBound& late : program.routines[ir::RoutineId{i}].upper_bounds) {
      const PrimRef bound = MostOf(context, late.most, most);
      if (bound != nullptr) most[late.var] = bound;
    }
  }
  return most;
}

}  // namespace

void ComputeSizeBounds(ir::Context& context, ir::Program& program) {
  const analysis::Assumptions known = SizeRanges(context, program).Settle();
  const analysis::ShapeVarMap late = LateBounds(context, program);
  for (int32_t i = 0; i < std::ssize(program.tensors); ++i) {
    ir::Tensor& tensor = program.tensors[ir::TensorId{i}];
    if (tensor.elements()) continue;
    int64_t most = 1;
    bool bounded = true;
    for (PrimRef dim : tensor.shape) {
      const Interval range = analysis::BoundsOf(context, dim, known);
      bounded = bounded && range.hi != analysis::kPosInf &&
                !__builtin_mul_overflow(most, std::max<int64_t>(range.hi, 0), &most);
    }
    // The limit keeps the size in bits far below 2^63.
    if (bounded && most < (int64_t{1} << 48)) tensor.max_elements = most;
    for (PrimRef dim : tensor.shape) {
      const PrimRef at_most = MostOf(context, dim, late);
      if (at_most == nullptr) break;
      tensor.max_shape.push_back(analysis::Simplify(context, at_most));
    }
    if (tensor.max_shape.size() < tensor.shape.size()) tensor.max_shape.clear();
  }
}

}  // namespace lathe::schedule
