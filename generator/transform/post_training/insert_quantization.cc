#include "generator/transform/post_training/insert_quantization.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/support/status.h"
#include "generator/transform/emit_ops.h"
#include "generator/transform/post_training/constant_values.h"
#include "generator/transform/replace_variables.h"
#include "generator/transform/weight_kernels.h"

namespace lathe::transform {
namespace {

using ir::Operand;
using ir::ValueId;

class Inserter {
 public:
  Inserter(const QuantizationPlan& plan, ir::Context& context, ir::Module& module)
      : plan_(plan),
        context_(context),
        module_(module),
        kernels_(context, module),
        replaced_(context, module),
        results_(context, module) {
    for (const QuantizedLayer& layer : plan.network.layers) {
      cores_[layer.core] = &layer;
      if (layer.sum) sums_[*layer.sum] = &layer;
    }
  }

  absl::flat_hash_map<ValueId, ValueId> Take() { return std::move(dequantized_); }

  absl::Status In(ir::Function& function) {
    bool first = true;
    for (ir::Block& block : function.body.blocks) {
      std::vector<ir::Binding> out;
      if (std::exchange(first, false)) {
        for (ValueId param : function.params) Quantize(param, block.dataflow, out);
      }
      for (ir::Binding& binding : block.bindings) {
        replaced_.In(binding.rhs);
        LATHE_RETURN_IF_ERROR(RewriteProduct(binding, block.dataflow, out));
        const ValueId var = binding.var;
        out.push_back(std::move(binding));
        Quantize(var, block.dataflow, out);
        const auto quantized = dequantized_.find(var);
        if (quantized != dequantized_.end()) results_.Set(var, Operand{quantized->second});
      }
      block.bindings = std::move(out);
    }
    // An input that the function returns stays as it is.
    results_.In(function.body.result);
    return absl::OkStatus();
  }

 private:
  Operand Add(ir::Constant constant) { return {module_.constants.Add(std::move(constant))}; }

  // Quantizes the value, if it is a point, right after it is bound.
  void Quantize(ValueId value, bool in_dataflow, std::vector<ir::Binding>& out) {
    const auto found = plan_.scales.find(value);
    if (found == plan_.scales.end()) return;
    const ir::Value& named = module_.values[value];
    const std::string name = named.name;
    const Location loc = named.loc;
    // Other blocks may use the value.
    const bool local = in_dataflow && named.dataflow;
    const Operand scale = Add(FloatConstant({}, {found->second.scale}));
    const Operand zero = Add(IntegerConstant(plan_.activations, {}, {found->second.zero}));
    EmitOps quantize(module_, out, in_dataflow, loc);
    const Operand q = quantize.Op("relax.quantize", {Operand{value}, scale, zero},
                                  {{"out_dtype", plan_.activations}});
    module_.values[*q.As<ValueId>()].name = name + "_quantized";
    EmitOps dequantize(module_, out, local, loc);
    const Operand dq = dequantize.Op("relax.dequantize", {q, scale, zero});
    module_.values[*dq.As<ValueId>()].name = name + "_dequantized";
    dequantized_[value] = *dq.As<ValueId>();
    replaced_.Set(value, dq);
  }

  absl::Status RewriteProduct(ir::Binding& binding, bool in_dataflow,
                              std::vector<ir::Binding>& out) {
    auto* call = std::get_if<ir::Call>(&binding.rhs);
    if (call == nullptr) return absl::OkStatus();
    EmitOps emit(module_, out, in_dataflow, binding.loc);
    if (const auto sum = sums_.find(binding.var); sum != sums_.end()) {
      if (auto bias = BiasOf(*sum->second, emit)) {
        call->args[sum->second->bias_operand] = *std::move(bias);
      }
      return absl::OkStatus();
    }
    const auto core = cores_.find(binding.var);
    if (core == cores_.end()) return absl::OkStatus();
    if (core->second->kind == LayerKind::kProduct) {
      LATHE_ASSIGN_OR_RETURN(call->args[1],
                             WeightsOf(*core->second, *call->args[1].As<ir::ConstantId>(), emit));
    } else if (core->second->kind == LayerKind::kArithmetic) {
      for (Operand& arg : call->args) QuantizeConstants(arg, emit);
    }
    return absl::OkStatus();
  }

  absl::StatusOr<Operand> WeightsOf(const QuantizedLayer& layer, ir::ConstantId id, EmitOps& emit) {
    const QuantizedWeights& weights = plan_.weights.at(layer.core);
    const ir::DType dtype = ir::DType::Int(weights.bits);
    const std::vector<int64_t> shape = module_.constants[id].shape;
    const ir::ConstantId integers =
        module_.constants.Add(IntegerConstant(dtype, shape, weights.integers));
    const ir::ConstantId scales =
        module_.constants.Add(FloatConstant(weights.groups.shape, weights.scales));
    if (weights.groups.block > 0) {
      LATHE_ASSIGN_OR_RETURN(
          ir::Call call,
          kernels_.Dequantize(integers, scales, weights.groups.axis, weights.groups.block));
      return emit.Bind(std::move(call), absl::StrCat(layer.name, "_weight"));
    }
    const auto count = static_cast<int64_t>(weights.scales.size());
    const Operand zeros =
        Add(IntegerConstant(dtype, {count}, std::vector<int64_t>(static_cast<size_t>(count), 0)));
    const Operand out = emit.Op("relax.dequantize", {Operand{integers}, Operand{scales}, zeros},
                                {{"axis", static_cast<int64_t>(layer.axes.weights)}});
    module_.values[*out.As<ValueId>()].name = layer.name + "_weight";
    return out;
  }

  // The bias that the plan corrected for weights with a scale per block, in float32.
  std::optional<Operand> RealBiasOf(const QuantizedLayer& layer) {
    const auto corrected = plan_.biases.find(layer.core);
    if (corrected == plan_.biases.end()) return std::nullopt;
    return Add(FloatConstant(module_.constants[*layer.bias].shape, corrected->second));
  }

  // The bias in units of the accumulator; nothing if it stays as it is, because an element exceeds
  // int32.
  std::optional<Operand> BiasOf(const QuantizedLayer& layer, EmitOps& emit) {
    if (plan_.weights.at(layer.core).groups.block > 0) return RealBiasOf(layer);
    const ir::Constant& bias = module_.constants[*layer.bias];
    const auto corrected = plan_.biases.find(layer.core);
    const std::vector<float> values =
        corrected == plan_.biases.end() ? FloatsOf(bias) : corrected->second;
    const std::vector<float>& weights = plan_.weights.at(layer.core).scales;
    const float input = plan_.scales.at(layer.inputs[0]).scale;
    std::vector<float> scales;
    std::vector<int64_t> integers;
    for (size_t c = 0; c < weights.size(); ++c) {
      scales.push_back(input * weights[c]);
      const float value = values.size() == 1 ? values[0] : values[c];
      const double integer =
          std::nearbyint(static_cast<double>(value) / static_cast<double>(scales[c]));
      if (!(std::abs(integer) < std::numeric_limits<int32_t>::max())) return std::nullopt;
      integers.push_back(static_cast<int64_t>(integer));
    }
    const auto count = static_cast<int64_t>(scales.size());
    const std::vector<int64_t> shape = bias.shape;
    const Operand zeros = Add(IntegerConstant(ir::DType::Int(32), {count},
                                              std::vector<int64_t>(static_cast<size_t>(count), 0)));
    Operand out = emit.Op("relax.dequantize",
                          {Add(IntegerConstant(ir::DType::Int(32), {count}, integers)),
                           Add(FloatConstant({count}, scales)), zeros},
                          {{"axis", int64_t{0}}});
    module_.values[*out.As<ValueId>()].name = layer.name + "_bias";
    if (shape.size() > 1) {
      ir::ShapeExpr dims;
      for (int64_t dim : shape) dims.values.push_back(context_.Int(dim));
      out = emit.Op("relax.reshape", {out, Operand{std::move(dims)}});
    }
    return out;
  }

  // Constants of sums and products have one scale.
  void QuantizeConstants(Operand& operand, EmitOps& emit) {
    if (auto* tuple = operand.As<ir::TupleExpr>()) {
      for (Operand& field : tuple->fields) QuantizeConstants(field, emit);
      return;
    }
    const auto* id = operand.As<ir::ConstantId>();
    if (id == nullptr || module_.constants[*id].dtype != ir::DType::Float(32)) return;
    const ir::Constant constant = module_.constants[*id];
    ValueRange range;
    const std::vector<float> values = FloatsOf(constant);
    for (const float value : values) {
      range.low = std::min<double>(range.low, value);
      range.high = std::max<double>(range.high, value);
    }
    const ir::DType dtype = plan_.activations;
    const AffineScale affine = ScaleOf(range, dtype);
    std::vector<int64_t> integers;
    for (const float value : values) {
      const double q =
          std::nearbyint(static_cast<double>(value) / static_cast<double>(affine.scale));
      integers.push_back(std::clamp(static_cast<int64_t>(q) + affine.zero, LowestInteger(dtype),
                                    HighestInteger(dtype)));
    }
    operand = emit.Op("relax.dequantize", {Add(IntegerConstant(dtype, constant.shape, integers)),
                                           Add(FloatConstant({}, {affine.scale})),
                                           Add(IntegerConstant(dtype, {}, {affine.zero}))});
  }

  const QuantizationPlan& plan_;
  ir::Context& context_;
  ir::Module& module_;
  WeightKernels kernels_;
  Replacement replaced_, results_;
  absl::flat_hash_map<ValueId, const QuantizedLayer*> cores_, sums_;
  absl::flat_hash_map<ValueId, ValueId> dequantized_;
};

}  // namespace

absl::StatusOr<absl::flat_hash_map<ValueId, ValueId>> InsertQuantization(
    const QuantizationPlan& plan, ir::GlobalId function, ir::Context& context, ir::Module& module) {
  Inserter inserter(plan, context, module);
  // New PrimFuncs move the functions of the module.
  ir::Function rewritten = std::move(*module.globals[function].function());
  const absl::Status done = inserter.In(rewritten);
  module.globals[function].def = std::move(rewritten);
  LATHE_RETURN_IF_ERROR(done);
  return inserter.Take();
}

}  // namespace lathe::transform
