#include "generator/reader/onnx/lookup_tables.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/interp/data/tensor.h"
#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

Operand ExactInts(NodeCall& n, const std::vector<int64_t>& values, std::vector<int64_t> shape,
                  DType dtype) {
  auto bytes = std::make_shared<std::vector<uint8_t>>(ir::StorageBytes(dtype, values.size()));
  for (size_t i = 0; i < values.size(); ++i) {
    interp::WriteElement(bytes->data(), dtype, i, interp::FromInt64(dtype, values[i]));
  }
  if (shape.empty()) shape = {std::ssize(values)};
  return n.builder().Constant(ir::Constant{dtype, std::move(shape), std::move(bytes)});
}

}  // namespace

Operand IntTable(NodeCall& n, const std::vector<int64_t>& values, std::vector<int64_t> shape) {
  return ExactInts(n, values, std::move(shape), DType::Int(64));
}

Operand SmallIntTable(NodeCall& n, const std::vector<int64_t>& values) {
  int64_t low = 0, high = 0;
  for (const int64_t value : values) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  DType dtype = DType::Int(64);
  for (const int bits : {32, 16, 8}) {
    const int64_t limit = int64_t{1} << (bits - 1);
    if (-limit <= low && high < limit) dtype = DType::Int(bits);
  }
  if (low >= 0 && high < 256) dtype = DType::UInt(8);
  return ExactInts(n, values, {}, dtype);
}

Operand NumberTable(NodeCall& n, const std::vector<double>& values, DType dtype) {
  return n.builder().Constant(dtype, {std::ssize(values)}, values);
}

absl::StatusOr<std::vector<double>> NumbersOf(NodeCall& n, const std::string& name) {
  std::vector<double> values;
  const Tensor* tensor = n.TensorAttribute(name);
  if (tensor == nullptr) return values;
  absl::StatusOr<ir::Constant> constant = ReadTensor(*tensor, n.import().folder);
  if (!constant.ok()) {
    return n.Error() << "attribute '" << name << "' " << constant.status().message();
  }
  const uint64_t count = interp::CountElements(constant->shape).value_or(0);
  for (uint64_t i = 0; i < count; ++i) {
    values.push_back(interp::ToDouble(
        constant->dtype, interp::ReadElement(constant->bytes->data(), constant->dtype, i)));
  }
  return values;
}

absl::StatusOr<std::vector<double>> FloatsOrTensor(NodeCall& n, const std::string& name) {
  const std::string tensor = absl::StrCat(name, "_as_tensor");
  if (!n.HasAttribute(tensor)) return n.Floats(name);
  if (!n.Floats(name).empty()) {
    return n.Error() << "has both attributes '" << name << "' and '" << tensor << "'";
  }
  return NumbersOf(n, tensor);
}

PrimRef TableEntry(Te& te, int input, PrimRef at) {
  return te.math().Cast(te.At(te.Input(input), {at}), DType::Int(64));
}

absl::Status NeedNumbers(NodeCall& n, const std::string& name, const std::vector<double>& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) {
      return n.Error() << "element " << i << " of attribute '" << name << "' is NaN";
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Operand> FeatureRows(NodeCall& n, const Operand& x, DType dtype) {
  const Dims dims = n.DimsOf(x);
  LATHE_RETURN_IF_ERROR(n.status());
  if (dims.empty() || dims.size() > 2) {
    return n.Error() << "the input has rank " << dims.size()
                     << "; it must be rows of features (rank 2) or one row (rank 1)";
  }
  Operand rows = n.Cast(x, dtype);
  if (dims.size() == 1) rows = n.Reshape(rows, {n.ir().Int(1), dims[0]});
  return rows;
}

}  // namespace lathe::onnx
