#include "generator/transform/integer_ports.h"

#include <algorithm>
#include <bit>
#include <cmath>
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
#include "generator/transform/rederive_info.h"
#include "generator/transform/result_fields.h"

namespace lathe::transform {
namespace {

struct PortScale {
  double scale;
  int64_t zero;
  ir::DType dtype;
  bool operator==(const PortScale&) const = default;
};

const ir::Call* CallNamed(const ir::Binding* binding, absl::string_view name) {
  const auto* call = binding == nullptr ? nullptr : std::get_if<ir::Call>(&binding->rhs);
  return call != nullptr && call->op() != nullptr && call->op()->name == name ? call : nullptr;
}

// Returns the constant of one element that `operand` is.
const ir::Constant* OneElement(const ir::Module& module, const ir::Operand& operand) {
  const auto* id = operand.As<ir::ConstantId>();
  if (id == nullptr) return nullptr;
  const ir::Constant& constant = module.constants[*id];
  int64_t elements = 1;
  for (int64_t dim : constant.shape) elements *= dim;
  return elements == 1 ? &constant : nullptr;
}

std::optional<int64_t> SmallInteger(const ir::Constant& constant) {
  const std::vector<uint8_t>& bytes = *constant.bytes;
  if (!constant.dtype.is_integer()) return std::nullopt;
  const bool is_signed = constant.dtype.is_int();
  if (constant.dtype.bits == 8) return is_signed ? static_cast<int8_t>(bytes[0]) : bytes[0];
  if (constant.dtype == ir::DType::Int(32)) {
    uint32_t bits = 0;
    for (size_t i = 0; i < 4; ++i) bits |= uint32_t{bytes[i]} << (8 * i);
    return static_cast<int32_t>(bits);
  }
  if (constant.dtype.bits != 16) return std::nullopt;
  const auto both = static_cast<uint16_t>(bytes[0] | (bytes[1] << 8));
  return is_signed ? int64_t{static_cast<int16_t>(both)} : int64_t{both};
}

// Returns the scale of a call of R.quantize or R.dequantize, for integers of `dtype`.
std::optional<PortScale> PortScaleOf(const ir::Module& module, const ir::Call& call,
                                     ir::DType dtype) {
  const ir::Constant* scale = OneElement(module, call.args[1]);
  const ir::Constant* zero = OneElement(module, call.args[2]);
  if (scale == nullptr || zero == nullptr || scale->dtype != ir::DType::Float(32)) {
    return std::nullopt;
  }
  uint32_t bits = 0;
  for (size_t i = 0; i < 4; ++i) bits |= uint32_t{(*scale->bytes)[i]} << (8 * i);
  const auto factor = std::bit_cast<float>(bits);
  const auto integer = SmallInteger(*zero);
  const bool is_small = dtype.is_integer() && (dtype.bits == 8 || dtype.bits == 16);
  if (!integer || !is_small || !std::isfinite(factor) || factor <= 0) return std::nullopt;
  return PortScale{factor, *integer, dtype};
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
      const ir::Binding* binding = FindBinding(f_.body, *fields_[i].As<ir::ValueId>());
      fields_[i] = CallNamed(binding, "relax.dequantize")->args[0];
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
    for (ir::Block& block : f_.body.blocks) {
      for (ir::Binding& binding : block.bindings) {
        const ir::Call* call = CallNamed(&binding, "relax.quantize");
        const auto* read = call == nullptr ? nullptr : call->args[0].As<ir::ValueId>();
        if (read != nullptr && *read == param) binding.rhs = ir::Operand{param};
      }
    }
  }

  std::optional<PortScale> OnlyQuantized(ir::ValueId param) const {
    std::optional<PortScale> found;
    int reads = 0;
    for (const ir::Block& block : f_.body.blocks) {
      for (const ir::Binding& binding : block.bindings) {
        const ir::Call* call = CallNamed(&binding, "relax.quantize");
        const auto* read = call == nullptr ? nullptr : call->args[0].As<ir::ValueId>();
        if (read == nullptr || *read != param) continue;
        const auto scale = PortScaleOf(module_, *call, ops::FindDType(*call, "out_dtype"));
        if (!scale || (found && *found != *scale)) return std::nullopt;
        found = scale;
        ++reads;
      }
    }
    return reads == uses_[param] ? found : std::nullopt;
  }

  std::optional<PortScale> DequantizedFrom(const ir::Operand& real) const {
    const auto* var = real.As<ir::ValueId>();
    const ir::Binding* binding = var == nullptr ? nullptr : FindBinding(f_.body, *var);
    const ir::Call* call = CallNamed(binding, "relax.dequantize");
    const auto* from = call == nullptr ? nullptr : call->args[0].As<ir::ValueId>();
    if (from == nullptr) return std::nullopt;
    const auto* tensor = module_.values[*from].info->As<ir::TensorInfo>();
    return tensor == nullptr ? std::nullopt : PortScaleOf(module_, *call, tensor->dtype);
  }

  // lower/declare_ports.h: inputs first, then outputs, without the state.
  void AddScales() {
    ir::AttrList scales;
    const auto add = [&](const std::optional<PortScale>& scale, size_t parts) {
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
  const Uses uses_;
  std::vector<ir::Operand> fields_;
  const size_t state_;  // of the last parameters and results
  std::vector<std::optional<PortScale>> input_scales_, output_scales_;
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
