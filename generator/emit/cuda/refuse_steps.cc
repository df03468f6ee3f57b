#include "generator/emit/cuda/refuse_steps.h"

#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "generator/ir/packed_elements.h"
#include "generator/lower/keeps_result.h"
#include "generator/support/match.h"

namespace lathe::emit {
namespace {

// Values of dynamic structure are boxed. The C backend supports boxed values, the CUDA backend does
// not.
constexpr absl::string_view kSupportedSteps =
    "the CUDA backend supports no values of dynamic structure; supported: kernels, copies, "
    "branches, loops, and calls of functions and external functions, on tensors of static "
    "structure with symbolic or dynamic sizes";

constexpr absl::string_view kSupportedAmongDevices =
    "supported with several devices: tensors whose elements are whole bytes, results whose sizes "
    "are known before the call, and external functions on tensors of GPUs";

// Returns the description of an unsupported step; empty: the step is supported.
std::string Refused(const ir::Program& program, const ir::Step& step) {
  return Match(
      step.node,
      [&](const ir::PackedStep& s) {
        if (!lower::KeepsResult(program, s)) return std::string();
        return absl::StrCat("the call of '", s.function,
                            "', an external function whose result has a dynamic structure,");
      },
      [](const ir::BoxStep&) { return std::string("a value of dynamic structure"); },
      [](const ir::UnboxStep&) { return std::string("a value of dynamic structure"); },
      [](const ir::RankStep&) { return std::string("a value of dynamic structure"); },
      [](const ir::FunctionStep&) { return std::string("a dynamic function value"); },
      [](const auto&) { return std::string(); });
}

}  // namespace

void RefuseSteps(const ir::Program& program, Diagnostics& diags) {
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    const ir::Routine& routine = program.routines[ir::RoutineId{i}];
    std::set<std::string> said;
    const auto refuse = [&](const std::string& what, const Location& loc,
                            absl::string_view supported = kSupportedSteps) {
      if (what.empty() || !said.insert(what).second) return;
      diags.Unsupported(loc, "cannot-emit") << "function '" << routine.name << "': " << what
                                            << " cannot be printed as CUDA; " << supported;
    };
    ir::ForEachStep(routine.steps,
                    [&](const ir::Step& step) { refuse(Refused(program, step), step.loc); });
    ir::ForEachStep(routine.steps, [&](const ir::Step& step) {
      if (program.devices.empty()) return;
      if (const auto* call = std::get_if<ir::PackedStep>(&step.node)) {
        const auto device = static_cast<size_t>(program.tensors[call->memory].device);
        if (program.devices[device].is_host) {
          refuse(absl::StrCat(
                     "the call of '", call->function,
                     "', an external function, on host tensors of a program with several devices,"),
                 step.loc, kSupportedAmongDevices);
        }
      }
      if (std::holds_alternative<ir::ReturnStep>(step.node)) {
        refuse("a call that returns tensors whose sizes are known only after the call", step.loc,
               kSupportedAmongDevices);
      }
      ir::ForEachTensor(step, [&](ir::TensorId id) {
        const ir::Tensor& tensor = program.tensors[id];
        if (tensor.is_value() || !ir::IsPacked(tensor.dtype)) return;
        refuse(absl::StrCat("'", tensor.name, "' of ", ToString(tensor.dtype)), step.loc,
               kSupportedAmongDevices);
      });
    });
    for (const std::vector<ir::Part>* parts : {&routine.inputs, &routine.outputs}) {
      for (const ir::Part& part : *parts) {
        const auto* id = std::get_if<ir::TensorId>(&part);
        if (id == nullptr) continue;
        const ir::Tensor& tensor = program.tensors[*id];
        if (tensor.is_value()) {
          refuse(
              absl::StrCat("'", tensor.name, "', a value of which only the run knows what it is,"),
              {});
        }
      }
    }
  }
}

}  // namespace lathe::emit
