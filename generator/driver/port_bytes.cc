#include "generator/driver/port_bytes.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"

namespace lathe::driver {
namespace {

template <typename T>
std::string BytesOf(T value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

// A scalar as the C type that carries it: half floats are floats there.
std::string ScalarBytes(const interp::Scalar& scalar) {
  const ir::DType t = scalar.dtype;
  if (t.is_floating() && t.bits <= 32) return BytesOf(static_cast<float>(scalar.AsDouble()));
  const int bytes = t.is_bool() ? 1 : t.bits / 8;
  return BytesOf(scalar.bits).substr(0, static_cast<size_t>(bytes));
}

void Append(const interp::Value& value, std::vector<PartBytes>& parts) {
  if (const interp::Tensor* tensor = value.AsTensor()) {
    parts.push_back({tensor->dtype, tensor->shape,
                     std::string(reinterpret_cast<const char*>(tensor->data()), tensor->bytes())});
  } else if (const auto* fields = value.AsTuple()) {
    for (const interp::Value& field : *fields) Append(field, parts);
  } else if (const auto* dims = value.AsShape()) {
    for (int64_t dim : *dims) parts.push_back({ir::DType::Int(64), {}, BytesOf(dim)});
  } else if (const interp::Scalar* scalar = value.AsScalar()) {
    parts.push_back({scalar->dtype, {}, ScalarBytes(*scalar)});
  }
}

}  // namespace

std::vector<PartBytes> PartsOfValue(const interp::Value& value) {
  std::vector<PartBytes> parts;
  Append(value, parts);
  return parts;
}

std::vector<PartBytes> PartsOfResult(const emit::ApiFunction& function,
                                     const interp::Value& value) {
  std::vector<PartBytes> parts;
  for (PartBytes& part : PartsOfValue(value)) {
    const size_t port = parts.size();
    const bool open = port < function.outputs.size() && !function.outputs[port].capacity.empty();
    PartBytes sizes{ir::DType::Int(64), {std::ssize(part.shape)}, ""};
    for (int64_t dim : part.shape) {
      sizes.bytes += PartsOfValue(interp::Value(interp::Scalar::Int(dim)))[0].bytes;
    }
    parts.push_back(std::move(part));
    if (open) parts.push_back(std::move(sizes));
  }
  return parts;
}

absl::StatusOr<std::vector<PartBytes>> PartsOfCall(const GeneratedModel& model,
                                                   const emit::ApiFunction& function,
                                                   const std::vector<interp::Value>& args) {
  std::vector<PartBytes> parts;
  for (const interp::Value& arg : args) {
    for (PartBytes& part : PartsOfValue(arg)) parts.push_back(std::move(part));
  }
  absl::flat_hash_map<ir::PrimRef, int64_t> sizes;
  for (size_t i = 0; i < parts.size() && i < function.inputs.size(); ++i) {
    const auto* id = std::get_if<ir::TensorId>(&function.inputs[i].part);
    if (id == nullptr) continue;
    const std::vector<ir::PrimRef>& dims = model.program.tensors[*id].shape;
    for (size_t d = 0; d < dims.size() && d < parts[i].shape.size(); ++d) {
      if (dims[d]->As<ir::SymVar>() != nullptr) sizes.try_emplace(dims[d], parts[i].shape[d]);
    }
  }
  for (size_t i = parts.size(); i < function.inputs.size(); ++i) {
    const auto size = sizes.find(std::get<ir::PrimRef>(function.inputs[i].part));
    if (size == sizes.end()) {
      return absl::UnimplementedError(
          absl::StrCat("nothing among the inputs says what '", function.inputs[i].name, "' is"));
    }
    parts.push_back(PartsOfValue(interp::Value(interp::Scalar::Int(size->second)))[0]);
  }
  return parts;
}

}  // namespace lathe::driver
