#include "generator/ir/verify_program.h"

#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "generator/support/check.h"
#include "generator/support/match.h"

namespace lathe::ir {
namespace {

template <typename IdT, typename T>
bool Exists(const IdVector<IdT, T>& items, IdT id) {
  return id.valid() && id.index < std::ssize(items);
}

// The variables that are defined where the walk is. Definitions inside a branch end with it.
using Scope = absl::flat_hash_set<PrimRef>;

class ProgramVerifier {
 public:
  explicit ProgramVerifier(const Program& program) : program_(program) {}

  std::optional<std::string> Find() {
    for (int32_t i = 0; i < std::ssize(program_.tensors) && !found_; ++i) VerifyTensor({i});
    for (int32_t i = 0; i < std::ssize(program_.routines) && !found_; ++i) VerifyRoutine({i});
    return std::move(found_);
  }

 private:
  void Report(std::string what) {
    if (!found_) found_ = absl::StrCat(place_, what);
  }

  void VerifyTensor(TensorId id) {
    const Tensor& tensor = program_.tensors[id];
    place_ = absl::StrCat("tensor '", tensor.name, "': ");
    if (tensor.home == Home::kConstant && !Exists(program_.constants, tensor.constant)) {
      Report("its constant does not exist");
    }
    // A chain of views that is longer than the list of tensors has a cycle.
    TensorId base = id;
    for (size_t length = 0; program_.tensors[base].home == Home::kView; ++length) {
      base = program_.tensors[base].base;
      if (!Exists(program_.tensors, base)) return Report("its base does not exist");
      if (length > program_.tensors.size()) return Report("its views form a cycle");
    }
    const auto devices = std::ssize(program_.devices);
    if (tensor.device < 0 || (tensor.device > 0 && tensor.device >= devices)) {
      Report(absl::StrCat("device ", tensor.device, " of ", devices));
    }
  }

  void VerifyRoutine(RoutineId id) {
    routine_ = &program_.routines[id];
    step_ = 0;
    place_ = absl::StrCat("routine '", routine_->name, "': ");
    Scope scope;
    Define(routine_->inputs, scope);
    Define(routine_->outputs, scope);  // which its steps assign
    for (PrimRef size : routine_->sizes) scope.insert(size);
    VerifySteps(routine_->steps, std::move(scope));
  }

  void Define(const std::vector<Part>& parts, Scope& scope) {
    for (const Part& part : parts) {
      if (const auto* var = std::get_if<PrimRef>(&part)) scope.insert(*var);
    }
  }

  // The tensors of a value define the sizes that are variables, too.
  void DefineWithSizes(const Form& form, Scope& scope) {
    for (const Part& part : PartsOf(form)) {
      if (const auto* id = std::get_if<TensorId>(&part); id != nullptr && id->valid()) {
        for (PrimRef dim : program_.tensors[*id].shape) {
          if (dim->As<SymVar>() != nullptr) scope.insert(dim);
        }
      } else {
        Define({part}, scope);
      }
    }
  }

  void VerifySteps(const Steps& steps, Scope scope) {
    for (const Step& step : steps) {
      if (found_) return;
      place_ = absl::StrCat("routine '", routine_->name, "', step ", step_++, ": ");
      ForEachTensor(step, [&](TensorId id) {
        if (!Exists(program_.tensors, id)) Report("a tensor does not exist");
      });
      if (!found_) VerifyStep(step, scope);
    }
  }

  void VerifyStep(const Step& step, Scope& scope) {
    Match(
        step.node,
        [&](const KernelStep& s) {
          VerifyCall(s);
          for (PrimRef scalar : s.scalars) Use(scalar, scope);
        },
        [&](const CallStep& s) {
          VerifyCall(s);
          Use(s.inputs, scope);
          for (PrimRef size : s.sizes) Use(size, scope);
          Define(s.outputs, scope);
        },
        [&](const DefineStep& s) { scope.insert(s.var); },
        [&](const AssignStep& s) {
          Use(s.value, scope);
          Use(s.var, scope);
        },
        [&](const ReadStep& s) { scope.insert(s.var); },
        [&](const RankStep& s) { scope.insert(s.var); },
        [&](const FunctionStep& s) { scope.insert(s.var); },
        [&](const UnboxStep& s) { DefineWithSizes(s.to, scope); },
        [&](const PackedStep& s) {
          for (const Form& arg : s.args) Use(PartsOf(arg), scope);
          DefineWithSizes(s.result, scope);
        },
        [&](const CheckStep& s) { Use(s.cond, scope); },
        [&](const AssertStep& s) { Use({s.cond}, scope); },
        [&](const TailCallStep& s) {
          Use(s.inputs, scope);
          if (s.inputs.size() != routine_->inputs.size()) {
            Report(Counts("the routine", "inputs", routine_->inputs.size(), s.inputs.size()));
          }
        },
        [&](const BranchStep& s) {
          Use({s.cond}, scope);
          VerifySteps(s.then_steps, scope);
          VerifySteps(s.else_steps, scope);
        },
        // The scalars of a kept value and of a view's offset are not verified; the others have
        // none.
        [](const CopyStep&) {}, [](const DefinePointerStep&) {}, [](const PointStep&) {},
        [](const ReserveStep&) {}, [](const BindOutputStep&) {}, [](const ViewStep&) {},
        [](const FillStep&) {}, [](const ReturnStep&) {}, [](const BoxStep&) {},
        [](const WaitStep&) {});
  }

  void VerifyCall(const KernelStep& step) {
    if (!Exists(program_.kernels, step.kernel)) return Report("a kernel does not exist");
    const Kernel& kernel = program_.kernels[step.kernel];
    const std::string callee = absl::StrCat("kernel '", kernel.name, "'");
    if (step.tensors.size() != kernel.buffers.size()) {
      return Report(Counts(callee, "tensors", kernel.buffers.size(), step.tensors.size()));
    }
    if (step.scalars.size() != kernel.scalars.size()) {
      return Report(Counts(callee, "scalars", kernel.scalars.size(), step.scalars.size()));
    }
    for (size_t i = 0; i < step.tensors.size(); ++i) {
      const Tensor& tensor = program_.tensors[step.tensors[i]];
      const DType wanted = kernel.buffers[i]->dtype;
      if (tensor.dtype == wanted) continue;
      Report(absl::StrCat(callee, " takes ", ToString(wanted), " for '", kernel.buffers[i]->name,
                          "', '", tensor.name, "' is ", ToString(tensor.dtype)));
    }
  }

  void VerifyCall(const CallStep& step) {
    if (!Exists(program_.routines, step.routine)) return Report("a routine does not exist");
    const Routine& callee = program_.routines[step.routine];
    const std::string name = absl::StrCat("routine '", callee.name, "'");
    const std::pair<const char*, std::pair<size_t, size_t>> counts[] = {
        {"inputs", {callee.inputs.size(), step.inputs.size()}},
        {"sizes", {callee.sizes.size(), step.sizes.size()}},
        {"outputs", {callee.outputs.size(), step.outputs.size()}}};
    for (const auto& [what, count] : counts) {
      if (count.first != count.second) Report(Counts(name, what, count.first, count.second));
    }
  }

  static std::string Counts(absl::string_view callee, absl::string_view what, size_t taken,
                            size_t given) {
    return absl::StrCat(callee, " takes ", taken, " ", what, ", ", given, " are given");
  }

  void Use(const std::vector<Part>& parts, const Scope& scope) {
    for (const Part& part : parts) {
      if (const auto* scalar = std::get_if<PrimRef>(&part)) Use(*scalar, scope);
    }
  }

  void Use(PrimRef e, const Scope& scope) {
    absl::flat_hash_set<PrimRef> seen;
    Use(e, scope, seen);
  }

  // `seen` keeps shared expressions from being walked more than once.
  void Use(PrimRef e, const Scope& scope, absl::flat_hash_set<PrimRef>& seen) {
    if (e == nullptr) return Report("a scalar is null");
    if (!seen.insert(e).second) return;
    if (e->As<SymVar>() != nullptr && !scope.contains(e)) {
      Report(absl::StrCat("variable '", ToString(e), "' is read before its definition"));
    }
    if (const auto* let = e->As<Let>()) seen.insert(let->var);  // which the expression defines
    ForEachOperand(e, [&](PrimRef operand) { Use(operand, scope, seen); });
  }

  const Program& program_;
  const Routine* routine_ = nullptr;
  int step_ = 0;
  std::string place_;
  std::optional<std::string> found_;
};

}  // namespace

std::optional<std::string> BrokenInvariant(const Program& program) {
  return ProgramVerifier(program).Find();
}

void VerifyProgram(const Program& program, absl::string_view pass) {
  const std::optional<std::string> broken = BrokenInvariant(program);
  if (broken) LATHE_UNREACHABLE(absl::StrCat("after ", pass, ": ", *broken));
}

}  // namespace lathe::ir
