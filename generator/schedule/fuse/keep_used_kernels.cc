#include "generator/schedule/fuse/keep_used_kernels.h"

#include <functional>
#include <iterator>
#include <utility>
#include <variant>

#include "absl/container/flat_hash_map.h"

namespace lathe::schedule {

void KeepUsedKernels(ir::Program& program) {
  IdVector<ir::KernelId, ir::Kernel> kept;
  absl::flat_hash_map<ir::KernelId, ir::KernelId> renamed;
  const std::function<void(ir::Steps&)> visit = [&](ir::Steps& steps) {
    for (ir::Step& step : steps) {
      if (auto* s = std::get_if<ir::KernelStep>(&step.node)) {
        const auto [it, is_new] = renamed.try_emplace(s->kernel);
        if (is_new) it->second = kept.Add(std::move(program.kernels[s->kernel]));
        s->kernel = it->second;
      }
      if (auto* branch = std::get_if<ir::BranchStep>(&step.node)) {
        visit(branch->then_steps);
        visit(branch->else_steps);
      }
    }
  };
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    visit(program.routines[ir::RoutineId{i}].steps);
  }
  program.kernels = std::move(kept);
}

}  // namespace lathe::schedule
