#include "generator/schedule/finish/keep_state.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"

namespace lathe::schedule {
namespace {

using ir::TensorId;

class StateKeeper {
 public:
  StateKeeper(ir::Program& program, ir::Routine& routine) : program_(program), routine_(routine) {}

  void Run() {
    const size_t count = routine_.state.size();
    for (size_t i = routine_.outputs.size() - count; i < routine_.outputs.size(); ++i) {
      results_.push_back(std::get<TensorId>(routine_.outputs[i]));
    }
    TakeOutOfPorts(count);
    ir::Steps last;
    for (size_t i = 0; i < count; ++i) {
      program_.tensors[results_[i]].home = ir::Home::kArena;
      const TensorId from = SourceOf(results_[i], routine_.state[i]);
      if (from == routine_.state[i]) continue;  // the variable keeps its value
      last.push_back({ir::CopyStep{from, routine_.state[i]}, {}});
    }
    for (ir::Step& step : last) routine_.steps.push_back(std::move(step));
  }

 private:
  void TakeOutOfPorts(size_t count) {
    routine_.inputs.resize(routine_.inputs.size() - count);
    routine_.input_names.resize(routine_.inputs.size());
    routine_.params.resize(routine_.params.size() - count);
    routine_.outputs.resize(routine_.outputs.size() - count);
    routine_.output_names.resize(routine_.outputs.size());
    const auto* tuple = routine_.result.As<ir::TupleForm>();
    ir::TupleForm kept = tuple == nullptr ? ir::TupleForm() : *tuple;
    if (tuple != nullptr) kept.fields.resize(kept.fields.size() - count);
    const bool one = kept.fields.size() == 1;
    ir::Form result = one ? std::move(kept.fields[0]) : ir::Form{std::move(kept)};
    routine_.result = std::move(result);
  }

  size_t UsesOf(TensorId id) const {
    size_t uses = 0;
    ir::ForEachStep(routine_.steps, [&](const ir::Step& step) {
      ir::ForEachTensor(step, [&](TensorId used) {
        if (used.valid() && program_.Whole(used) == id) ++uses;
      });
    });
    return uses;
  }

  // Returns the tensor that holds the new value at the end of the routine. If a copy among the last
  // steps is the only use of `result`, removes it and returns its source.
  TensorId SourceOf(TensorId result, TensorId variable) {
    size_t at = routine_.steps.size();
    for (; at > 0; --at) {
      const auto* copy = std::get_if<ir::CopyStep>(&routine_.steps[at - 1].node);
      if (copy == nullptr) return result;  // later steps are copies to outputs
      if (copy->to == result) break;
    }
    if (at == 0 || UsesOf(result) != 1) return result;
    const TensorId from = std::get<ir::CopyStep>(routine_.steps[at - 1].node).from;
    if (MayChange(from, variable)) return result;
    routine_.steps.erase(routine_.steps.begin() + static_cast<std::ptrdiff_t>(at) - 1);
    return from;
  }

  // Returns true if `from` may be overwritten before its value is stored in `variable`: it is a
  // part of the state other than the variable itself, or one of several tensors.
  bool MayChange(TensorId from, TensorId variable) const {
    const TensorId whole = program_.Whole(from);
    if (program_.tensors[whole].home == ir::Home::kPointer) return true;
    return from != variable && absl::c_linear_search(routine_.state, whole);
  }

  ir::Program& program_;
  ir::Routine& routine_;
  std::vector<TensorId> results_;
};

}  // namespace

void KeepState(ir::Program& program) {
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    ir::Routine& routine = program.routines[ir::RoutineId{i}];
    if (!routine.state.empty()) StateKeeper(program, routine).Run();
  }
}

}  // namespace lathe::schedule
