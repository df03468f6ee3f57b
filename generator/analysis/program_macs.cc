#include "generator/analysis/program_macs.h"

#include <algorithm>
#include <string>
#include <variant>

#include "absl/algorithm/container.h"
#include "generator/analysis/called_functions.h"
#include "generator/analysis/callees_first.h"
#include "generator/analysis/count_macs.h"

namespace lathe::analysis {

ProgramMacs::ProgramMacs(const ir::Program& program) {
  // The kernel may call the PrimFunc in a loop, and that one others.
  const bool callees_compute = absl::c_any_of(
      program.callees, [](const auto& callee) { return CountMacs(callee.second) != 0; });
  for (int32_t i = 0; i < std::ssize(program.kernels); ++i) {
    const ir::PrimFunc& func = program.kernels[ir::KernelId{i}].func;
    const bool calls =
        callees_compute && absl::c_any_of(CalledFunctions(func), [&](const std::string& name) {
          return program.callees.count(name) != 0;
        });
    of_kernel_.Add(calls ? std::nullopt : CountMacs(func));
  }
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) of_routine_.Add(std::nullopt);
  for (ir::RoutineId id : CalleesFirst(program)) {
    const ir::Routine& routine = program.routines[id];
    if (!routine.recursive && !routine.loops) of_routine_[id] = OfSteps(routine.steps);
  }
}

std::optional<int64_t> ProgramMacs::OfSteps(const ir::Steps& steps) const {
  std::optional<int64_t> sum = 0;
  for (const ir::Step& step : steps) {
    const std::optional<int64_t> one = OfStep(step);
    if (!sum || !one || __builtin_add_overflow(*sum, *one, &*sum)) return std::nullopt;
  }
  return sum;
}

std::optional<int64_t> ProgramMacs::OfStep(const ir::Step& step) const {
  if (const auto* s = std::get_if<ir::KernelStep>(&step.node)) return of_kernel_[s->kernel];
  if (const auto* s = std::get_if<ir::BranchStep>(&step.node)) {
    const auto taken = OfSteps(s->then_steps), other = OfSteps(s->else_steps);
    if (!taken || !other) return std::nullopt;
    return std::max(*taken, *other);
  }
  if (const auto* s = std::get_if<ir::CallStep>(&step.node)) return of_routine_[s->routine];
  return 0;
}

}  // namespace lathe::analysis
