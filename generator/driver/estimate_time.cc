#include "generator/driver/estimate_time.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "generator/target/core_timing.h"

namespace lathe::driver {
namespace {

std::optional<double> ElementsOf(const ModelReport& report, const std::vector<ir::TensorId>& ids) {
  double sum = 0;
  for (ir::TensorId id : ids) {
    double elements = 1;
    for (const std::string& size : report.tensors[id].shape) {
      int64_t number = 0;
      if (!absl::SimpleAtoi(size, &number)) return std::nullopt;
      elements *= static_cast<double>(number);
    }
    sum += elements;
  }
  return sum;
}

std::optional<double> InstructionsOf(const ModelReport& report, const StepReport& step,
                                     const CoreTiming& core) {
  const std::optional<double> written = ElementsOf(report, step.flow.writes);
  const std::optional<double> read = ElementsOf(report, step.flow.reads);
  if (!step.macs || !step.stores || !written || !read) return std::nullopt;
  const double macs = static_cast<double>(*step.macs);
  const auto cost = [&](const WorkCost& of, double count) {
    return of.for_each * count + of.for_result * *written;
  };
  if (macs == 0) {
    // Some operators, such as a sort, store more often than they read different elements.
    const double elements = std::max(*read, static_cast<double>(*step.stores));
    return cost(step.floats.empty() ? core.integer_element : core.float_element, elements);
  }
  if (!step.floats.empty()) return cost(core.float_product, macs);
  const bool depthwise =
      absl::StrContains(step.op, "depthwise") || absl::StrContains(step.kernel, "depthwise");
  return cost(depthwise ? core.depthwise_product : core.integer_product, macs);
}

// The instructions of one execution: those of the smaller and of the larger sides of branches.
struct Instructions {
  double low = 0;
  double high = 0;
};

// The work of a routine or of some of its steps; `why_unknown` is empty if it is known.
struct Work {
  Instructions instructions;
  std::string why_unknown;
};

class WorkCounter {
 public:
  WorkCounter(const ModelReport& report, const CoreTiming& core)
      : report_(report), core_(core), of_routine_(report.routines.size()) {
    for (ir::RoutineId id : report.callees_first) of_routine_[id] = OfRoutine(RoutineOf(id));
  }

  const Work& Of(ir::RoutineId id) const { return of_routine_[id]; }

 private:
  const RoutineReport& RoutineOf(ir::RoutineId id) const {
    return report_.routines[static_cast<size_t>(id.index)];
  }

  Work OfRoutine(const RoutineReport& routine) const {
    if (routine.repeats) {
      return {{}, absl::StrCat("'", routine.name, "' repeats its steps as often as data says")};
    }
    return OfSteps(routine, 0, routine.steps.size());
  }

  // Counts the steps from `begin` to `end`.
  Work OfSteps(const RoutineReport& routine, size_t begin, size_t end) const {
    Instructions sum;
    for (size_t i = begin; i < end;) {
      const StepReport& step = routine.steps[i];
      const size_t sides = i + 1, other = sides + step.then_steps;
      i = other + step.else_steps;
      const Work one = i == sides ? OfStep(routine, step) : OfBranch(routine, sides, other, i);
      if (!one.why_unknown.empty()) return one;
      sum.low += one.instructions.low;
      sum.high += one.instructions.high;
    }
    return {sum, ""};
  }

  Work OfBranch(const RoutineReport& routine, size_t sides, size_t other, size_t end) const {
    const Work taken = OfSteps(routine, sides, other), untaken = OfSteps(routine, other, end);
    if (!taken.why_unknown.empty()) return taken;
    if (!untaken.why_unknown.empty()) return untaken;
    const Instructions &a = taken.instructions, &b = untaken.instructions;
    return {{std::min(a.low, b.low), std::max(a.high, b.high)}, ""};
  }

  Work OfStep(const RoutineReport& routine, const StepReport& step) const {
    if (step.callee.valid()) return Of(step.callee);
    if (step.calls_external) {
      return {{}, absl::StrCat("'", routine.name, "' calls functions of unknown work")};
    }
    if (step.kernel.empty()) return {};
    const std::optional<double> count = InstructionsOf(report_, step, core_);
    if (!count) {
      return {{},
              absl::StrCat("the work of a step of '", routine.name, "' depends on sizes or data")};
    }
    return {{*count, *count}, ""};
  }

  const ModelReport& report_;
  const CoreTiming& core_;
  IdVector<ir::RoutineId, Work> of_routine_;
};

}  // namespace

TimeEstimate EstimateTime(const ModelReport& report, const CommonBoard& board) {
  const CoreTiming* core = FindCoreTiming(board.core);
  if (core == nullptr) {
    return {std::nullopt, "", absl::StrCat("no published figures for ", board.core)};
  }
  const WorkCounter counter(report, *core);
  std::optional<Instructions> most;
  std::string slowest;
  for (int32_t i = 0; i < std::ssize(report.routines); ++i) {
    const RoutineReport& routine = report.routines[static_cast<size_t>(i)];
    if (!routine.exported) continue;
    const Work& work = counter.Of(ir::RoutineId{i});
    if (!work.why_unknown.empty()) return {std::nullopt, routine.name, work.why_unknown};
    if (most && work.instructions.high <= most->high) continue;
    most = work.instructions;
    slowest = routine.name;
  }
  if (!most) return {std::nullopt, "", "the model exports no function"};
  const double cycles_in_ms = board.mhz * 1000.0;
  return {
      TimeRange{most->low / cycles_in_ms * core->low(), most->high / cycles_in_ms * core->high()},
      slowest, ""};
}

}  // namespace lathe::driver
