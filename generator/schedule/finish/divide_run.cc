#include "generator/schedule/finish/divide_run.h"

#include <algorithm>
#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "generator/analysis/program_macs.h"
#include "generator/lower/keeps_result.h"
#include "generator/support/match.h"

namespace lathe::schedule {
namespace {

using ir::RoutineId;
using ir::Step;

constexpr char kSeparable[] =
    "; supported with --step and --hooks: kernels, copies, calls and branches on tensors of known "
    "or symbolic size";

bool HasScalars(const ir::Form& form) {
  for (const ir::Part& part : ir::PartsOf(form)) {
    if (!std::holds_alternative<ir::TensorId>(part)) return true;
  }
  return false;
}

// Returns what prevents a step from being alone in a part, for a message; empty if nothing does.
absl::string_view WhyInseparable(const ir::Program& program, const Step& step) {
  constexpr absl::string_view kScalar =
      "it assigns a scalar, such as a size or a condition, and steps keep only tensors";
  constexpr absl::string_view kDynamic = "it has values or memory of dynamic structure or size";
  return Match(
      step.node, [](const ir::KernelStep&) -> absl::string_view { return ""; },
      [](const ir::CopyStep&) -> absl::string_view { return ""; },
      [](const ir::FillStep&) -> absl::string_view { return ""; },
      [](const ir::ViewStep&) -> absl::string_view { return ""; },
      [](const ir::CheckStep&) -> absl::string_view { return ""; },
      [](const ir::AssertStep&) -> absl::string_view { return ""; },
      [](const ir::BranchStep&) -> absl::string_view { return ""; },
      [&](const ir::CallStep& s) {
        bool scalars = false;
        for (const ir::Part& part : s.outputs) {
          scalars = scalars || !std::holds_alternative<ir::TensorId>(part);
        }
        return !s.returned.empty() ? kDynamic : scalars ? kScalar : absl::string_view();
      },
      [&](const ir::PackedStep& s) {
        return lower::KeepsResult(program, s) ? kDynamic
               : HasScalars(s.result)         ? kScalar
                                              : absl::string_view();
      },
      [&](const ir::DefineStep&) { return kScalar; },
      [&](const ir::AssignStep&) { return kScalar; }, [&](const ir::ReadStep&) { return kScalar; },
      [](const ir::TailCallStep&) -> absl::string_view { return "it has a loop"; },
      [](const ir::WaitStep&) -> absl::string_view { return "it uses several devices"; },
      [&](const auto&) { return kDynamic; });
}

// Returns for each tensor the index after the last step of `steps` that uses it or a view of it; 0
// if none does.
IdVector<ir::TensorId, size_t> EndsOfUses(const ir::Program& program, const ir::Steps& steps) {
  IdVector<ir::TensorId, size_t> ends(program.tensors.size());
  // From the last step on: the tensors under a view with an end have one, too.
  for (size_t i = steps.size(); i > 0; --i) {
    const auto look = [&](const Step& step) {
      ir::ForEachTensor(step, [&](ir::TensorId id) {
        while (ends[id] == 0) {
          ends[id] = i;
          if (program.tensors[id].home == ir::Home::kView) id = program.tensors[id].base;
        }
      });
    };
    look(steps[i - 1]);
    if (const auto* branch = std::get_if<ir::BranchStep>(&steps[i - 1].node)) {
      ir::ForEachStep(branch->then_steps, look);
      ir::ForEachStep(branch->else_steps, look);
    }
  }
  return ends;
}

// Names a layer for a message by its kernel.
std::string NameOf(const ir::Program& program, const ir::Routine& routine, const RunPart& layer) {
  for (size_t i = layer.begin; i < layer.end; ++i) {
    const auto* kernel = std::get_if<ir::KernelStep>(&routine.steps[i].node);
    if (kernel == nullptr) continue;
    return absl::StrCat("kernel '", program.kernels[kernel->kernel].name, "' of '", routine.name,
                        "'");
  }
  return absl::StrCat("step ", layer.begin, " of '", routine.name, "'");
}

// Returns ranges of steps with one computing step each. The declaration of a view stays with its
// uses.
std::vector<RunPart> Layers(const ir::Program& program, const ir::Steps& steps) {
  const IdVector<ir::TensorId, size_t> ends = EndsOfUses(program, steps);
  std::vector<RunPart> layers;
  RunPart layer;
  size_t least = 0;  // the end of the views that the layer declares
  bool computes = false;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (const auto* view = std::get_if<ir::ViewStep>(&steps[i].node)) {
      least = std::max(least, ends[view->view]);
    }
    computes = computes || Computes(steps[i]);
    layer.end = i + 1;
    if (!computes || layer.end < least) continue;
    layers.push_back(layer);
    layer = {i + 1, i + 1, {}};
    computes = false;
  }
  if (layers.empty()) return {{0, steps.size(), {}}};
  layers.back().end = steps.size();  // declarations and checks after the last computing step
  return layers;
}

}  // namespace

bool Computes(const Step& step) {
  return std::holds_alternative<ir::KernelStep>(step.node) ||
         std::holds_alternative<ir::CopyStep>(step.node) ||
         std::holds_alternative<ir::FillStep>(step.node) ||
         std::holds_alternative<ir::CallStep>(step.node) ||
         std::holds_alternative<ir::PackedStep>(step.node) ||
         std::holds_alternative<ir::BranchStep>(step.node);
}

absl::Status CheckSeparable(const ir::Program& program, Diagnostics& diags) {
  absl::flat_hash_set<RoutineId> called;
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    ir::ForEachStep(program.routines[RoutineId{i}].steps, [&](const Step& step) {
      if (const auto* call = std::get_if<ir::CallStep>(&step.node)) called.insert(call->routine);
    });
  }
  absl::Status failed;
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    const ir::Routine& routine = program.routines[RoutineId{i}];
    if (!routine.exported) continue;
    const auto refuse = [&](const Location& loc, absl::string_view why) {
      failed = diags.Unsupported(loc, "cannot-emit")
               << "the run of function '" << routine.name << "' cannot be cut into steps: " << why
               << kSeparable;
    };
    if (called.contains(RoutineId{i})) {
      refuse({}, "another function calls it");
    } else if (routine.loops) {
      refuse({}, "it has a loop");
    }
    for (const Step& step : routine.steps) {
      const absl::string_view why = WhyInseparable(program, step);
      if (why.empty() || !failed.ok()) continue;
      refuse(step.loc, why);
    }
  }
  return failed;
}

absl::StatusOr<RunParts> DivideRuns(const ir::Program& program, std::optional<int64_t> most_macs) {
  RunParts all(program.routines.size());
  const analysis::ProgramMacs macs(program);
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    const ir::Routine& routine = program.routines[RoutineId{i}];
    if (!routine.exported) continue;
    std::vector<RunPart>& parts = all[RoutineId{i}];
    for (RunPart& layer : Layers(program, routine.steps)) {
      layer.macs =
          macs.OfSteps(ir::Steps(routine.steps.begin() + static_cast<std::ptrdiff_t>(layer.begin),
                                 routine.steps.begin() + static_cast<std::ptrdiff_t>(layer.end)));
      if (most_macs && (!layer.macs || *layer.macs > *most_macs)) {
        return absl::ResourceExhaustedError(
            absl::StrCat(NameOf(program, routine, layer), " has ",
                         layer.macs ? absl::StrCat(*layer.macs) : "an unknown number of",
                         " multiply-accumulate operations, but --step-macs allows ", *most_macs,
                         "; a layer is not divided", layer.macs ? "" : " (-D n=4 fixes a size n)"));
      }
      const bool joins =
          most_macs && !parts.empty() && *parts.back().macs + *layer.macs <= *most_macs;
      if (joins) {
        parts.back().end = layer.end;
        *parts.back().macs += *layer.macs;
      } else {
        parts.push_back(layer);
      }
    }
  }
  return all;
}

}  // namespace lathe::schedule
