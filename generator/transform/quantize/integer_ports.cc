#include "generator/transform/quantize/integer_ports.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/ir/state.h"
#include "generator/ops/args/attributes.h"
#include "generator/transform/count_uses.h"
#include "generator/transform/mark_dataflow_vars.h"
#include "generator/transform/quantize/integer_graph.h"
#include "generator/transform/rederive_info.h"
#include "generator/transform/result_fields.h"

namespace lathe::transform {
namespace {

const ir::Call* CallNamed(const ir::Binding* binding, absl::string_view name) {
  const auto* call = binding == nullptr ? nullptr : std::get_if<ir::Call>(&binding->rhs);
  return call != nullptr && call->op() != nullptr && call->op()->name == name ? call : nullptr;
}

// Returns whether the info is a float tensor, or a tuple with one.
bool HoldsFloat(ir::StructInfoRef info) {
  if (info == nullptr) return false;
  if (const auto* tensor = info->As<ir::TensorInfo>()) return tensor->dtype.is_floating();
  const auto* tuple = info->As<ir::TupleInfo>();
  return tuple != nullptr && absl::c_any_of(tuple->fields, HoldsFloat);
}

bool HoldsFloat(const ir::Module& module, const ir::Operand& operand) {
  if (const auto* id = operand.As<ir::ConstantId>())
    return module.constants[*id].dtype.is_floating();
  if (const auto* var = operand.As<ir::ValueId>()) return HoldsFloat(module.values[*var].info);
  const auto* tuple = operand.As<ir::TupleExpr>();
  return tuple != nullptr && absl::c_any_of(tuple->fields, [&](const ir::Operand& field) {
           return HoldsFloat(module, field);
         });
}

// Returns the number of entries of a port in `scales`: one for each tensor and number.
size_t PartsOf(ir::StructInfoRef info) {
  const auto* shape = info == nullptr ? nullptr : info->As<ir::ShapeInfo>();
  if (shape != nullptr) return static_cast<size_t>(std::max(shape->ndim, 0));
  const auto* tuple = info == nullptr ? nullptr : info->As<ir::TupleInfo>();
  if (tuple == nullptr) return 1;
  size_t parts = 0;
  for (ir::StructInfoRef field : tuple->fields) parts += PartsOf(field);
  return parts;
}

size_t PartsOf(const ir::Module& module, const ir::Operand& operand) {
  if (const auto* var = operand.As<ir::ValueId>()) return PartsOf(module.values[*var].info);
  const auto* tuple = operand.As<ir::TupleExpr>();
  if (tuple == nullptr) return 1;
  size_t parts = 0;
  for (const ir::Operand& field : tuple->fields) parts += PartsOf(module, field);
  return parts;
}

class Ports {
 public:
  Ports(ir::Context& context, ir::Module& module, ir::Function& f)
      : context_(context),
        module_(module),
        f_(f),
        graph_(context, module, IntegerLoops::kBlocks),
        uses_(CountUses(module)),
        fields_(ResultFields(f.body)),
        state_(ir::FirstBytesOfState(f).size()) {}

  // Finds the scales of the ports, and names those that cannot be converted.
  std::vector<std::string> Find(const IntegerPorts& ports) {
    std::vector<std::string> others;
    const size_t inputs = f_.params.size() - std::min(state_, f_.params.size());
    const size_t outputs = fields_.size() - std::min(state_, fields_.size());
    input_scales_.resize(inputs);
    output_scales_.resize(outputs);
    for (size_t i = 0; ports.inputs && i < inputs; ++i) {
      if (!HoldsFloat(module_, {f_.params[i]})) continue;
      input_scales_[i] = OnlyQuantized(f_.params[i]);
      if (!input_scales_[i]) {
        others.push_back(absl::StrCat("the input '", module_.values[f_.params[i]].name,
                                      "' is not read by R.quantize with one scale alone"));
      }
    }
    for (size_t i = 0; ports.outputs && i < outputs; ++i) {
      if (!HoldsFloat(module_, fields_[i])) continue;
      output_scales_[i] = DequantizedFrom(fields_[i]);
      if (!output_scales_[i]) {
        const auto* var = fields_[i].As<ir::ValueId>();
        others.push_back(absl::StrCat(
            "the output ",
            var == nullptr ? absl::StrCat(i) : absl::StrCat("'", module_.values[*var].name, "'"),
            " is not the result of R.dequantize with one scale"));
      }
    }
    return others;
  }

  void Convert() {
    for (size_t i = 0; i < input_scales_.size(); ++i) {
      if (input_scales_[i]) MakeInput(f_.params[i], input_scales_[i]->dtype);
    }
    for (size_t i = 0; i < output_scales_.size(); ++i) {
      if (!output_scales_[i]) continue;
      fields_[i] = DequantizeOf(fields_[i])->args[0];
    }
    const bool is_tuple = fields_.size() != 1 || ReturnsTuple();
    f_.body.result = is_tuple ? ir::Operand{ir::TupleExpr{fields_}} : fields_[0];
    f_.ret = nullptr;
    AddScales();
  }

 private:
  bool ReturnsTuple() const {
    const auto* info = f_.ret_info;
    return info != nullptr && info->As<ir::TupleInfo>() != nullptr;
  }

  void MakeInput(ir::ValueId param, ir::DType dtype) {
    ir::Value& value = module_.values[param];
    const ir::TensorInfo& tensor = *value.info->As<ir::TensorInfo>();
    value.annotation = tensor.dims() != nullptr
                           ? context_.Tensor(*tensor.dims(), dtype, tensor.vdevice)
                           : context_.Tensor(tensor.ndim, dtype, tensor.vdevice);
    value.info = value.annotation;
    for (ir::Binding* binding : QuantizedFrom(param)) binding->rhs = ir::Operand{param};
  }

  // The bindings outside of branches that quantize the parameter.
  std::vector<ir::Binding*> QuantizedFrom(ir::ValueId param) const {
    std::vector<ir::Binding*> found;
    for (ir::Block& block : f_.body.blocks) {
      for (ir::Binding& binding : block.bindings) {
        const ir::Call* call = CallNamed(&binding, "relax.quantize");
        const auto* read = call == nullptr ? nullptr : call->args[0].As<ir::ValueId>();
        if (read != nullptr && *read == param) found.push_back(&binding);
      }
    }
    return found;
  }

  std::optional<Affine> OnlyQuantized(ir::ValueId param) const {
    const std::vector<ir::Binding*> reads = QuantizedFrom(param);
    if (std::ssize(reads) != uses_[param]) return std::nullopt;
    std::optional<Affine> found;
    for (const ir::Binding* binding : reads) {
      const auto& call = std::get<ir::Call>(binding->rhs);
      const auto scale = graph_.AffineOf(call, ops::FindDType(call, "out_dtype"));
      if (!scale || (found && *found != *scale)) return std::nullopt;
      found = scale;
    }
    return found;
  }

  // Returns the call of R.dequantize outside of branches that makes `real`, or null.
  const ir::Call* DequantizeOf(const ir::Operand& real) const {
    const auto* var = real.As<ir::ValueId>();
    return CallNamed(var == nullptr ? nullptr : FindBinding(f_.body, *var), "relax.dequantize");
  }

  std::optional<Affine> DequantizedFrom(const ir::Operand& real) const {
    const ir::Call* call = DequantizeOf(real);
    const auto* from = call == nullptr ? nullptr : call->args[0].As<ir::ValueId>();
    if (from == nullptr) return std::nullopt;
    const auto* tensor = module_.values[*from].info->As<ir::TensorInfo>();
    return tensor == nullptr ? std::nullopt : graph_.AffineOf(*call, tensor->dtype);
  }

  // lower/declare_ports.h: inputs first, then outputs, without the state.
  void AddScales() {
    ir::AttrList scales;
    const auto add = [&](const std::optional<Affine>& scale, size_t parts) {
      if (scale) {
        scales.emplace_back(ir::AttrList{scale->scale, scale->zero});
      } else {
        scales.resize(scales.size() + parts);
      }
    };
    for (size_t i = 0; i < input_scales_.size(); ++i) {
      add(input_scales_[i], PartsOf(module_, {f_.params[i]}));
    }
    for (size_t i = 0; i < output_scales_.size(); ++i) {
      add(output_scales_[i], PartsOf(module_, fields_[i]));
    }
    const auto* before = ir::FindAttr<ir::AttrList>(f_.attrs, "scales");
    for (size_t i = 0; before != nullptr && before->size() == scales.size() && i < scales.size();
         ++i) {
      if (scales[i].As<ir::AttrList>() == nullptr) scales[i] = (*before)[i];
    }
    f_.attrs["scales"] = ir::AttrValue(std::move(scales));
  }

  ir::Context& context_;
  ir::Module& module_;
  ir::Function& f_;
  const IntegerGraph graph_;  // reads constants
  const Uses uses_;
  std::vector<ir::Operand> fields_;
  const size_t state_;  // of the last parameters and results
  std::vector<std::optional<Affine>> input_scales_, output_scales_;
};

}  // namespace

absl::Status MakePortsInteger(ir::Context& context, ir::Module& module, ir::GlobalId function,
                              const IntegerPorts& ports, Diagnostics& diags) {
  if (IsUsed(module, function)) {
    return absl::InvalidArgumentError(absl::StrCat("--io cannot convert the inputs of '",
                                                   module.globals[function].name,
                                                   "', which the program calls"));
  }
  Ports conversion(context, module, *module.globals[function].function());
  const std::vector<std::string> others = conversion.Find(ports);
  if (!others.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--io removes conversions only: ", absl::StrJoin(others, "; "),
                     "; int8-inputs and int8-outputs convert one side alone"));
  }
  conversion.Convert();
  MarkDataflowVars(module);
  RederiveInfo(context, module, diags);
  return absl::OkStatus();
}

}  // namespace lathe::transform
