#include "generator/schedule/cuda/split_host_kernels.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "generator/schedule/cuda/check_callees.h"
#include "generator/schedule/threads/serialize_threads.h"

namespace lathe::schedule {
namespace {

class HostSplitting {
 public:
  HostSplitting(ir::Context& context, ir::Program& program) : ir_(context), program_(program) {}

  void Run() {
    for (int32_t i = 0; i < std::ssize(program_.routines); ++i) {
      ir::ForEachStep(program_.routines[ir::RoutineId{i}].steps, [&](const ir::Step& step) {
        const auto* kernel = std::get_if<ir::KernelStep>(&step.node);
        if (kernel != nullptr && !IsHosts(*kernel)) on_gpus_.insert(kernel->kernel);
      });
    }
    for (int32_t i = 0; i < std::ssize(program_.routines); ++i) {
      In(program_.routines[ir::RoutineId{i}].steps);
    }
    const auto of_gpus = CalleesOfGpus(program_);
    for (auto& [name, callee] : program_.callees) {
      if (of_gpus.count(name) == 0) SerializeThreads(ir_, callee);
    }
  }

 private:
  bool IsHosts(const ir::KernelStep& step) const {
    return program_.devices[static_cast<size_t>(program_.DeviceOf(step))].is_host;
  }

  void In(ir::Steps& steps) {
    for (ir::Step& step : steps) {
      if (auto* branch = std::get_if<ir::BranchStep>(&step.node)) {
        In(branch->then_steps);
        In(branch->else_steps);
      }
      auto* kernel = std::get_if<ir::KernelStep>(&step.node);
      if (kernel != nullptr && IsHosts(*kernel)) kernel->kernel = OfHost(kernel->kernel);
    }
  }

  ir::KernelId OfHost(ir::KernelId id) {
    const auto [at, is_new] = of_host_.try_emplace(id, id);
    if (!is_new) return at->second;
    if (on_gpus_.contains(id)) {
      ir::Kernel own = program_.kernels[id];
      absl::StrAppend(&own.name, "_on_host");
      at->second = program_.kernels.Add(std::move(own));
    }
    ir::Kernel& kernel = program_.kernels[at->second];
    kernel.on_host = true;
    SerializeThreads(ir_, kernel.func);
    return at->second;
  }

  ir::Context& ir_;
  ir::Program& program_;
  absl::flat_hash_set<ir::KernelId> on_gpus_;
  absl::flat_hash_map<ir::KernelId, ir::KernelId> of_host_;
};

}  // namespace

void SplitHostKernels(ir::Context& context, ir::Program& program) {
  if (!program.devices.empty()) HostSplitting(context, program).Run();
}

}  // namespace lathe::schedule
