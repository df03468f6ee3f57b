#include "generator/lower/declare_state.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "generator/ir/state.h"

namespace lathe::lower {
namespace {

absl::flat_hash_set<ir::RoutineId> CalledRoutines(const ir::Program& program) {
  absl::flat_hash_set<ir::RoutineId> called;
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    ir::ForEachStep(program.routines[ir::RoutineId{i}].steps, [&](const ir::Step& step) {
      const auto* call = std::get_if<ir::CallStep>(&step.node);
      if (call != nullptr) called.insert(call->routine);
    });
  }
  return called;
}

ir::StateVariable VariableOf(const ir::Tensor& tensor, const std::vector<uint8_t>& first) {
  ir::StateVariable variable{tensor.name, tensor.dtype, {}, tensor.bytes().value_or(0), first};
  for (ir::PrimRef dim : tensor.shape) variable.shape.push_back(dim->As<ir::IntImm>()->value);
  return variable;
}

// Returns the tensor of each of the last `count` parts; nothing if they are not static tensors.
std::vector<ir::TensorId> LastTensors(const ir::Program& program,
                                      const std::vector<ir::Part>& parts, size_t count) {
  std::vector<ir::TensorId> tensors;
  for (size_t i = parts.size() - std::min(count, parts.size()); i < parts.size(); ++i) {
    const auto* id = std::get_if<ir::TensorId>(&parts[i]);
    if (id == nullptr || program.tensors[*id].is_value()) return {};
    if (!program.tensors[*id].bytes()) return {};
    tensors.push_back(*id);
  }
  return tensors.size() == count ? tensors : std::vector<ir::TensorId>();
}

}  // namespace

bool DeclareState(const ir::Module& module, const FunctionEffects& effects, ir::Program& program,
                  Diagnostics& diags) {
  const absl::flat_hash_set<ir::RoutineId> called = CalledRoutines(program);
  bool declared = true;
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    ir::Routine& routine = program.routines[ir::RoutineId{i}];
    const auto id = module.Find(routine.name);
    const ir::Function* f = id && routine.exported ? module.globals[*id].function() : nullptr;
    if (f == nullptr) continue;
    const auto bytes = ir::FirstBytesOfState(*f);
    if (bytes.empty()) continue;
    const auto refuse = [&](absl::string_view why, absl::string_view supported) {
      diags.Unsupported(module.globals[*id].loc, "cannot-lower")
          << "'" << routine.name << "', which has a state, " << why << "; supported: " << supported;
      declared = false;
    };
    if (called.contains(ir::RoutineId{i}) || routine.loops || routine.recursive) {
      refuse("is called by the program",
             "a private function with the same body, which takes and returns the variables");
      continue;
    }
    const size_t params = f->params.size();
    bool writes = false;
    for (size_t k = params - bytes.size(); k < params; ++k) writes |= effects.Writes(*id, k);
    if (writes) {
      refuse("writes into a variable, so that a run that fails would leave it half updated",
             "R.call_tir, which returns the new value");
      continue;
    }
    routine.state = LastTensors(program, routine.inputs, bytes.size());
    if (routine.state.empty() || LastTensors(program, routine.outputs, bytes.size()).empty()) {
      routine.state.clear();
      refuse("takes or returns a variable of unknown structure",
             "variables that are tensors with a dtype and constant sizes");
      continue;
    }
    if (!program.state.empty()) continue;  // all functions have the same variables
    for (size_t k = 0; k < bytes.size(); ++k) {
      program.state.push_back(VariableOf(program.tensors[routine.state[k]], bytes[k]));
    }
  }
  return declared;
}

}  // namespace lathe::lower
