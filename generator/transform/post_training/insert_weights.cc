#include "generator/transform/post_training/insert_weights.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/support/status.h"
#include "generator/transform/emit_ops.h"
#include "generator/transform/post_training/constant_values.h"
#include "generator/transform/weight_kernels.h"

namespace lathe::transform {
namespace {

using ir::Operand;
using ir::ValueId;

class WeightInserter {
 public:
  WeightInserter(const QuantizationPlan& plan, ir::Context& context, ir::Module& module)
      : plan_(plan), module_(module), kernels_(context, module) {
    for (const QuantizedLayer& layer : plan.network.layers) {
      cores_[layer.core] = &layer;
      if (layer.sum && plan.biases.contains(layer.core)) sums_[*layer.sum] = &layer;
    }
  }

  absl::Status In(ir::Body& body) {
    for (ir::Block& block : body.blocks) {
      std::vector<ir::Binding> out;
      for (ir::Binding& binding : block.bindings) {
        LATHE_RETURN_IF_ERROR(Rewrite(binding, block.dataflow, out));
        out.push_back(std::move(binding));
      }
      block.bindings = std::move(out);
    }
    return absl::OkStatus();
  }

 private:
  absl::Status Rewrite(ir::Binding& binding, bool dataflow, std::vector<ir::Binding>& out) {
    auto* call = std::get_if<ir::Call>(&binding.rhs);
    if (call == nullptr) return absl::OkStatus();
    if (const auto sum = sums_.find(binding.var); sum != sums_.end()) {
      const QuantizedLayer& layer = *sum->second;
      call->args[layer.bias_operand] = BiasOf(layer);
    }
    const auto core = cores_.find(binding.var);
    if (core == cores_.end()) return absl::OkStatus();
    EmitOps emit(module_, out, dataflow, binding.loc);
    LATHE_ASSIGN_OR_RETURN(call->args[1],
                           WeightsOf(*core->second, *call->args[1].As<ir::ConstantId>(), emit));
    return absl::OkStatus();
  }

  Operand BiasOf(const QuantizedLayer& layer) {
    const std::vector<float>& values = plan_.biases.at(layer.core);
    std::vector<int64_t> shape = module_.constants[*layer.bias].shape;
    return {module_.constants.Add(FloatConstant(std::move(shape), values))};
  }

  absl::StatusOr<Operand> WeightsOf(const QuantizedLayer& layer, ir::ConstantId id, EmitOps& emit) {
    const QuantizedWeights& weights = plan_.weights.at(layer.core);
    const std::vector<int64_t> shape = module_.constants[id].shape;
    const ir::DType dtype = ir::DType::Int(weights.bits);
    const ir::ConstantId integers =
        module_.constants.Add(IntegerConstant(dtype, shape, weights.integers));
    const ir::ConstantId scales =
        module_.constants.Add(FloatConstant(weights.groups.shape, weights.scales));
    LATHE_ASSIGN_OR_RETURN(ir::Call call, kernels_.Dequantize(integers, scales, weights.groups.axis,
                                                              weights.groups.block));
    return emit.Bind(std::move(call), absl::StrCat(layer.name, "_weight"));
  }

  const QuantizationPlan& plan_;
  ir::Module& module_;
  WeightKernels kernels_;
  absl::flat_hash_map<ValueId, const QuantizedLayer*> cores_, sums_;
};

}  // namespace

absl::StatusOr<absl::flat_hash_map<ValueId, ValueId>> InsertWeights(const QuantizationPlan& plan,
                                                                    ir::GlobalId function,
                                                                    ir::Context& context,
                                                                    ir::Module& module) {
  // New PrimFuncs move the functions of the module.
  ir::Function rewritten = std::move(*module.globals[function].function());
  const absl::Status done = WeightInserter(plan, context, module).In(rewritten.body);
  module.globals[function].def = std::move(rewritten);
  LATHE_RETURN_IF_ERROR(done);
  absl::flat_hash_map<ValueId, ValueId> results;
  for (const QuantizedLayer& layer : plan.network.layers) results[layer.result] = layer.result;
  return results;
}

}  // namespace lathe::transform
