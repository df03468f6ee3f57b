#include "generator/plan/lifetimes.h"

#include <functional>

#include "absl/container/flat_hash_map.h"

namespace lathe::plan {

std::vector<Life> Lifetimes(const ir::Program& program, const ir::Routine& routine) {
  std::vector<Life> lives;
  absl::flat_hash_map<ir::TensorId, size_t> index;
  int number = 0;
  ir::ForEachStep(routine.steps, [&](const ir::Step&) { ++number; });
  // Tensors carried into the next iteration are alive in all steps. The steps are not empty: they
  // end with the step that starts the next iteration.
  for (ir::TensorId id : routine.carried) {
    if (id.valid()) lives.push_back({id, 0, number - 1});
  }
  // A use of a pointer is a use of every tensor that it may point to.
  absl::flat_hash_map<ir::TensorId, std::vector<ir::TensorId>> targets;
  ir::ForEachStep(routine.steps, [&](const ir::Step& step) {
    const auto* point = std::get_if<ir::PointStep>(&step.node);
    if (point != nullptr) targets[point->pointer].push_back(point->to);
  });
  number = 0;
  ir::ForEachStep(routine.steps, [&](const ir::Step& step) {
    const std::function<void(ir::TensorId)> use = [&](ir::TensorId used) {
      const ir::TensorId id = program.Whole(used);
      if (program.tensors[id].home == ir::Home::kPointer) {
        for (ir::TensorId target : targets[id]) use(target);
      }
      if (program.tensors[id].home != ir::Home::kArena) return;
      const auto [it, is_new] = index.try_emplace(id, lives.size());
      if (is_new) lives.push_back({id, number, number});
      lives[it->second].last = number;
    };
    ir::ForEachTensor(step, use);
    ++number;
  });
  return lives;
}

std::vector<CallAt> CallsOf(const ir::Routine& routine) {
  std::vector<CallAt> calls;
  int number = 0;
  ir::ForEachStep(routine.steps, [&](const ir::Step& step) {
    if (const auto* call = std::get_if<ir::CallStep>(&step.node)) calls.push_back({call, number});
    ++number;
  });
  return calls;
}

}  // namespace lathe::plan
