#include "generator/schedule/finish/share_kernels.h"

#include <iterator>
#include <string>
#include <utility>
#include <variant>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "generator/ir/module.h"
#include "generator/ir/print/print_tvmscript.h"
#include "generator/nest/nest_call.h"
#include "generator/schedule/fuse/keep_used_kernels.h"

namespace lathe::schedule {
namespace {

bool MayBeShared(const ir::Kernel& kernel) {
  return !kernel.form && !nest::HasUserLoops(kernel.func);
}

// The text of the function defines the kernel up to its name.
std::string KeyOf(const ir::Kernel& kernel) {
  ir::Module module;
  module.globals.Add(ir::Global{"kernel", kernel.func, {}});
  return absl::StrCat(kernel.on_host ? "host " : "", kernel.buffers.size(), " ",
                      ir::PrintTvmScript(module, {}));
}

void Rename(const absl::flat_hash_map<ir::KernelId, ir::KernelId>& shared, ir::Steps& steps) {
  for (ir::Step& step : steps) {
    if (auto* s = std::get_if<ir::KernelStep>(&step.node)) s->kernel = shared.at(s->kernel);
    if (auto* branch = std::get_if<ir::BranchStep>(&step.node)) {
      Rename(shared, branch->then_steps);
      Rename(shared, branch->else_steps);
    }
  }
}

}  // namespace

void ShareKernels(ir::Program& program) {
  absl::flat_hash_map<std::string, ir::KernelId> first;
  absl::flat_hash_map<ir::KernelId, ir::KernelId> shared;
  for (int32_t i = 0; i < std::ssize(program.kernels); ++i) {
    const ir::KernelId id{i};
    const ir::Kernel& kernel = program.kernels[id];
    shared[id] = MayBeShared(kernel) ? first.try_emplace(KeyOf(kernel), id).first->second : id;
  }
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    Rename(shared, program.routines[ir::RoutineId{i}].steps);
  }
  KeepUsedKernels(program);
}

}  // namespace lathe::schedule
