#include "generator/driver/report/render_value.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "generator/interp/data/limits.h"
#include "generator/interp/data/tensor_ops.h"
#include "generator/support/status.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

using interp::Scalar;
using interp::TensorRef;
using interp::Value;
using Json = nlohmann::ordered_json;

Json NumberToJson(const Scalar& s) {
  if (s.dtype.is_bool()) return s.bits != 0;
  if (s.dtype.is_int()) return static_cast<int64_t>(s.bits);
  if (!s.dtype.is_floating()) return s.bits;
  const double value = s.AsDouble();
  if (std::isfinite(value)) return value;
  return ToString(s);
}

Json ToJson(const Value& value, int depth) {
  if (depth > interp::kMaxValueDepth) return {{"kind", "cut"}};
  if (value.is_null()) return {{"kind", "null"}};
  if (const interp::Tensor* t = value.AsTensor()) {
    Json data = Json::array();
    for (uint64_t n = 0; n < t->num_elements(); ++n) data.push_back(NumberToJson(t->At(n)));
    Json out = {{"kind", "tensor"}, {"dtype", ToString(t->dtype)}, {"shape", t->shape}};
    if (t->device != nullptr) out["device"] = ToString(*t->device);
    out["data"] = std::move(data);
    return out;
  }
  if (const auto* fields = value.AsTuple()) {
    Json list = Json::array();
    for (const Value& field : *fields) list.push_back(ToJson(field, depth + 1));
    return {{"kind", "tuple"}, {"fields", std::move(list)}};
  }
  if (const auto* dims = value.AsShape()) return {{"kind", "shape"}, {"dims", *dims}};
  if (const Scalar* s = value.AsScalar()) {
    return {{"kind", "scalar"}, {"dtype", ToString(s->dtype)}, {"value", NumberToJson(*s)}};
  }
  if (const std::string* text = value.AsString()) return {{"kind", "string"}, {"text", *text}};
  if (const auto* dtype = value.As<ir::DType>()) {
    return {{"kind", "dtype"}, {"dtype", ToString(*dtype)}};
  }
  return {{"kind", "object"}, {"what", Describe(value)}};
}

absl::Status AddArrays(const std::string& name, const Value& value, int depth,
                       const std::shared_ptr<interp::MemoryBudget>& budget,
                       std::vector<std::pair<std::string, TensorRef>>* out) {
  if (const auto* tensor = value.As<TensorRef>()) {
    out->emplace_back(name, *tensor);
    return absl::OkStatus();
  }
  if (const Scalar* s = value.AsScalar()) {
    LATHE_ASSIGN_OR_RETURN(TensorRef tensor, interp::NewTensor(s->dtype, {}, budget));
    tensor->Set(0, s->bits);
    out->emplace_back(name, std::move(tensor));
    return absl::OkStatus();
  }
  if (const auto* dims = value.AsShape()) {
    LATHE_ASSIGN_OR_RETURN(TensorRef tensor, interp::TensorFromShape(*dims, budget));
    out->emplace_back(name, std::move(tensor));
    return absl::OkStatus();
  }
  const auto* fields = value.AsTuple();
  if (fields == nullptr || depth > interp::kMaxValueDepth) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", name, "' is ", Describe(value), ", which cannot be written as an array"));
  }
  for (size_t n = 0; n < fields->size(); ++n) {
    LATHE_RETURN_IF_ERROR(
        AddArrays(absl::StrCat(name, ".", n), (*fields)[n], depth + 1, budget, out));
  }
  return absl::OkStatus();
}

}  // namespace

nlohmann::ordered_json ValueToJson(const Value& value) { return ToJson(value, 0); }

absl::StatusOr<std::vector<std::pair<std::string, TensorRef>>> ValueToArrays(
    const Value& value, const std::shared_ptr<interp::MemoryBudget>& budget) {
  std::vector<std::pair<std::string, TensorRef>> arrays;
  LATHE_RETURN_IF_ERROR(AddArrays("result", value, 0, budget, &arrays));
  return arrays;
}

absl::StatusOr<std::vector<std::pair<std::string, TensorRef>>> StepsToArrays(
    const std::vector<Value>& values, const std::shared_ptr<interp::MemoryBudget>& budget) {
  std::vector<std::pair<std::string, TensorRef>> stacked;
  for (size_t step = 0; step < values.size(); ++step) {
    LATHE_ASSIGN_OR_RETURN(const auto arrays, ValueToArrays(values[step], budget));
    for (size_t i = 0; step == 0 && i < arrays.size(); ++i) {
      std::vector<int64_t> shape = arrays[i].second->shape;
      shape.insert(shape.begin(), std::ssize(values));
      LATHE_ASSIGN_OR_RETURN(TensorRef all,
                             interp::NewTensor(arrays[i].second->dtype, shape, budget));
      stacked.emplace_back(arrays[i].first, std::move(all));
    }
    for (size_t i = 0; i < arrays.size(); ++i) {
      const interp::Tensor& part = *arrays[i].second;
      const bool same = i < stacked.size() && arrays.size() == stacked.size() &&
                        stacked[i].first == arrays[i].first &&
                        stacked[i].second->dtype == part.dtype &&
                        absl::MakeConstSpan(stacked[i].second->shape).subspan(1) == part.shape;
      if (!same) {
        return absl::InvalidArgumentError(absl::StrCat(
            "'", arrays[i].first, "' of step ", step,
            " differs in dtype or shape from step 0, so the steps cannot be written as one array; "
            "--json prints them"));
      }
      const uint64_t count = part.num_elements();
      for (uint64_t k = 0; k < count; ++k) {
        stacked[i].second->Set(step * count + k, part.At(k).bits);
      }
    }
  }
  return stacked;
}

}  // namespace lathe::driver
