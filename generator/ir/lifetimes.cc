#include "generator/ir/lifetimes.h"

#include <functional>

#include "absl/container/flat_hash_map.h"

namespace lathe::ir {

std::vector<Life> Lifetimes(const Program& program, const Routine& routine) {
  std::vector<Life> lives;
  absl::flat_hash_map<TensorId, size_t> index;
  int number = 0;
  ForEachStep(routine.steps, [&](const Step&) { ++number; });
  // Tensors carried into the next iteration are alive in all steps. The steps are not empty: they
  // end with the step that starts the next iteration.
  for (TensorId id : routine.carried) {
    if (id.valid()) lives.push_back({id, 0, number - 1});
  }
  // A use of a pointer is a use of every tensor that it may point to.
  absl::flat_hash_map<TensorId, std::vector<TensorId>> targets;
  ForEachStep(routine.steps, [&](const Step& step) {
    const auto* point = std::get_if<PointStep>(&step.node);
    if (point != nullptr) targets[point->pointer].push_back(point->to);
  });
  number = 0;
  ForEachStep(routine.steps, [&](const Step& step) {
    const std::function<void(TensorId)> use = [&](TensorId used) {
      const TensorId id = program.Whole(used);
      if (program.tensors[id].home == Home::kPointer) {
        for (TensorId target : targets[id]) use(target);
      }
      if (program.tensors[id].home != Home::kArena) return;
      const auto [it, is_new] = index.try_emplace(id, lives.size());
      if (is_new) lives.push_back({id, number, number});
      lives[it->second].last = number;
    };
    ForEachTensor(step, use);
    ++number;
  });
  return lives;
}

std::vector<CallAt> CallsOf(const Routine& routine) {
  std::vector<CallAt> calls;
  int number = 0;
  ForEachStep(routine.steps, [&](const Step& step) {
    if (const auto* call = std::get_if<CallStep>(&step.node)) calls.push_back({call, number});
    ++number;
  });
  return calls;
}

}  // namespace lathe::ir
