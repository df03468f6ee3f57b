#include "generator/driver/validate/expected_parts.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/analysis/arithmetic/substitute.h"
#include "generator/interp/data/tensor.h"

namespace lathe::driver {
namespace {

// Pads each row of bytes with zeros to `width`.
void Widen(int64_t width, PartBytes& strings) {
  if (strings.shape.empty() || strings.shape.back() >= width) return;
  const auto from = static_cast<size_t>(strings.shape.back()), to = static_cast<size_t>(width);
  std::string bytes;
  for (size_t at = 0; at < strings.bytes.size(); at += from) {
    bytes += strings.bytes.substr(at, from) + std::string(to - from, '\0');
  }
  strings.bytes = std::move(bytes);
  strings.shape.back() = width;
}

}  // namespace

absl::StatusOr<std::vector<PartBytes>> ExpectedParts(const onnx::DataSet& set,
                                                     const std::vector<PartBytes>& got,
                                                     const emit::ApiFunction* function) {
  std::vector<PartBytes> parts;
  for (size_t i = 0; i < set.outputs.size(); ++i) {
    for (PartBytes& part : PartsOfValue(set.outputs[i])) {
      const size_t at = parts.size();
      if (set.strings[i] && at < got.size() && !got[at].shape.empty()) {
        Widen(got[at].shape.back(), part);
      }
      parts.push_back(std::move(part));
      const bool has_port = function != nullptr && at < function->outputs.size();
      if (has_port && !function->outputs[at].capacity.empty()) parts.push_back(SizesOf(parts[at]));
    }
  }
  if (parts.size() != got.size()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the program returns ", got.size(), " tensors, but the data contains ", parts.size()));
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].dtype == got[i].dtype && parts[i].shape == got[i].shape) continue;
    return absl::FailedPreconditionError(
        absl::StrCat("output ", i, " is ", ir::ToString(got[i].dtype), " of ",
                     interp::ShapeToString(got[i].shape), ", but in the data ",
                     ir::ToString(parts[i].dtype), " of ", interp::ShapeToString(parts[i].shape)));
  }
  return parts;
}

std::vector<PartBytes> OutputLayouts(ir::Context& context, const GeneratedModel& model,
                                     const emit::ApiFunction& function,
                                     const std::vector<PartBytes>& inputs,
                                     const std::vector<PartBytes>& likely) {
  analysis::ShapeVarMap sizes;
  for (size_t i = 0; i < inputs.size() && i < function.inputs.size(); ++i) {
    if (const auto* id = std::get_if<ir::TensorId>(&function.inputs[i].part)) {
      const std::vector<ir::PrimRef>& dims = model.program.tensors[*id].shape;
      for (size_t d = 0; d < dims.size() && d < inputs[i].shape.size(); ++d) {
        if (dims[d]->As<ir::SymVar>() != nullptr) {
          sizes.try_emplace(dims[d], context.Int(inputs[i].shape[d]));
        }
      }
    } else if (inputs[i].dtype == ir::DType::Int(64) && inputs[i].bytes.size() == sizeof(int64_t)) {
      int64_t number = 0;
      std::memcpy(&number, inputs[i].bytes.data(), sizeof number);
      sizes.try_emplace(std::get<ir::PrimRef>(function.inputs[i].part), context.Int(number));
    }
  }
  std::vector<PartBytes> forms;
  for (const emit::ApiPort& port : function.outputs) {
    const size_t at = forms.size();
    const auto* id = std::get_if<ir::TensorId>(&port.part);
    PartBytes form = at < likely.size() ? likely[at] : PartBytes();
    if (id != nullptr && port.capacity.empty()) {
      const ir::Tensor& tensor = model.program.tensors[*id];
      form = {tensor.dtype, {}, ""};
      for (size_t d = 0; d < tensor.shape.size(); ++d) {
        const ir::PrimRef size =
            analysis::Simplify(context, analysis::Substitute(context, tensor.shape[d], sizes));
        const auto* known = size->As<ir::IntImm>();
        const bool told = at < likely.size() && d < likely[at].shape.size();
        form.shape.push_back(known != nullptr ? known->value : told ? likely[at].shape[d] : 0);
      }
    }
    forms.push_back(std::move(form));
  }
  return forms;
}

}  // namespace lathe::driver
