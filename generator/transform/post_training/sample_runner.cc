#include "generator/transform/post_training/sample_runner.h"

#include <functional>
#include <utility>

namespace lathe::transform {
namespace {

interp::Options ObservedBy(std::function<void(ir::ValueId, const interp::Value&)> observe) {
  interp::Options options;
  options.native_products = true;
  options.max_steps = interp::kMaxPartialSteps;
  options.max_bindings = interp::kMaxPartialBindings;
  options.observe = std::move(observe);
  return options;
}

}  // namespace

SampleRunner::SampleRunner(ir::Context& context, const ir::Module& module, ir::GlobalId function,
                           absl::flat_hash_set<ir::ValueId> recorded)
    : module_(module),
      function_(function),
      recorded_(std::move(recorded)),
      interpreter_(context, module, ObservedBy([this](ir::ValueId id, const interp::Value& value) {
                     const auto* tensor = value.As<interp::TensorRef>();
                     if (tensor != nullptr && recorded_.contains(id)) tensors_[id] = *tensor;
                   })) {}

absl::StatusOr<interp::Value> SampleRunner::Run(const Sample& sample, Diagnostics& diags) {
  tensors_.clear();
  // Parameters are bound by the call.
  const std::vector<ir::ValueId>& params = module_.globals[function_].function()->params;
  for (size_t i = 0; i < params.size() && i < sample.size(); ++i) {
    const auto* tensor = sample[i].As<interp::TensorRef>();
    if (tensor != nullptr && recorded_.contains(params[i])) tensors_[params[i]] = *tensor;
  }
  return interpreter_.Run(function_, sample, diags);
}

}  // namespace lathe::transform
