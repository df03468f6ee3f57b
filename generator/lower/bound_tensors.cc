#include "generator/lower/bound_tensors.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "generator/analysis/bounds.h"

namespace lathe::lower {
namespace {

using analysis::Interval;
using ir::PrimRef;

// A range that is still growing after so many rounds has no bound.
constexpr int kRounds = 8;

class Ranges {
 public:
  Ranges(ir::Context& context, const ir::Program& program) : ir_(context), program_(program) {}

  analysis::Assumptions Settle() {
    for (int32_t i = 0; i < std::ssize(program_.routines); ++i) {
      const ir::Routine& routine = program_.routines[ir::RoutineId{i}];
      if (!routine.exported) continue;
      for (PrimRef var : Scalars(routine)) (void)Widen(var, DeclaredIn(routine, var));
    }
    for (int round = 0; Round(); ++round) unbounded_ = round >= kRounds;
    analysis::Assumptions known;
    for (const auto& [var, range] : ranges_) known.Bound(var, range);
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

  // What the calls, and the rounds of loops, pass on. True when something grew.
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
        if (const auto* again = std::get_if<ir::AgainStep>(&step.node)) {
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

}  // namespace

void BoundTensors(ir::Context& context, ir::Program& program) {
  const analysis::Assumptions known = Ranges(context, program).Settle();
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
    // Far from what would not fit when it is counted in bits.
    if (bounded && most < (int64_t{1} << 48)) tensor.most_elements = most;
  }
}

}  // namespace lathe::lower
