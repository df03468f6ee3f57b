#include "generator/emit/c/constant_users.h"

#include <optional>
#include <variant>

#include "absl/algorithm/container.h"
#include "generator/nest/stored_buffers.h"

namespace lathe::emit {
namespace {

// Returns the parameter of each kernel that it writes first; nullopt if it writes none.
std::vector<std::optional<size_t>> ResultParameters(const ir::Program& program) {
  std::vector<std::optional<size_t>> results;
  for (int32_t i = 0; i < std::ssize(program.kernels); ++i) {
    const ir::Kernel& kernel = program.kernels[ir::KernelId{i}];
    const nest::StoredBuffers stored(kernel.func.body);
    const auto written =
        absl::c_find_if(kernel.buffers, [&](ir::BufferRef buffer) { return stored.Has(buffer); });
    results.emplace_back();
    if (written != kernel.buffers.end()) {
      results.back() = static_cast<size_t>(written - kernel.buffers.begin());
    }
  }
  return results;
}

}  // namespace

std::map<int32_t, std::vector<std::string>> ConstantUsers(const ir::Program& program) {
  const std::vector<std::optional<size_t>> results = ResultParameters(program);
  std::map<int32_t, std::vector<std::string>> users;
  const auto visit = [&](const ir::Step& step) {
    const auto* call = std::get_if<ir::KernelStep>(&step.node);
    if (call == nullptr) return;
    const std::optional<size_t> result = results[call->kernel.index];
    if (!result || *result >= call->tensors.size()) return;
    const std::string& name = program.tensors[program.Whole(call->tensors[*result])].name;
    for (ir::TensorId id : call->tensors) {
      const ir::Tensor& tensor = program.tensors[program.Whole(id)];
      if (tensor.home != ir::Home::kConstant) continue;
      std::vector<std::string>& names = users[tensor.constant.index];
      if (!absl::c_linear_search(names, name)) names.push_back(name);
    }
  };
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    ir::ForEachStep(program.routines[ir::RoutineId{i}].steps, visit);
  }
  return users;
}

}  // namespace lathe::emit
