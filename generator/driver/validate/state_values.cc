#include "generator/driver/validate/state_values.h"

#include <cstdint>
#include <utility>

#include "generator/interp/data/tensor.h"
#include "generator/ir/state.h"
#include "generator/support/check.h"
#include "generator/support/status.h"

namespace lathe::driver {

size_t StateCount(const ir::Module& module, ir::GlobalId function) {
  const ir::Function* f = module.globals[function].function();
  return f == nullptr ? 0 : ir::FirstBytesOfState(*f).size();
}

absl::StatusOr<std::vector<interp::Value>> FirstState(
    const ir::Module& module, ir::GlobalId function,
    const std::shared_ptr<interp::MemoryBudget>& budget) {
  std::vector<interp::Value> state;
  const ir::Function* f = module.globals[function].function();
  if (f == nullptr) return state;
  const auto bytes = ir::FirstBytesOfState(*f);
  for (size_t i = 0; i < bytes.size(); ++i) {
    const ir::ValueId param = f->params[f->params.size() - bytes.size() + i];
    const auto* info = module.values[param].info->As<ir::TensorInfo>();
    LATHE_CHECK(info != nullptr && info->dims() != nullptr, "a variable has a static shape");
    std::vector<int64_t> shape;
    for (ir::PrimRef dim : *info->dims()) shape.push_back(dim->As<ir::IntImm>()->value);
    LATHE_ASSIGN_OR_RETURN(const interp::TensorRef tensor,
                           interp::NewTensor(info->dtype, std::move(shape), budget));
    for (uint64_t at = 0; at < tensor->bytes(); ++at) {
      tensor->data()[at] = bytes[i][at % bytes[i].size()];
    }
    state.emplace_back(tensor);
  }
  return state;
}

absl::StatusOr<StepResult> SplitState(interp::Value returned, size_t count,
                                      const std::shared_ptr<interp::MemoryBudget>& budget) {
  StepResult step;
  if (count == 0) {
    step.result = std::move(returned);
    return step;
  }
  const auto* fields = returned.AsTuple();
  std::vector<interp::Value> all = fields == nullptr
                                       ? std::vector<interp::Value>{returned}
                                       : std::vector<interp::Value>(fields->begin(), fields->end());
  LATHE_CHECK(all.size() >= count, "a function returns all its variables");
  const auto first = all.end() - static_cast<std::ptrdiff_t>(count);
  for (auto variable = first; variable != all.end(); ++variable) {
    const interp::Tensor* tensor = variable->AsTensor();
    LATHE_CHECK(tensor != nullptr, "a variable is a tensor");
    LATHE_ASSIGN_OR_RETURN(interp::TensorRef copy,
                           interp::CopyTensor(*tensor, budget, tensor->device));
    step.state.emplace_back(std::move(copy));
  }
  all.erase(first, all.end());
  if (all.size() == 1) {
    step.result = std::move(all[0]);
    return step;
  }
  LATHE_ASSIGN_OR_RETURN(step.result, interp::Value::OfTuple(std::move(all), budget));
  return step;
}

}  // namespace lathe::driver
