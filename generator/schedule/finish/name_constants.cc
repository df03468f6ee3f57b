#include "generator/schedule/finish/name_constants.h"

#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"

namespace lathe::schedule {

void NameConstants(ir::Program& program) {
  absl::flat_hash_map<ir::ConstantId, std::string> names;
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    ir::ForEachStep(program.routines[ir::RoutineId{i}].steps, [&](const ir::Step& step) {
      const auto* call = std::get_if<ir::KernelStep>(&step.node);
      if (call == nullptr) return;
      const ir::Kernel& kernel = program.kernels[call->kernel];
      for (size_t at = 0; at < call->tensors.size(); ++at) {
        const ir::Tensor& tensor = program.tensors[program.Whole(call->tensors[at])];
        if (tensor.home != ir::Home::kConstant) continue;
        const std::string& layer = kernel.layers.empty() ? kernel.name : kernel.layers[at];
        names.try_emplace(tensor.constant, absl::StrCat(layer, "_", kernel.buffers[at]->name));
      }
    });
  }
  for (int32_t i = 0; i < std::ssize(program.tensors); ++i) {
    ir::Tensor& tensor = program.tensors[ir::TensorId{i}];
    if (tensor.home != ir::Home::kConstant) continue;
    const auto name = names.find(tensor.constant);
    if (name != names.end()) tensor.name = name->second;
  }
}

}  // namespace lathe::schedule
