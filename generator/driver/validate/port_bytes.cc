#include "generator/driver/validate/port_bytes.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "generator/interp/extern_value.h"

namespace lathe::driver {
namespace {

template <typename T>
std::string BytesOf(T value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

// Returns the bytes of a scalar in its C type, which is float for half floats.
std::string ScalarBytes(const interp::Scalar& scalar) {
  const ir::DType t = scalar.dtype;
  if (t.is_floating() && t.bits <= 32) return BytesOf(static_cast<float>(scalar.AsDouble()));
  int bytes = 1;
  while (8 * bytes < t.bits) bytes *= 2;
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

// Serializes a boxed value into pieces.
class Pieces {
 public:
  std::vector<PartBytes> Of(const interp::Value& value) {
    Add(value);
    Flush();
    return std::move(pieces_);
  }

 private:
  void Number(int64_t number) { numbers_ += BytesOf(number); }
  void Flush() {
    if (numbers_.empty()) return;
    const int64_t count = std::ssize(numbers_) / 8;
    pieces_.push_back({ir::DType::Int(64), {count}, std::move(numbers_)});
    numbers_.clear();
  }
  void Data(PartBytes part) {
    Flush();
    pieces_.push_back(std::move(part));
  }
  void Type(ir::DType dtype) {
    Number(interp::ToExtern(dtype).code);
    Number(dtype.bits);
  }
  void Numbers(const std::vector<int64_t>& numbers) {
    Number(std::ssize(numbers));
    for (int64_t number : numbers) Number(number);
  }

  void Add(const interp::Value& value) {
    if (const interp::Tensor* tensor = value.AsTensor()) {
      Number(LATHE_TENSOR);
      Type(tensor->dtype);
      Numbers(tensor->shape);
      Data(PartsOfValue(value)[0]);
    } else if (const interp::Scalar* scalar = value.AsScalar()) {
      const bool is_float = scalar->dtype.is_floating();
      Number(scalar->dtype.is_bool() ? LATHE_BOOL : is_float ? LATHE_FLOAT : LATHE_INT);
      Type(scalar->dtype);
      if (!is_float) return Number(scalar->AsInt());
      Data({ir::DType::Float(64), {1}, BytesOf(scalar->AsDouble())});
    } else if (const std::string* text = value.AsString()) {
      Number(LATHE_STRING);
      Number(std::ssize(*text));
      Data({ir::DType::UInt(8), {std::ssize(*text)}, *text});
    } else if (const auto* dtype = value.As<ir::DType>()) {
      Number(LATHE_DTYPE);
      Type(*dtype);
    } else if (const auto* dims = value.AsShape()) {
      Number(LATHE_SHAPE);
      Numbers(*dims);
    } else if (const auto* fields = value.AsTuple()) {
      Number(LATHE_TUPLE);
      Number(std::ssize(*fields));
      for (const interp::Value& field : *fields) Add(field);
    } else {
      const bool object = value.As<std::shared_ptr<const interp::OpaqueObject>>() != nullptr;
      Number(value.is_null() ? LATHE_NULL : object ? LATHE_OBJECT : LATHE_FUNCTION);
    }
  }

  std::string numbers_;
  std::vector<PartBytes> pieces_;
};

// Collects the parts of a value with the form `form`, one for each port.
class Parts {
 public:
  explicit Parts(const std::vector<emit::ApiPort>& ports) : ports_(ports) {}

  void Add(const ir::Form& form, const interp::Value& value) {
    const auto* tuple = form.As<ir::TupleForm>();
    const auto* fields = value.AsTuple();
    if (tuple != nullptr && fields != nullptr && tuple->fields.size() == fields->size()) {
      for (size_t i = 0; i < fields->size(); ++i) Add(tuple->fields[i], (*fields)[i]);
      return;
    }
    const size_t port = all_.size();
    if (form.As<ir::TensorId>() != nullptr && port < ports_.size() && ports_[port].is_value) {
      all_.push_back(PartOfAnyValue(value));
      return;
    }
    for (PartBytes& part : PartsOfValue(value)) AddPart(std::move(part));
  }

  std::vector<PartBytes> Take() { return std::move(all_); }

 private:
  // Adds a part and, if its size is dynamic, its sizes.
  void AddPart(PartBytes part) {
    const size_t port = all_.size();
    const bool open = port < ports_.size() && !ports_[port].capacity.empty();
    all_.push_back(std::move(part));
    if (open) all_.push_back(SizesOf(all_.back()));
  }

  const std::vector<emit::ApiPort>& ports_;
  std::vector<PartBytes> all_;
};

}  // namespace

std::vector<PartBytes> PartsOfValue(const interp::Value& value) {
  std::vector<PartBytes> parts;
  Append(value, parts);
  return parts;
}

PartBytes SizesOf(const PartBytes& part) {
  PartBytes sizes{ir::DType::Int(64), {std::ssize(part.shape)}, ""};
  for (int64_t dim : part.shape) sizes.bytes += BytesOf(dim);
  return sizes;
}

PartBytes PartOfAnyValue(const interp::Value& value) {
  PartBytes part{ir::DType::UInt(8), {}, "", Pieces().Of(value)};
  for (const PartBytes& piece : part.pieces) part.bytes += piece.bytes;
  return part;
}

std::vector<PartBytes> PartsOfResult(const emit::ApiFunction& function,
                                     const interp::Value& value) {
  Parts parts(function.outputs);
  parts.Add(function.result, value);
  return parts.Take();
}

absl::StatusOr<std::vector<PartBytes>> PartsOfCall(const GeneratedModel& model,
                                                   const emit::ApiFunction& function,
                                                   const std::vector<interp::Value>& args) {
  Parts given(function.inputs);
  // The last arguments of a function with a state are no inputs.
  const size_t params = args.size() - VariablesOf(model, function);
  for (size_t i = 0; i < params; ++i) {
    given.Add(i < function.params.size() ? function.params[i] : ir::Form(), args[i]);
  }
  std::vector<PartBytes> parts = given.Take();
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
    const ir::PrimRef var = std::get<ir::PrimRef>(function.inputs[i].part);
    const auto size = sizes.find(var);
    if (size == sizes.end()) {
      return absl::UnimplementedError(absl::StrCat("the size '", function.inputs[i].name,
                                                   "' cannot be derived from the inputs"));
    }
    parts.push_back(
        PartsOfValue(interp::Value(interp::Scalar::Int(size->second, var->dtype())))[0]);
  }
  return parts;
}

}  // namespace lathe::driver
